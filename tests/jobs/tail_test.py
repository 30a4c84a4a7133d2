#!/usr/bin/env python3
"""A job that works through a file, then follows one that grows: apps/examples/follow."""

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import unittest

FOLLOW = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "examples", "follow")
PATIENCE = 60


def restore():
    """Pipelines of shells that ignore SIGINT would pass that on."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Followed(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.history, self.live = (os.path.join(scratch.name, name) for name in ("history.csv", "live.csv"))
        self.write(self.history, "key,what\n" + "a,old\n" * 3 + "b,old\n" * 2)

    def start(self, *args):
        program = subprocess.Popen([FOLLOW, "run", "--quiet", "--history", self.history, "--live", self.live, *args],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=restore)
        self.addCleanup(program.kill)
        self.lines = queue.Queue()

        def read():
            for line in program.stdout:
                self.lines.put(line.rstrip("\n"))
            self.lines.put(None)

        threading.Thread(target=read, daemon=True).start()
        return program

    def write(self, path, text):
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    def next_line(self):
        line = self.lines.get(timeout=PATIENCE)
        self.assertIsNotNone(line, "the job ended")
        return line

    def skip_to(self, *wanted):
        """Reads up to where each of these lines has come."""
        left = set(wanted)
        while left:
            left.discard(self.next_line())

    def interrupt(self, program):
        program.send_signal(signal.SIGINT)
        self.assertIsNone(self.lines.get(timeout=PATIENCE))
        err = program.stderr.read()
        self.assertEqual(program.wait(timeout=PATIENCE), 130, err)

    def test_each_row_is_answered_before_the_next_is_written(self):
        for parallelism in ("1", "3"):
            if os.path.exists(self.live):
                os.remove(self.live)
            program = self.start("--parallelism", parallelism)
            self.skip_to("a,3", "b,2")
            self.write(self.live, "key,what\n")
            for n in range(10):
                self.write(self.live, "a,new\n")
                self.assertEqual(self.next_line(), f"a,{4 + n}")
                self.write(self.live, 'b,"in two ')
                self.write(self.live, 'pieces"\n')
                self.assertEqual(self.next_line(), f"b,{3 + n}")
            self.interrupt(program)

    def test_a_file_that_is_renamed_is_followed_by_the_next_of_its_name(self):
        self.write(self.live, "key,what\nc,new\n")
        program = self.start()
        self.skip_to("a,3", "b,2", "c,1")
        for n in range(3):
            os.rename(self.live, f"{self.live}.{n}")
            self.write(f"{self.live}.{n}", "late,c\n" if n else "c,late\n")
            self.assertEqual(self.next_line(), f"c,{2 + 2 * n}")
            self.write(self.live, "what,key\nnew,c\n")
            self.assertEqual(self.next_line(), f"c,{3 + 2 * n}")
        self.interrupt(program)

    def test_a_job_that_waits_for_a_row_hears_an_interrupt(self):
        program = self.start()
        self.skip_to("a,3", "b,2")
        self.write(self.live, 'key,what\na,"unfin')
        self.interrupt(program)


if __name__ == "__main__":
    sys.exit(unittest.main())
