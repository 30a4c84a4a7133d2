#!/usr/bin/env python3
"""What apps/flights says when it is used wrongly and when its files are wrong."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

FLIGHTS = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "flights", "flights")
HEADER = "date,delay,distance,origin,destination\n"
GOOD = "01010001,14,405,MCI,MDW\n01010530,-11,370,LAX,PHX\n"
RESULTS = ["by_day_and_origin.csv", "by_origin.csv"]


class InAFolder(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = os.path.realpath(scratch.name)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def flights(self, *args):
        done = subprocess.run([FLIGHTS, *args], cwd=self.folder, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout, done.stderr

    def run_on(self, file, *args):
        return self.flights("run", "--quiet", "--flights", file, "--out", "out", *args)

    def results(self):
        out = os.path.join(self.folder, "out")
        return sorted(os.listdir(out)) if os.path.isdir(out) else []


class Explain(InAFolder):
    def test_it_shows_the_plan_whether_or_not_there_is_a_file(self):
        os.mkfifo(os.path.join(self.folder, "nobody writes"))
        code, plan, err = self.flights("explain", "--flights", "nobody writes", "--parallelism", "3")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(plan.startswith("8 steps in 7 tasks; exchange: pipelined; key groups: 128\n  task 1, parallelism 3\n"), plan)
        self.assertEqual(self.flights("explain", "--flights", "missing.csv", "--parallelism", "3"), (0, plan, ""))
        self.assertEqual(os.listdir(self.folder), ["nobody writes"])


class WrongUse(InAFolder):
    def refused(self, args, *lines):
        self.write("good.csv", HEADER + GOOD)
        self.assertEqual(self.run_on("good.csv", *args), (2, "", "".join(line + "\n" for line in lines)))
        self.assertEqual(self.results(), [])

    def test_a_number_that_is_none(self):
        self.refused(["--years", "x"], "error: parameter --years: 'x' is not a whole number",
                     "  note: --years N: repeats the records in this many years (default: 1)")
        self.refused(["--top", "1.5"], "error: parameter --top: '1.5' is not a whole number",
                     "  note: --top N: airports to show on screen (default: 15)")

    def test_an_unknown_parameter(self):
        self.refused(["--year", "3"], "error: flights has no parameter --year", "  help: did you mean --years?")
        self.refused(["more.csv"], "error: nothing asks for 'more.csv'", "  help: parameters are written --name value")

    def test_no_parallelism(self):
        self.refused(["--parallelism", "0"],
                     "error: option 'pipeline.parallelism' must be a whole number of at least 1, not '0'")


class WrongInput(InAFolder):
    def refused(self, code, file, text, *lines):
        if text is not None:
            self.write(file, text)
        got, out, err = self.run_on(file)
        # Whichever subtask asks first reads the file.
        err = re.sub(r"failed in subtask \d+\n", "failed in subtask 0\n", err)
        self.assertEqual((got, out, err), (code, "", "".join(line + "\n" for line in lines)))
        self.assertEqual(self.results(), [])

    def test_a_missing_file(self):
        self.refused(2, "missing.csv", None, "error: step 'flights': cannot read 'missing.csv': no such file",
                     f"  help: the path starts at {self.folder}")
        self.write("flights.csv", HEADER)
        self.refused(2, "fligths.csv", None, "error: step 'flights': cannot read 'fligths.csv': no such file",
                     "  help: did you mean 'flights.csv'?")
        self.refused(2, "data/flights.csv", None, "error: step 'flights': cannot read 'data/flights.csv': no such file",
                     "  help: there is no folder 'data'")

    def test_a_folder(self):
        self.refused(2, ".", None, "error: step 'flights': cannot read '.': there are no files in this folder",
                     "  help: a folder's files are read, but those that are hidden or named *.part")

    def test_an_empty_file(self):
        self.refused(2, "empty.csv", "", "error: step 'flights': cannot read 'empty.csv': it is empty",
                     "  help: the first line of a CSV file names its columns")

    def test_a_missing_column(self):
        self.write("nocol.csv", HEADER.replace("delay", "delays") + GOOD)
        code, out, err = self.run_on("nocol.csv")
        self.assertEqual((code, out, self.results()), (2, "", []))
        self.assertRegex(err, r"^error: step 'flights':? nocol\.csv: there is no column 'delay', wanted for the member 'delay'\n"
                              r"  note: its columns are date, delays, distance, origin, destination\n"
                              r"  help: did you mean 'delays'\? map a column of another name with columns\{\{.*\}\}\n$")

    def test_a_bad_number(self):
        self.refused(1, "bad.csv", HEADER + GOOD + "01010531,x11,370,LAX,PHX\n",
                     "error: step 'flights' of job 'flights' failed in subtask 0",
                     "  note: bad.csv:4, column 'delay': \"x11\" is not a whole number",
                     "  help: correct the file, or read the column with a function, columns{{\"delay\", &row::member, f}}")

    def test_a_bad_time(self):
        self.refused(1, "bad.csv", HEADER + GOOD + "02290001,1,370,LAX,PHX\n",
                     "error: step 'flights' of job 'flights' failed in subtask 0",
                     "  note: bad.csv:4, column 'date': \"02290001\" was refused: \"200102290001\" is not a time: there is no"
                     " such day (form %Y%m%d%H%M)",
                     "  help: correct the file, or the function for this column")

    def test_a_ragged_row(self):
        self.refused(1, "short.csv", HEADER + GOOD * 1000 + "01010531,1,370,LAX\n",
                     "error: step 'flights' of job 'flights' failed in subtask 0",
                     "  note: short.csv:2002: \"01010531,1,370,LAX\" has 4 cells, but the header has 5",
                     "  help: write an empty cell for each that is missing")
        self.refused(1, "long.csv", HEADER + "01010531,1,370,LAX,PHX,\n" + GOOD,
                     "error: step 'flights' of job 'flights' failed in subtask 0",
                     "  note: long.csv:2: \"01010531,1,370,LAX,PHX,\" has 6 cells, but the header has 5",
                     "  help: put a cell with a delimiter or a line end in quotes")

    def test_a_file_without_flights_gives_results_without_rows(self):
        self.write("header.csv", HEADER)
        self.assertEqual(self.run_on("header.csv"), (0, "origin  flights  mean_delay  worst_delay  late_share\n", ""))
        self.assertEqual(self.results(), RESULTS)


class WrongOutput(InAFolder):
    def refused(self, out, cause, help_line):
        """Either of the two files may be the first to fail, and the table may have been shown by then."""
        self.write("good.csv", HEADER + GOOD)
        code, _, err = self.flights("run", "--quiet", "--flights", "good.csv", "--out", out)
        self.assertEqual(code, 1)
        self.assertIn(err, [f"error: step 'to_csv({step})' of job 'flights' failed in subtask 0\n"
                            f"  note: cannot write '{out}/{step.replace(' ', '_')}.csv': {cause}\n  help: {help_line}\n"
                            for step in ("by origin", "by day and origin")])

    def test_a_file_for_the_folder(self):
        self.write("file", "")
        self.refused("file", "Not a directory", "a part of the path is a file where a folder is needed")

    def test_a_folder_that_cannot_be_made(self):
        self.refused("/proc/nothing", "No such file or directory", "check the path and its disk")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_that_may_not_be_written_to(self):
        os.mkdir(os.path.join(self.folder, "kept"), 0o555)
        self.refused("kept", "Permission denied", "give this user the right to write to its folder")

    def test_a_folder_in_the_place_of_a_file(self):
        self.write("good.csv", HEADER + GOOD)
        os.makedirs(os.path.join(self.folder, "out", "by_origin.csv"))
        code, _, err = self.run_on("good.csv")
        self.assertEqual((code, err), (2, "error: step 'to_csv(by origin)' cannot write 'out/by_origin.csv': it is a folder\n"
                                          "  help: name a file\n"))
        self.assertEqual(os.listdir(os.path.join(self.folder, "out", "by_origin.csv")), [])

    def test_the_file_that_it_reads(self):
        os.mkdir(os.path.join(self.folder, "out"))
        self.write("out/by_origin.csv", HEADER + GOOD)
        code, _, err = self.run_on("out/by_origin.csv")
        self.assertEqual((code, err), (2, "error: step 'to_csv(by origin)' cannot write 'out/by_origin.csv': "
                                          "step 'flights' reads it\n  help: write to another file\n"))
        with open(os.path.join(self.folder, "out", "by_origin.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), HEADER + GOOD)

    def test_a_result_on_standard_output(self):
        self.write("good.csv", HEADER + GOOD)
        os.mkdir(os.path.join(self.folder, "out"))
        os.symlink("/dev/stdout", os.path.join(self.folder, "out", "by_origin.csv"))
        code, out, err = self.run_on("good.csv")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("origin,flights,", out)
        self.assertEqual(os.readlink(os.path.join(self.folder, "out", "by_origin.csv")), "/dev/stdout")

    def test_results_are_whole_without_a_standard_output_or_error(self):
        self.write("good.csv", HEADER + GOOD)
        self.assertEqual(self.run_on("good.csv")[0], 0)
        whole = self.contents()
        for redirections, code in ((">/dev/null 2>&-", 0), ("<&- >&-", 1), ("<&- >/dev/null 2>&-", 0)):
            command = f"exec '{FLIGHTS}' run --flights good.csv --out out {redirections}"
            done = subprocess.run(["sh", "-c", command], cwd=self.folder, stderr=subprocess.DEVNULL, timeout=60, check=False)
            self.assertEqual((done.returncode, self.contents()), (code, whole), redirections)

    def contents(self):
        """Lines in order, as that of the rows is not fixed."""
        texts = {}
        for name in self.results():
            with open(os.path.join(self.folder, "out", name), encoding="utf-8") as file:
                texts[name] = sorted(file)
        return texts


if __name__ == "__main__":
    sys.exit(unittest.main())
