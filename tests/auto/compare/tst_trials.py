# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests how ./qpool compare runs programs that end, do not end, or fail; and its command line."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest

ROOT = os.environ["QPOOL_ROOT"]
for folder in ("compare", "bench", "shared"):
    sys.path.insert(0, os.path.join(ROOT, "tools", folder))

import children
import trials
from subjects import Subject

class Fake(Subject):
    """A subject that differs from others by a variable, because these tests need no library."""

    def environment(self, outer):
        return {**outer, "SUBJECT": self.name}


class Runs(unittest.TestCase):
    def run_shell(self, script, duration=None, grace=5):
        return children.run_child(["/bin/sh", "-c", script], dict(os.environ), duration, grace=grace)

    def test_one_that_ends(self):
        run = self.run_shell("echo out; echo err >&2; exit 3")
        self.assertEqual((run.exit_code, run.told_to_end), (3, False))
        self.assertEqual(run.errors, "err\n")
        self.assertEqual(run.how_it_ended, "exited with code 3")

    def test_what_it_used(self):
        # The processor time of the shell's child counts, too.
        run = self.run_shell("i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; "
                             "/bin/sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'")
        self.assertGreater(run.wall, 0)
        self.assertGreater(run.processor, 0)
        self.assertGreater(run.faults, 0)

    def test_one_that_stays_is_told_to_end(self):
        run = self.run_shell("exec sleep 1000", duration=0.5)
        self.assertTrue(run.told_to_end)
        self.assertGreater(run.final, 0)
        self.assertGreater(run.peak, 0)
        self.assertEqual(run.how_it_ended, "was ended by SIGTERM")
        self.assertTrue(any("libc" in library for library in run.libraries))

    def test_the_start_ends_with_the_last_work_before_a_rest(self):
        with tempfile.TemporaryDirectory() as folder:
            looks = children.Looks(0, time.monotonic())
            looks.folder = folder

            def look(ticks, seconds_later):
                with open(os.path.join(folder, "stat"), "w", encoding="utf-8") as file:
                    file.write(f"1 (a) name) S {'0 ' * 10} {ticks} 1 0 0\n")
                looks.last_work -= seconds_later
                looks.look()

            look(5, 0)
            self.assertIsNone(looks.startup)
            look(9, 1)  # busy all that time
            self.assertIsNone(looks.startup)
            work = looks.last_work
            look(9, 1)
            self.assertEqual(looks.startup, work - 1 - looks.begun)
            known = looks.startup
            look(20, 1)
            look(20, 1)
            self.assertEqual(looks.startup, known)

    def test_one_that_does_not_listen_is_killed(self):
        # The child inherits from this process that it ignores SIGTERM.
        listened = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        self.addCleanup(signal.signal, signal.SIGTERM, listened)
        run = self.run_shell("exec sleep 1000", duration=0.1, grace=0.1)
        self.assertTrue(run.told_to_end)
        self.assertEqual(run.exit_code, -9)

    def test_what_it_started_ends_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "pipe")
            os.mkfifo(pipe)
            # O_RDWR does not wait for another process to open the pipe.
            descriptor = os.open(pipe, os.O_RDWR)
            try:
                self.run_shell(f"sleep 1000 >{pipe} & echo started >{pipe}")
                reading = os.open(pipe, os.O_RDONLY)
            finally:
                os.close(descriptor)
            with open(reading, encoding="utf-8") as file:
                # This reads until no process has the pipe open for writing.
                self.assertEqual(file.read(), "started\n")

    def test_what_it_runs_ends_with_the_runner(self):
        script = ("import os, sys; sys.path.insert(0, sys.argv[1]); import children, commands;"
                  "commands.run(lambda arguments: children.run_child(['/bin/sh', '-c', 'echo here; exec sleep 1000'],"
                  " dict(os.environ)))")
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number), tempfile.TemporaryDirectory() as folder:
                pipe = os.path.join(folder, "pipe")
                os.mkfifo(pipe)
                script_here = script.replace("echo here;", f"exec 3>{pipe}; echo here >&3;")
                with subprocess.Popen([sys.executable, "-B", "-c", script_here, os.path.join(ROOT, "tools", "shared")],
                                      stderr=subprocess.DEVNULL) as runner, open(pipe, encoding="utf-8") as file:
                    self.assertEqual(file.readline(), "here\n")
                    runner.send_signal(number)
                    self.assertEqual(runner.wait(), 128 + number)
                    self.assertEqual(file.read(), "")  # until the program has ended

    def test_a_program_that_cannot_be_started(self):
        with self.assertRaises(OSError):
            children.run_child(["/nonexistent"], {})


