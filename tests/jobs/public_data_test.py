"""Public registries that Debian ships are read whole and right: every group's count is that of Python's csv module.

The files of ieee-data are in the public domain (the IEEE asserts no copyright in them).
"""
import csv
import glob
import os
import subprocess
import tempfile
from collections import Counter

PROGRAM = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "examples", "registry")
FOLDER = "/usr/share/ieee-data"


def counted(files):
    groups = Counter()
    for name in files:
        with open(name, newline="", encoding="utf-8-sig") as f:
            for row in csv.DictReader(f, strict=True):
                groups[row["Registry"], row["Organization Name"]] += 1
    return groups


def run(pattern, parallelism):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "held.csv")
        subprocess.run([PROGRAM, "run", "--files", pattern, "--out", out, "--parallelism", str(parallelism), "--quiet"], check=True)
        with open(out, newline="", encoding="utf-8") as f:
            return Counter({(r["registry"], r["organization"]): int(r["held"]) for r in csv.DictReader(f, strict=True)})


def main():
    pattern = FOLDER + "/*.csv"
    files = sorted(glob.glob(pattern))
    assert files, "the package ieee-data is missing: apt-get install ieee-data"
    want = counted(files)
    assert sum(want.values()) > 30000, want.total()
    for parallelism in (1, 4):
        got = run(pattern, parallelism)
        assert got == want, [(k, want[k], got[k]) for k in set(want) | set(got) if want[k] != got[k]][:5]
    print(f"{len(files)} files, {sum(want.values())} rows, {len(want)} groups: equal")


main()
