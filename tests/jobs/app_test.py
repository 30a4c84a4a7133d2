#!/usr/bin/env python3
"""What a program around a pipeline does: commands, exit codes, errors, progress, interrupts. Runs apps/examples/hello."""

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import unittest

HELLO = os.path.join(os.environ["SPILLWAY_BIN"], "apps", "examples", "hello")
TEXT = ("--text", "to be or not to be")
ENDLESS = TEXT + ("--times", "1000000000", "--pace", "1000")


def run(*args):
    done = subprocess.run([HELLO, *args], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def start(*args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **environment):
    def restore():  # pipelines of shells that ignore it would pass that on
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    return subprocess.Popen([HELLO, *args], stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, text=True,
                            preexec_fn=restore, env={**os.environ, **environment})


class ATerminal:
    """A program with stderr, perhaps stdout too, on a terminal of its own."""

    def __init__(self, *args, rows_too=False, **environment):
        self.master, slave = pty.openpty()
        stdout = slave if rows_too else subprocess.PIPE
        self.program = start(*args, stdout=stdout, stderr=slave, **{"TERM": "xterm", **environment})
        os.close(slave)
        self.shown = ""

    def read(self):
        if not select.select([self.master], [], [], 60)[0]:
            self.program.kill()
        try:
            data = os.read(self.master, 65536).decode()
        except OSError:  # how Linux tells that the other side is closed
            data = ""
        self.shown += data
        return data

    def read_until(self, text):
        while text not in self.shown and self.read():
            pass
        return text in self.shown

    def end(self):
        while self.read():
            pass
        self.program.communicate(timeout=60)
        os.close(self.master)
        return self.program.returncode


class Commands(unittest.TestCase):
    def test_run_writes_rows_to_stdout_and_all_else_to_stderr(self):
        code, out, err = run("run", *TEXT)
        self.assertEqual(code, 0, err)
        self.assertIn("not", out)
        self.assertNotIn("Finished", out)
        self.assertRegex(err.splitlines()[0], r"^Finished  words +6 rows in  6 out  .* m?s$")
        self.assertRegex(err.splitlines()[-1], r"^Finished job 'hello' in .* m?s$")

    def test_quiet_shows_nothing(self):
        code, _, err = run("run", *TEXT, "--quiet")
        self.assertEqual((code, err), (0, ""))

    def test_verbose_shows_the_plan_first(self):
        _, plan, _ = run("explain", *TEXT)
        code, _, err = run("run", *TEXT, "--verbose")
        self.assertEqual(code, 0)
        self.assertTrue(err.startswith(plan), err)

    def test_explain_shows_the_plan_and_runs_nothing(self):
        code, out, err = run("explain", *TEXT, "--parallelism", "3")
        self.assertEqual((code, err), (0, ""))
        self.assertIn("parallelism 3", out)

    def test_help_begins_with_two_examples(self):
        for words in (["help"], ["--help"], ["run", "--help"]):
            code, out, err = run(*words)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out.splitlines()[:2], ["  hello run --text TEXT", "  hello explain --text TEXT --parallelism 2"])
            self.assertIn("--times N    how often the text is repeated (default: 1)", out)

    def test_without_arguments_the_help_is_an_error(self):
        code, out, err = run()
        self.assertEqual((code, out), (2, ""))
        self.assertEqual(err, run("help")[1])


