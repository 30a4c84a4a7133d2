"""Compiles each case in this folder. It must fail, and the first error must be the sentence that the case's first line names:

    // expect: key_by() takes members of the row

run.py COMPILER INCLUDE_FOLDER [CASE...]
"""
import concurrent.futures
import pathlib
import subprocess
import sys


def complaint(compiler, include, case):
    """What is wrong with the case, or an empty string."""
    first_line = case.read_text().partition("\n")[0]
    mark, _, expected = first_line.partition("// expect: ")
    if mark or not expected.strip():
        return f"{case.name}: its first line must be `// expect: <sentence>`"
    done = subprocess.run([compiler, "-std=c++20", "-fsyntax-only", "-I", include, case], capture_output=True, text=True)
    if done.returncode == 0:
        return f"{case.name}: compiles\n  expected: {expected}"
    said = next((line for line in done.stderr.splitlines() if "error:" in line), "no error line")
    return "" if expected.strip() in said else f"{case.name}:\n  expected: {expected}\n  said:     {said}"


def main(compiler, include, *cases):
    cases = [pathlib.Path(case) for case in cases] or sorted(pathlib.Path(__file__).parent.glob("*.cpp"))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [text for text in pool.map(lambda case: complaint(compiler, include, case), cases) if text]
    print(*wrong, f"{len(cases)} cases, {len(wrong)} wrong", sep="\n")
    return 0 if cases and not wrong else 1


sys.exit(main(*sys.argv[1:]))
