# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the rows of the distribution's programs in ./qpool bench, and the messages for missing programs."""

import contextlib
import io
import os
import re
import sys
import tempfile
import unittest
from unittest import mock

for part in ("bench", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", part))

import contests
import qpoolbench
import startups
from fakeprograms import write_program
from startups import Program

# Prints the plugin's last line, which depends on the folder of the QtCore.
PROGRAM = """#!/bin/sh
[ "$1" = "$ARGUMENT" ] || exit 1
case $LD_LIBRARY_PATH in */on-runtime) echo "0 steps, pooled" ;; *) echo "0 steps, $OFF" ;; esac >&2
"""


class Startups(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        os.makedirs(self.path("benchmarks", "plugins"))
        write_program(self.path("program"), PROGRAM)
        self.know({"here": Program(self.path("program"), "here-package"),
                   "script": Program(self.path("program"), "script-package", "argument",
                                     self.path("prog*")),
                   "absent": Program(self.path("nothing"), "absent-package"),
                   "half": Program(self.path("program"), "half-package", "", self.path("*.so"))})
        self.builds = contests.QtBuilds(self.folder, self.folder, self.folder, False)

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def know(self, some):
        patch = mock.patch.object(startups, "PROGRAMS", some)
        patch.start()
        self.addCleanup(patch.stop)

    def test_only_what_is_installed_has_rows(self):
        names = [contest.name for contest in startups.startup_contests(self.builds, {})]
        self.assertEqual(names, ["programs/startup/here", "programs/startup/script"])

    def test_what_is_missing_is_named_with_its_package(self):
        self.assertEqual(startups.missing_programs(re.compile("")),
                         {"absent": "absent-package", "half": "half-package"})
        self.assertEqual(startups.missing_programs(re.compile("startup/absent/faults$")),
                         {"absent": "absent-package"})
        self.assertEqual(startups.missing_programs(re.compile("^loop/")), {})

    def test_command_names_what_is_missing(self):
        """The message precedes all measuring."""
        said = io.StringIO()
        with mock.patch.object(qpoolbench, "require_release"), \
                mock.patch.object(qpoolbench, "all_contests", lambda *_: []), \
                mock.patch.object(qpoolbench, "machine_properties", side_effect=InterruptedError), \
                contextlib.redirect_stderr(said), self.assertRaises(InterruptedError):
            qpoolbench.main(["--pooled", self.folder, "--stock", self.folder, "--qt-dir", self.folder,
                             "--filter", "startup/absent"])
        self.assertIn("the program absent is missing", said.getvalue())
        self.assertIn("apt-get install absent-package", said.getvalue())
        self.assertNotIn("half", said.getvalue())

    def test_a_script_is_handed_to_its_interpreter(self):
        contest = list(startups.startup_contests(self.builds, {}))[1]
        who = contest.subjects["qt-only"]
        with mock.patch.dict(os.environ, {"ARGUMENT": "argument"}):
            self.assertGreater(contest.run(who, None, None)["faults"], 0)
        with mock.patch.dict(os.environ, {"ARGUMENT": "another"}):
            self.assertIsNone(contest.run(who, None, None))

    def test_a_run_on_another_qtcore_is_none(self):
        contest = list(startups.startup_contests(self.builds, {}))[0]
        for of_other, good in (("stock", True), ("pooled", False)):
            with mock.patch.dict(os.environ, {"ARGUMENT": "", "OFF": of_other}):
                self.assertEqual(contest.run(contest.peers["glibc"], None, None) is not None, good)


class Table(unittest.TestCase):
    def test_what_is_asked_for(self):
        self.assertEqual(list(startups.PROGRAMS), ["designer", "linguist", "qtcreator", "pyqt6"])
        self.assertTrue(os.path.exists(startups.SCRIPT))


if __name__ == "__main__":
    unittest.main()