class WrongUse(unittest.TestCase):
    def refused(self, args, *lines):
        code, out, err = run(*args)
        self.assertEqual((code, out, err.splitlines()), (2, "", list(lines)))

    def test_missing_parameter(self):
        self.refused(["run"], "error: parameter --text is missing", "  help: hello run --text TEXT")

    def test_misspelt_parameter(self):
        self.refused(["run", "--txt", "x"], "error: hello has no parameter --txt", "  help: did you mean --text?")
        self.refused(["run", *TEXT, "--tims", "2"], "error: hello has no parameter --tims", "  help: did you mean --times?")

    def test_value_that_is_none(self):
        self.refused(["run", *TEXT, "--times", "many"], "error: parameter --times: 'many' is not a whole number",
                     "  note: --times N: how often the text is repeated (default: 1)")

    def test_option_that_is_none(self):
        self.refused(["run", *TEXT, "-o", "exchange.permit=3"], "error: there is no option 'exchange.permit'",
                     "  help: did you mean 'exchange.permits'?")

    def test_file_of_options(self):
        with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
            file.write("# a comment\nexchange.credit = none\n")
            file.flush()
            self.refused(["run", *TEXT, "--config", file.name],
                         f"error: {file.name}:2: option 'exchange.credit' must be a whole number of at least 1, not 'none'")

    def test_plan_that_cannot_be(self):
        code, _, err = run("run", *TEXT, "-o", "pipeline.max-parallelism=2", "--parallelism", "3")
        self.assertEqual(code, 2)
        self.assertTrue(err.startswith("error: pipeline.max-parallelism is 2"), err)


class Failure(unittest.TestCase):
    def test_a_failed_job_ends_with_its_error_and_1(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([HELLO, "run", *TEXT], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        last = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(last), 1, done.stderr)
        self.assertIn("of job 'hello' failed", last[0])
        self.assertNotIn("Finished job", done.stderr)


class Interrupts(unittest.TestCase):
    def test_an_interrupt_cancels_and_says_so(self):
        program = start("run", *ENDLESS)
        first = program.stderr.readline()
        self.assertRegex(first, r"^ Running  words ")
        program.send_signal(signal.SIGINT)
        _, err = program.communicate(timeout=60)
        self.assertEqual(program.returncode, 130)
        self.assertIn("Cancelling job 'hello'", err)
        self.assertRegex(err, r"(?m)^ Stopped  words ")
        self.assertRegex(err.splitlines()[-1], r"^Cancelled job 'hello' after .* s$")


class Terminal(unittest.TestCase):
    def test_progress_is_redrawn_in_place(self):
        t = ATerminal("run", *ENDLESS)
        self.assertTrue(t.read_until("\x1b[3A\r\x1b[J"), t.shown)
        self.assertIn("\x1b[1m Running\x1b[0m  words", t.shown)
        t.program.send_signal(signal.SIGINT)
        self.assertEqual(t.end(), 130)

    def test_a_short_job_draws_its_end_only(self):
        t = ATerminal("run", *TEXT)
        self.assertEqual(t.end(), 0)
        self.assertEqual(len(t.shown.splitlines()), 4, t.shown)
        self.assertNotIn("\x1b[J", t.shown)

    def test_no_color_is_kept_to(self):
        t = ATerminal("run", *TEXT, NO_COLOR="1")
        self.assertEqual(t.end(), 0)
        self.assertNotIn("\x1b", t.shown)

    def test_a_dumb_terminal_gets_lines(self):
        t = ATerminal("run", *ENDLESS, TERM="dumb")
        self.assertTrue(t.read_until(" Running  words"), t.shown)
        t.program.send_signal(signal.SIGINT)
        self.assertEqual(t.end(), 130)
        self.assertNotIn("\x1b", t.shown)

    def test_rows_on_the_same_terminal_end_the_redrawing(self):
        t = ATerminal("run", "--text", "to be", "--times", "60", "--pace", "60", rows_too=True)
        self.assertEqual(t.end(), 0)
        progress, rows, rest = t.shown.partition("word  times")
        self.assertIn("\x1b[J", progress)
        self.assertTrue(progress.endswith("\x1b[J"), "the block makes way")
        self.assertEqual(sorted(rest.split("Finished")[0].split()), ["60", "60", "be", "to"])
        self.assertNotIn("\x1b[J", rest)


if __name__ == "__main__":
    sys.exit(unittest.main())
