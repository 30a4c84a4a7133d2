#!/usr/bin/env python3
"""A job with a slow sink holds no more memory for ten times the rows. Runs apps/examples/slow_sink.

Arguments, if given: the smaller number of rows, and microseconds for each 100 rows.
"""

import os
import subprocess
import sys
import tempfile

PROGRAM = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "examples", "slow_sink")
MOST = 1.3
# A sanitizer that keeps freed memory for a while would hold more for more rows.
ENVIRONMENT = {**os.environ, "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"}


def rows_file(folder, n):
    path = os.path.join(folder, f"{n}.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write("number,text\n")
        file.writelines(f"{i},{'p' * 90}\n" for i in range(n))
    return path


def peak_kib(pid):
    """The most memory that the program has held so far; 0 if it has ended."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)


def run(folder, n, pause, *how):
    """The peak of a run on `n` rows, which must all arrive."""
    with subprocess.Popen([PROGRAM, "run", "--quiet", "--parallelism", "1", "--file", rows_file(folder, n), "--pause", str(pause), *how],
                          stdout=subprocess.PIPE, text=True, env=ENVIRONMENT) as program:
        peak = 0
        while program.poll() is None:
            peak = max(peak, peak_kib(program.pid))
            try:
                program.wait(timeout=0.005)
            except subprocess.TimeoutExpired:
                pass
        said = program.stdout.read()
    assert (program.returncode, said) == (0, f"{n} rows, sum {n * (n - 1) // 2}\n"), (program.returncode, said)
    return peak


def main():
    rows, pause = (int(a) for a in sys.argv[1:]) if len(sys.argv) == 3 else (100_000, 200)
    with tempfile.TemporaryDirectory() as folder:
        for how in ([], ["-o", "scheduler.policy=stealing"]):
            few, many = run(folder, rows, pause, *how), run(folder, rows * 10, pause, *how)
            print(f"{' '.join(how)} {rows} rows: {few} KiB, {rows * 10} rows: {many} KiB, {many / few:.2f} times as much")
            assert few > 0 and many <= MOST * few, f"more than {MOST} times as much"


if __name__ == "__main__":
    main()
