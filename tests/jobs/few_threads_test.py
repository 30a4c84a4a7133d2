#!/usr/bin/env python3
"""What a program does where it can have few threads only. Runs apps/flights, whose files have threads of their own."""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

FLIGHTS = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "flights", "flights")
ROWS = "date,delay,distance,origin,destination\n01010001,14,405,MCI,MDW\n01010530,-11,370,LAX,PHX\n"
RESULTS = ["by_day_and_origin.csv", "by_origin.csv"]
# The limit is on all that a user runs, and there is none for root: who runs nothing else is taken then.
NOBODY = 54321


def threads_of(user):
    """How many the user has now."""
    count = 0
    for process in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.stat(f"/proc/{process}").st_uid == user:
                count += len(os.listdir(f"/proc/{process}/task"))
        except OSError:
            pass  # it has ended
    return count


class FewThreads(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        os.chmod(self.folder, 0o777)
        self.program = shutil.copy(FLIGHTS, self.folder)
        self.rows = os.path.join(self.folder, "rows.csv")
        with open(self.rows, "w", encoding="utf-8") as file:
            file.write(ROWS)

    def run_with(self, threads):
        """How it ends where it can have so many."""
        user = NOBODY if os.geteuid() == 0 else os.geteuid()
        most = threads_of(user) + threads

        def limit():
            if os.geteuid() == 0:
                os.setgid(user)
                os.setuid(user)
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))

        # Leaks are looked for by one more process.
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.run([self.program, "run", "--quiet", "--flights", self.rows, "--out", os.path.join(self.folder, "out"),
                               "--parallelism", "2", "-o", "scheduler.threads=2"],
                              capture_output=True, text=True, timeout=60, check=False, preexec_fn=limit, env=environment)

    def test_too_few_are_an_error_and_leave_nothing(self):
        out = os.path.join(self.folder, "out")
        without = set()
        for threads in range(1, 40):
            done = self.run_with(threads)
            if done.returncode == 0:
                break
            self.assertEqual((done.returncode, done.stdout), (1, ""), f"{threads} threads: {done.stderr}")
            self.assertRegex(done.stderr, r"^error: [^\0]*could not start a thread for [^\0]*: Resource temporarily unavailable\n"
                                          r"  help: lower the parallelism, or raise the limit on threads \(ulimit -u\)\n$")
            without.add(re.search(r"could not start a thread for (\w+ '.*'):", done.stderr).group(1))
            self.assertEqual(os.listdir(out) if os.path.exists(out) else [], [])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(os.listdir(out)), RESULTS)
        self.assertIn("job 'flights'", without)
        self.assertIn("step 'flights'", without)


if __name__ == "__main__":
    sys.exit(unittest.main())
