# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Fake suites, for the tests of the runner."""

import contextlib
import io
import os
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", "conformance"))

import qpoolconformance
import run


# A suite of three functions, one of them with two data rows. The script `behaviour` in QtCore's folder
# defines what differs on that QtCore. It may use the number of runs on that QtCore.
PROGRAM = """#!/bin/sh
core=${LD_LIBRARY_PATH}
[ "$1" = -functions ] && { echo "rows()"; echo "last()"; exit; }
alone=
while [ $# -gt 0 ]; do
    case $1 in *,xml) out=${1%,xml} ;; rows|last) alone=$alone$1 ;; esac
    shift
done
echo run >>"$core/runs"
runs=$(wc -l <"$core/runs")
first=pass second=pass skipped=skip stuck= end= said=
. "$core/behaviour"
exec 3>"$out"
cat >&3 <<XML
<?xml version="1.0" encoding="UTF-8"?>
<TestCase name="tst_Fake">
<TestFunction name="initTestCase"><Incident type="pass" file="" line="0" /></TestFunction>
XML
if [ "$alone" != last ]; then
    echo '<TestFunction name="rows">' >&3
    [ "$stuck" ] && eval "$stuck"
    cat >&3 <<XML
<Incident type="$first" file="/some/tst_fake.cpp" line="7"><DataTag><![CDATA[first]]></DataTag>$said</Incident>
<Incident type="xfail" file="" line="0"><DataTag><![CDATA[second]]></DataTag></Incident>
<Incident type="$second" file="" line="0"><DataTag><![CDATA[second]]></DataTag></Incident>
</TestFunction>
XML
fi
echo '<TestFunction name="last">' >&3
[ "$end" ] && { echo "about to end"; eval "$end"; }
cat >&3 <<XML
<Incident type="$skipped" file="" line="0" />
</TestFunction>
</TestCase>
XML
[ $first = pass ]
"""


class Fixture(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for core in ("stock", "pooled"):
            os.mkdir(self.path(core))
            self.behave(core, "")
        # Another test tests this check, which asks the dynamic linker.
        patch = mock.patch.object(run, "wrong_library", lambda *_: "")
        patch.start()
        self.addCleanup(patch.stop)
        self.write("suites.txt", "# comment\n\nfake some/folder - -\n")
        self.make_programs("programs", ["fake"])

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def behave(self, core, script):
        self.write(os.path.join(core, "behaviour"), script + "\n")

    def make_programs(self, folder, names):
        os.makedirs(self.path(folder), exist_ok=True)
        rows = []
        for name in names:
            program = self.path(folder, name)
            self.write(program, PROGRAM)
            os.chmod(program, stat.S_IRWXU)
            rows.append(f"{name}\t{program}\t{self.folder}\n")
        self.write(os.path.join(folder, "suites.tsv"), "".join(rows))

    def conform(self, *arguments):
        """Call the runner, and return its exit code and its output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = qpoolconformance.main([
                "--list", self.path("suites.txt"), "--qt", "6.4.2",
                "--stock", self.path("stock", "libQt6Core.so.6"),
                "--pooled", self.path("pooled", "libQt6Core.so.6"),
                "--programs", self.path("programs"), "--hunt", "0", *arguments])
        return code, output.getvalue()

    def runs_of(self, core):
        with open(self.path(core, "runs"), encoding="utf-8") as file:
            return len(file.readlines())
