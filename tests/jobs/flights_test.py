#!/usr/bin/env python3
"""The answers of apps/flights on all 231,083 flights, line by line, against those computed here."""

import collections
import csv
import itertools
import os
import re
import subprocess
import sys
import tempfile
import unittest

FLIGHTS = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "flights", "flights")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "flights", "flights.csv")
SUMMARY = ("flights", "mean_delay", "worst_delay", "late_share")
TINY = ("-o", "exchange.permits=1", "-o", "exchange.credit=1", "-o", "execution.buffer-timeout=0ms")


def run(*args, data=DATA):
    return subprocess.run([FLIGHTS, "run", "--flights", data, *args], capture_output=True, text=True, timeout=300)


def number(x):
    """The shortest text that reads back equal."""
    return repr(x).removesuffix(".0")


class Group:
    def __init__(self):
        self.flights = self.minutes = self.late = 0
        self.worst = -(2**31)

    def add(self, delay, times=1):
        self.flights += times
        self.minutes += delay * times
        self.late += (delay > 15) * times
        self.worst = max(self.worst, delay)

    def cells(self, number=number):
        return str(self.flights), number(self.minutes / self.flights), str(self.worst), number(self.late / self.flights)


class Expected:
    """What the job gives for flights repeated in so many years."""

    def __init__(self, years):
        self.origins, days = collections.defaultdict(Group), collections.defaultdict(Group)
        with open(DATA, newline="") as file:
            for row in csv.DictReader(file):
                self.origins[row["origin"]].add(int(row["delay"]), years)
                days[row["date"][:2], row["date"][2:4], row["origin"]].add(int(row["delay"]))
        self.by_origin = self.lines(("origin",), ((origin, *g.cells()) for origin, g in self.origins.items()))
        self.by_day = self.lines(("day", "origin"), ((f"{2001 + y}-{month}-{day}", origin, *g.cells())
                                                     for y in range(years) for (month, day, origin), g in days.items()))

    @staticmethod
    def lines(key, rows):
        return [",".join(key + SUMMARY)] + sorted(map(",".join, rows))

    def table(self, n):
        most = sorted(self.origins.items(), key=lambda item: -item[1].flights)[:n]
        rows = [("origin", *SUMMARY)] + [(origin, *g.cells(lambda x: f"{x:.4f}")) for origin, g in most]
        width = [max(map(len, column)) for column in zip(*rows)]
        return "".join("  ".join([r[0].ljust(width[0])] + [c.rjust(w) for c, w in zip(r[1:], width[1:])]) + "\n" for r in rows)


EXPECTED = {years: Expected(years) for years in (1, 3)}


class Answers(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.out = os.path.join(self.scratch.name, "new", "folder")

    def lines_of(self, name):
        with open(os.path.join(self.out, name), encoding="utf-8", newline="") as file:
            text = file.read()
        self.assertTrue(text.endswith("\n"))
        first, *rest = text[:-1].split("\n")
        return [first] + sorted(rest)

    def check(self, years, *how, top=15, data=DATA):
        done = run("--out", self.out, "--quiet", "--years", str(years), "--top", str(top), *how, data=data)
        self.assertEqual((done.returncode, done.stderr), (0, ""), how)
        self.assertEqual(sorted(os.listdir(self.out)), ["by_day_and_origin.csv", "by_origin.csv"])
        self.assertEqual(done.stdout, EXPECTED[years].table(top), how)
        self.assertEqual(self.lines_of("by_origin.csv"), EXPECTED[years].by_origin, how)
        self.assertEqual(self.lines_of("by_day_and_origin.csv"), EXPECTED[years].by_day, how)

    def test_what_is_expected_is_plausible(self):
        self.assertEqual(sum(g.flights for g in EXPECTED[1].origins.values()), 231083)
        self.assertEqual((len(EXPECTED[1].by_origin), len(EXPECTED[1].by_day), len(EXPECTED[3].by_day)), (60, 5264, 15790))

    def test_without_options(self):
        self.check(1)

    def test_they_are_the_same_at_any_parallelism_with_both_policies_and_with_tiny_buffers(self):
        for years, p, policy, buffers in itertools.product((1, 3), (1, 2, 3, 7), ("sharing", "stealing"), ((), TINY)):
            self.check(years, "--parallelism", str(p), "-o", f"scheduler.policy={policy}", *buffers)

    def test_they_are_the_same_on_one_thread(self):
        self.check(3, "--parallelism", "3", "-o", "scheduler.threads=1", "-o", "execution.attached=true")

    def test_the_screen_shows_as_many_airports_as_asked_for(self):
        for top in (0, 1, 59, 1000):
            self.check(1, top=top)

    def test_flights_can_come_through_a_pipe(self):
        read, write = os.pipe()
        cat = subprocess.Popen(["cat", DATA], stdout=write)
        os.close(write)
        done = subprocess.run([FLIGHTS, "run", "--flights", "/dev/stdin", "--out", self.out, "--quiet"], stdin=read,
                              capture_output=True, text=True, timeout=60)
        os.close(read)
        self.assertEqual((cat.wait(), done.returncode, done.stderr), (0, 0, ""))
        self.assertEqual(done.stdout, EXPECTED[1].table(15))
        self.assertEqual(self.lines_of("by_day_and_origin.csv"), EXPECTED[1].by_day)

    def test_each_step_says_how_many_rows_it_took_and_gave(self):
        done = run("--out", self.out, "--years", "3", "--parallelism", "2")
        shown = [re.split("  +", line)[1:-1] for line in done.stderr.splitlines() if line.startswith("Finished  ")]
        self.assertEqual(set(map(tuple, shown)), {
            ("flights -> years", "231,083 rows in", "693,249 out"),
            ("by origin", "693,249 rows in", "59 out"),
            ("to_csv(by origin)", "59 rows written"),
            ("top", "59 rows in", "15 out"),
            ("to_stdout(top)", "15 rows written"),
            ("by day and origin", "693,249 rows in", "15,789 out"),
            ("to_csv(by day and origin)", "15,789 rows written"),
        })


if __name__ == "__main__":
    sys.exit(unittest.main())
