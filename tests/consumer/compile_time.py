"""Prints how long a user's file takes to compile, and fails if it includes CAF or LMDB.

compile_time.py COMPILER INCLUDE_FOLDER FILE...
"""
import re
import subprocess
import sys
import tempfile
import time


def main(compiler, include, files):
    foreign = set()
    for file in files:
        with tempfile.NamedTemporaryFile() as dependencies:
            command = [compiler, "-std=c++20", "-I", include, "-MD", "-MF", dependencies.name, "-c", file, "-o", "/dev/null"]
            start = time.monotonic()
            subprocess.run(command, check=True)
            print(f"{file}: {time.monotonic() - start:.1f} s")
            included = dependencies.read().decode().split()
        foreign.update(name for name in included if re.search(r"/(caf/.*|(lmdb|simdjson|zlib|zstd)\.h)$", name))
    for name in sorted(foreign)[:5]:
        print(f"error: a user's file includes {name}")
    return 1 if foreign else 0


sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
