#!/usr/bin/env python3
"""Random dirty CSV files, read by a job and by Python's csv module with strict=True: the same rows, or both refuse the file.

Where the two are known to differ, the job must refuse the file for the reason named here:
- a quote in a cell that does not begin with one: Python takes it as text;
- a carriage return alone: Python ends a line there;
- records with other numbers of cells than the header, and text that is not UTF-8: Python leaves both to its caller, here `Refused`.
"""

import csv
import io
import json
import os
import random
import subprocess
import tempfile
import unittest

PROGRAM = os.path.join(os.environ["SPILLWAY_BIN"], "tests", "jobs_programs", "csv_rows")
FILES = 300
CLEAN = ["a", "", "12", "é", " b ", '"q"', '""', '"x,y"', '"two\nlines"', '"two\r\nlines"', '"say ""hi"""', "longer than sixteen bytes",
         "a\0b", "\t", "'", "\ufeff", "\u2028"]
DIRTY = ['"', 'a"b', '"a"b', "\r", "a,b", "\n", '"open', b"\xff", b"\xc3", '"a\rb"', '""""', '"""', "\r\r\n"]
DIFFERENCES = ["which does not begin with one", "a carriage return that no line feed follows"]


class Refused(Exception):
    pass


def as_bytes(text):
    return text if isinstance(text, bytes) else text.encode()


def random_file(rng, dirty):
    out = b"\xef\xbb\xbf" if rng.random() < 0.2 else b""
    out += rng.choice([b"a,b,c\n", b"a,b,c\r\n", b'"a",b,"c"\n'])
    for _ in range(rng.randrange(12)):
        out += b",".join(as_bytes(rng.choice(DIRTY if rng.random() < dirty else CLEAN)) for _ in range(3))
        out += rng.choice([b"\n", b"\n", b"\r\n", b"\n\n" if rng.random() < 0.2 else b"\n"])
    return out[:-1] if rng.random() < 0.2 else out


def rows_by_python(data):
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as e:
        raise Refused(str(e)) from e
    try:
        records = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as e:
        raise Refused(str(e)) from e
    rows = [r for r in records[1:] if r]
    if any(len(r) != 3 for r in rows):
        raise Refused("a ragged row")
    return [[cell.encode() for cell in r] for r in rows]


def rows_by_job(answer):
    if "error" in answer:
        raise Refused(bytes.fromhex(answer["error"]).decode(errors="replace"))
    return [[bytes.fromhex(cell) for cell in r] for r in answer["rows"]]


def outcome(f, *args):
    try:
        return sorted(f(*args)), None
    except Refused as e:
        return None, str(e)


class Differential(unittest.TestCase):
    def compare(self, seed, dirty, split_bytes):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for i in range(FILES):
                files.append((os.path.join(folder, f"{i}.csv"), random_file(rng, dirty)))
                with open(files[-1][0], "wb") as file:
                    file.write(files[-1][1])
            command = [PROGRAM, str(split_bytes), *(name for name, _ in files)]
            done = subprocess.run(command, capture_output=True, timeout=300, check=True)
        answers = done.stdout.decode().splitlines()
        self.assertEqual(len(answers), FILES)
        counts = {"equal": 0, "both refuse": 0, "known": 0}
        for (name, data), answer in zip(files, answers):
            expected, why_not = outcome(rows_by_python, data)
            rows, refused = outcome(rows_by_job, json.loads(answer))
            if refused and any(d in refused for d in DIFFERENCES):
                counts["known"] += 1
                continue
            self.assertEqual((rows is None, rows), (expected is None, expected), (data, refused, why_not))
            counts["equal" if expected is not None else "both refuse"] += 1
        return counts

    def test_clean_files_are_read_alike(self):
        self.assertEqual(self.compare(seed=1, dirty=0, split_bytes=1 << 20)["equal"], FILES)
        self.assertEqual(self.compare(seed=2, dirty=0, split_bytes=17)["equal"], FILES)

    def test_dirty_files_are_read_alike_or_refused_by_both(self):
        for seed, split_bytes in ((3, 1 << 20), (4, 23)):
            counts = self.compare(seed, 0.06, split_bytes)
            self.assertTrue(all(n > FILES // 20 for n in counts.values()), counts)


if __name__ == "__main__":
    unittest.main()
