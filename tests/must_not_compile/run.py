"""Compiles each case in this folder. It must fail, and the first error must be the sentence that the case's first line names:

    // expect: key_by() takes members of the row

Says how long the compiler's messages are, and names those of more than 40 lines. run.py COMPILER INCLUDE_FOLDER [CASE...]
"""
import concurrent.futures
import pathlib
import subprocess
import sys
import tempfile

TOO_LONG = 40


def precompiled(compiler, include, folder):
    """The arguments that include all headers, in a fraction of the time."""
    header = pathlib.Path(folder) / "all.hpp"
    header.write_text("#include <spillway.hpp>\n")
    subprocess.run([compiler, "-std=c++20", "-I", include, "-x", "c++-header", header, "-o", f"{header}.gch"], check=True)
    return ["-include", header]


def messages(compiler, include, headers, case):
    """What the compiler says, or None if it has nothing against the case."""
    command = [compiler, "-std=c++20", "-fsyntax-only", "-fdiagnostics-color=never", "-I", include, *headers, case]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stderr if done.returncode != 0 else None


def complaint(case, said):
    """What is wrong with what was said, or an empty string."""
    first_line = case.read_text().partition("\n")[0]
    mark, _, expected = first_line.partition("// expect: ")
    if mark or not expected.strip():
        return f"{case.name}: its first line must be `// expect: <sentence>`"
    if said is None:
        return f"{case.name}: compiles\n  expected: {expected}"
    error = next((line for line in said.splitlines() if "error:" in line), "no error line")
    return "" if expected.strip() in error else f"{case.name}:\n  expected: {expected}\n  said:     {error}"


def main(compiler, include, *cases):
    cases = [pathlib.Path(case) for case in cases] or sorted(pathlib.Path(__file__).parent.glob("*.cpp"))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        headers = precompiled(compiler, include, folder)
        said = list(pool.map(lambda case: messages(compiler, include, headers, case), cases))
    wrong = [text for text in map(complaint, cases, said) if text]
    lengths = [(text.count("\n"), len(text), case.name) for case, text in zip(cases, said) if text]
    for lines, characters, name in sorted(lengths, reverse=True):
        if lines > TOO_LONG:
            print(f"{name}: {lines} lines, {characters} characters")
    if lengths:
        lines, characters = ([length[i] for length in lengths] for i in range(2))
        print(f"messages: {sum(lines) // len(lines)} lines and {sum(characters) // len(lines)} characters on average,",
              f"at most {max(lines)} and {max(characters)}")
    print(*wrong, f"{len(cases)} cases, {len(wrong)} wrong", sep="\n")
    return 0 if cases and not wrong else 1


sys.exit(main(*sys.argv[1:]))
