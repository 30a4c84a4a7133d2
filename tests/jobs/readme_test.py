#!/usr/bin/env python3
"""The README tells the truth: its code stands in apps/, and its output is what the program prints."""
import os, pathlib, re, subprocess, sys, tempfile

root = pathlib.Path(__file__).resolve().parents[2]
readme = (root / "README.md").read_text()
failures = []

sources = ["\n".join(line.rstrip() for line in f.read_text().splitlines()) for f in root.glob("apps/**/*.[ch]pp")]
blocks = re.findall(r"```cpp\n(.*?)```", readme, re.S)
if len(blocks) < 2:
    failures.append("the README shows no code")
for block in blocks:
    if not any(block.strip() in source for source in sources):
        failures.append("not in apps/:\n" + block)

match = re.search(r"\$ apps/flights/run\.sh (.*?)\n(.*?)```", readme, re.S)
program = pathlib.Path(os.environ["SPILLWAY_BIN"]) / "apps/flights/flights"
with tempfile.TemporaryDirectory() as folder:
    flights = ["--flights", str(root / "apps/flights/flights.csv"), "--out", folder]
    run = subprocess.run([program, "run", *flights, *match[1].split()], capture_output=True, text=True)
if run.returncode != 0 or run.stdout != match[2]:
    failures.append(f"the README shows\n{match[2]}but the program prints\n{run.stdout}{run.stderr}")

print("\n".join(failures) or "the README tells the truth")
sys.exit(1 if failures else 0)