class Rounds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        self.settings = types.SimpleNamespace(rounds=3, duration=100, timeout=None)

    def trials(self, script):
        names = ("stock", "quick", "ours")
        self.made = trials.Trials([Fake(name, peer=None if name == "ours" else name)
                                   for name in names],
                                  ["/bin/sh", "-c", f"echo $SUBJECT >>{self.log}; {script}"],
                                  self.settings)
        return self.made

    def run_all(self, script):
        self.errors = io.StringIO()
        with contextlib.redirect_stderr(self.errors):
            self.trials(script).run_all()
        return self.made

    def test_in_turns_after_one_that_does_not_count(self):
        done = self.run_all("true")
        with open(self.log, encoding="utf-8") as file:
            order = file.read().split()
        self.assertEqual(order, ["stock", "stock", "quick", "ours", "quick", "ours", "stock",
                                 "ours", "stock", "quick"])
        self.assertEqual({name: len(runs) for name, runs in done.runs.items()},
                         {"stock": 3, "quick": 3, "ours": 3})
        self.assertEqual(done.told_to_end(), (0, 9))

    def test_a_failure_is_named_and_left_out(self):
        done = self.run_all("[ $SUBJECT != quick ] || { echo why >&2; exit 7; }")
        self.assertEqual(done.failures, {"quick": "exited with code 7"})
        self.assertEqual(len(done.runs["quick"]), 0)
        self.assertEqual(len(done.runs["ours"]), 3)
        self.assertIn("sh exited with code 7 on quick in round 1, which is left out; its last words: "
                      "why", self.errors.getvalue())

    def test_one_that_fails_on_stock_is_not_compared(self):
        with self.assertRaisesRegex(trials.CompareError, "exited with code 7 on stock"):
            self.run_all("exit 7")

    def test_one_that_should_have_ended(self):
        self.settings.timeout = 0.2
        with self.assertRaisesRegex(trials.CompareError, "had not ended after 0.2 s on stock"):
            self.run_all("sleep 1000")

    def test_one_that_is_told_to_end_has_not_failed(self):
        self.settings.duration, self.settings.rounds = 0.1, 1
        done = self.run_all("exec sleep 1000")
        self.assertEqual(done.failures, {})
        self.assertEqual(done.told_to_end(), (3, 3))


class CommandLine(unittest.TestCase):
    """The command line. The folder has no QtCore, because the program needs none."""

    def compare(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run(
                [sys.executable, "-B", os.path.join(ROOT, "tools/compare/qpoolcompare.py"),
                 "--qtcore", folder, *arguments], capture_output=True, text=True)
        return result

    def test_table_and_json(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "c.json")
            result = self.compare("--rounds", "2", "--json", path, "--", "/bin/sleep", "0.1")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(path, encoding="utf-8") as file:
                written = json.load(file)
        self.assertIn("ours, QtCore alone", result.stdout)
        self.assertIn("did not load the pooled QtCore: so this is no more than stock", result.stdout)
        self.assertEqual(written["command"], ["/bin/sleep", "0.1"])
        self.assertEqual(written["rounds"], 2)
        self.assertIn("wall/qt-only", [row["name"] for row in written["rows"]])

    def test_the_programs_own_options_are_its_own(self):
        result = self.compare("--rounds", "1", "--", "/bin/sh", "-c", "exit 5", "--rounds", "3")
        self.assertEqual(result.returncode, 1)
        self.assertIn("qpool: sh exited with code 5 on stock", result.stderr)

    def test_no_program(self):
        self.assertEqual(self.compare("--rounds", "1").returncode, 2)
        result = self.compare("--", "/nonexistent/program")
        self.assertEqual(result.returncode, 1)
        self.assertIn("qpool: /nonexistent/program does not start: No such file", result.stderr)


if __name__ == "__main__":
    unittest.main()
