"""Compiles each public header alone, with all warnings as errors. headers_alone.py COMPILER INCLUDE_FOLDER"""
import concurrent.futures
import pathlib
import subprocess
import sys


def complaints(compiler, include, header):
    command = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "-I", include]
    source = f'#include "{header}"\n'
    done = subprocess.run(command + ["-x", "c++", "-"], input=source, capture_output=True, text=True)
    return f"{header}:\n{done.stderr}" if done.returncode != 0 else ""


def main(compiler, include):
    headers = sorted(str(path.relative_to(include)) for path in pathlib.Path(include).rglob("*.hpp"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        found = [text for text in pool.map(lambda header: complaints(compiler, include, header), headers) if text]
    print(*found, f"{len(headers)} headers, {len(found)} with complaints", sep="\n")
    return 0 if headers and not found else 1


sys.exit(main(*sys.argv[1:]))
