#!/usr/bin/env python3
"""What apps/flights leaves behind when it is interrupted or killed."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest

FLIGHTS = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "flights", "flights")
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "apps", "flights", "flights.csv")
SMALL = "date,delay,distance,origin,destination\n01010001,14,405,MCI,MDW\n01010530,-11,370,LAX,PHX\n"
RESULTS = ["by_day_and_origin.csv", "by_origin.csv"]
UNFINISHED = [name + ".part" for name in RESULTS]


def restore():
    """Shells and others that ignore signals would pass that on."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


class Stopped(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.small, self.out = os.path.join(scratch.name, "small.csv"), os.path.join(scratch.name, "out")
        with open(self.small, "w", encoding="utf-8") as file:
            file.write(SMALL)

    def run_to_the_end(self):
        subprocess.run([FLIGHTS, "run", "--quiet", "--flights", self.small, "--out", self.out], stdout=subprocess.DEVNULL,
                       timeout=60, check=True)

    def start(self, *args):
        """A job that runs, and takes long."""
        program = subprocess.Popen([FLIGHTS, "run", "--flights", DATA, "--out", self.out, "--years", "1000", *args],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=restore)
        self.addCleanup(program.kill)
        self.assertRegex(program.stderr.readline(), "^ Running  flights ")
        self.assertTrue(set(UNFINISHED) <= set(self.files()), self.files())
        return program

    def stop(self, how, *args):
        """The exit code and what was said by a job that is stopped while it runs."""
        program = self.start(*args)
        program.send_signal(how)
        out, err = program.communicate(timeout=60)
        self.assertEqual(out, "")
        return program.returncode, err

    def files(self):
        return sorted(os.listdir(self.out))

    def test_an_interrupted_job_leaves_no_file(self):
        for parallelism in ("1", "2", "7"):
            code, err = self.stop(signal.SIGINT, "--parallelism", parallelism)
            self.assertEqual((code, self.files()), (130, []), err)
            self.assertRegex(err, r"(?m)^Cancelling job 'flights'")
            self.assertRegex(err.splitlines()[-1], r"^Cancelled job 'flights' after .* s$")

    def test_a_job_that_is_asked_to_end_leaves_no_file(self):
        for how in (signal.SIGTERM, signal.SIGHUP):
            code, err = self.stop(how)
            self.assertEqual((code, self.files()), (130, []), err)
            self.assertRegex(err.splitlines()[-1], r"^Cancelled job 'flights' after .* s$")

    def test_an_interrupted_job_leaves_the_results_of_an_earlier_one(self):
        self.run_to_the_end()
        self.assertEqual(self.stop(signal.SIGINT)[0], 130)
        self.assertEqual(self.files(), RESULTS)
        with open(os.path.join(self.out, "by_origin.csv"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 3)

    def test_a_killed_job_leaves_no_file_under_its_name_and_the_next_takes_no_notice(self):
        self.assertEqual(self.stop(signal.SIGKILL)[0], -signal.SIGKILL)
        self.assertEqual(self.files(), UNFINISHED)
        self.run_to_the_end()
        self.assertEqual(self.files(), RESULTS)

    def test_a_second_job_does_not_write_to_the_files_of_one_that_runs(self):
        first = self.start()
        second = subprocess.run([FLIGHTS, "run", "--quiet", "--flights", self.small, "--out", self.out], capture_output=True,
                                text=True, timeout=60, check=False)
        self.assertEqual(second.returncode, 1, second.stderr)
        self.assertRegex(second.stderr, r"^error: step 'to_csv\(by .*\)' of job 'flights' failed in subtask 0\n"
                                        r"  note: cannot write '.*/out/by_.*\.csv': it is being written already\n"
                                        r"  help: another job, or another sink of this one, writes to it: .*\n$")
        self.assertEqual(self.files(), UNFINISHED)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
        self.assertEqual((first.returncode, self.files()), (130, []))


if __name__ == "__main__":
    sys.exit(unittest.main())
