#!/usr/bin/env python3
"""jsonl against Python's json: for lines that are right, nearly right and wrong, both give the same rows or both refuse."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest

JSON_ROWS = os.path.join(os.environ["SPILLWAY_BIN"], "tests", "jobs_programs", "json_rows")
LINES = 4000


class Refused(Exception):
    pass


class Decimal(str):
    """A number that is written with a fraction or an exponent, or is -0, which is a whole number, too."""


def integer(text):
    return Decimal(text) if text == "-0" else int(text)


def object_of(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise Refused
    return dict(pairs)


def refuse(_):
    raise Refused


def has_half_pair(value):
    if isinstance(value, Decimal):
        return False
    if isinstance(value, str):
        return any(0xD800 <= ord(c) < 0xE000 for c in value)
    if isinstance(value, dict):
        return any(has_half_pair(k) or has_half_pair(v) for k, v in value.items())
    return isinstance(value, list) and any(has_half_pair(v) for v in value)


def text(value):
    if not isinstance(value, str) or isinstance(value, Decimal):
        raise Refused
    return value


def whole(low, high):
    def read(value):
        if isinstance(value, Decimal) and value == "-0":
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise Refused
        return value

    return read


def number(value):
    if isinstance(value, bool) or not isinstance(value, (int, Decimal)):
        raise Refused
    try:
        x = float(value)
    except OverflowError:
        raise Refused from None
    digits = re.split("[eE]", str(value))[0]
    if x in (float("inf"), float("-inf")) or (x == 0 and re.search("[1-9]", digits)):
        raise Refused
    return x


def boolean(value):
    if not isinstance(value, bool):
        raise Refused
    return value


def optional(read):
    return lambda value: None if value is None else read(value)


def elements(read):
    def list_of(value):
        if not isinstance(value, list):
            raise Refused
        return [read(v) for v in value]

    return list_of


def record(**fields):
    def read(value):
        if not isinstance(value, dict):
            raise Refused
        return {name: of(value.get(name)) for name, of in fields.items()}

    return read


INT64 = whole(-(2**63), 2**63 - 1)
ROW = record(
    id=INT64,
    text=text,
    maybe=optional(text),
    number=number,
    small=whole(-128, 127),
    positive=whole(0, 2**64 - 1),
    flag=boolean,
    list=elements(optional(INT64)),
    sub=optional(record(a=optional(number), b=text)),
)


def expected(line):
    try:
        value = json.loads(line.decode(), object_pairs_hook=object_of, parse_float=Decimal, parse_int=integer, parse_constant=refuse)
    except (ValueError, Refused):
        raise Refused from None
    if has_half_pair(value):
        raise Refused
    return ROW(value)


PIECES = [
    '"', "\\", "{", "}", "[", "]", ":", ",", "null", "true", "false", "0", "-", "1e5", "1E+2", "1.0", "01", ".5", "1e400", "1e-400",
    "NaN", "Infinity", "\\u0041", "\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u00", "\\x", "\\n", "\\/", "\t", "\r", " ", "\x00", "\x7f",
    "é", "𝄞", '"id":1,', '"id"', '"\\u0069d":2,', "99999999999999999999", "-9223372036854775809", "18446744073709551616", "{}", "[[]]",
]
BYTES = [b"\xff", b"\xc3", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\x80", b"\xe2\x82"]


class Lines:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        return "".join(self.random.choice(["a", "Z", " ", "é", "€", "𝄞", '"', "\\", "\n", "\x01", "/", "long" * 9]) for _ in range(self.random.randrange(6)))

    def whole(self):
        return self.random.choice([0, -1, 7, 127, -128, 2**63 - 1, -(2**63), self.random.getrandbits(40)])

    def anything(self, depth=0):
        kind = self.random.randrange(8 if depth < 3 else 5)
        if kind == 5:
            return [self.anything(depth + 1) for _ in range(self.random.randrange(3))]
        if kind > 5:
            return {self.text(): self.anything(depth + 1) for _ in range(self.random.randrange(4))}
        return [None, True, self.text(), self.whole(), self.random.random() * 1e9][kind]

    def row(self):
        some = self.random.random
        row = {
            "id": self.whole(),
            "text": self.text(),
            "number": self.random.choice([0.5, -0.0, 1e300, 5e-324, 12, some()]),
            "small": self.random.randrange(-128, 128),
            "positive": self.random.choice([0, 2**64 - 1, 5]),
            "flag": some() < 0.5,
            "list": [None if some() < 0.3 else self.whole() for _ in range(self.random.randrange(4))],
        }
        if some() < 0.5:
            row["maybe"] = self.random.choice([None, "", self.text()])
        if some() < 0.5:
            row["sub"] = None if some() < 0.3 else {"b": self.text(), "a": self.random.choice([None, 1, 2.5])}
        for _ in range(self.random.randrange(3)):
            row[self.text() + "?"] = self.anything()
        if some() < 0.15:
            row[self.random.choice(list(row))] = self.anything()
        if some() < 0.05:
            del row[self.random.choice(list(row))]
        names = list(row)
        if some() < 0.3:
            self.random.shuffle(names)
        return {name: row[name] for name in names}

    def line(self):
        space = self.random.choice(["", "", " ", "\t "])
        line = json.dumps(self.row(), ensure_ascii=self.random.random() < 0.5, separators=("," + space, ":" + space)).encode()
        if self.random.random() < 0.5:
            return line
        for _ in range(self.random.choice([1, 1, 2, 5])):
            at = self.random.randrange(len(line) + 1)
            change = self.random.randrange(5)
            if change == 0:
                line = line[:at] + line[at + self.random.randrange(1, 4) :]
            elif change == 1:
                line = line[:at] + self.random.choice(PIECES).encode() + line[at + self.random.randrange(2) :]
            elif change == 2:
                line = line[:at] + line[at : at + 20] + line[at:]
            elif change == 3 and self.random.random() < 0.3:
                line = line[:at] + self.random.choice(BYTES) + line[at:]
            elif change == 4 and self.random.random() < 0.2:
                line = line[:at]
        return line.replace(b"\n", b" ")


class Differential(unittest.TestCase):
    def check(self, lines, end, chunk, piece):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "f.jsonl")
            with open(path, "wb") as file:
                file.write(end.join(lines))
            done = subprocess.run([JSON_ROWS, path, str(chunk), str(piece)], capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows, bad = [], []
        for line in done.stdout.decode().splitlines():
            if line.startswith("!"):
                bad.append(int(line[len(path) + 2 :].split(",")[0]))
            else:
                rows.append(line)
        good = 0
        for n, line in enumerate(lines, 1):
            if not line.strip(b" \t\r"):
                continue
            try:
                want = expected(line)
            except Refused:
                self.assertTrue(bad and bad[0] == n, f"should be refused: {line!r}")
                bad.pop(0)
                continue
            self.assertFalse(bad and bad[0] == n, f"should be a row: {line!r}")
            self.assertEqual(repr(expected(rows[good].encode())), repr(want), line)
            good += 1
        self.assertEqual((bad, good), ([], len(rows)))
        return good, len(lines) - good

    def test_the_same_rows_are_read_and_the_same_lines_refused(self):
        for seed in range(6):
            with self.subTest(seed=seed):
                source = Lines(seed)
                lines = [source.line() for _ in range(LINES)]
                good, bad = self.check(lines, [b"\n", b"\r\n"][seed % 2], [262144, 1000, 77][seed % 3], [8 << 20, 5000][seed % 2])
                # Both kinds must be there for the comparison to say anything.
                self.assertGreater(good, LINES // 4)
                self.assertGreater(bad, LINES // 10)


if __name__ == "__main__":
    sys.setrecursionlimit(10_000)
    unittest.main()
