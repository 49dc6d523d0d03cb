# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The runner of ./qpool test --conformance, with programs that only pretend to be suites."""

import contextlib
import io
import json
import os
import select
import stat
import sys
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", "conformance"))

import qpoolconformance
import qtestxml
import run
import suites

# A suite of three functions, one of them with two data rows. $QtCore/behaviour, a script, says
# what is different on that QtCore; it sees how often the program has run there.
PROGRAM = """#!/bin/sh
core=${LD_LIBRARY_PATH}
while [ $# -gt 0 ]; do
    case $1 in *,xml) out=${1%,xml} ;; rows) alone=yes ;; esac
    shift
done
echo run >>"$core/runs"
runs=$(wc -l <"$core/runs")
first=pass second=pass skipped=skip end= said=
. "$core/behaviour"
exec 3>"$out"
cat >&3 <<XML
<?xml version="1.0" encoding="UTF-8"?>
<TestCase name="tst_Fake">
<TestFunction name="initTestCase"><Incident type="pass" file="" line="0" /></TestFunction>
<TestFunction name="rows">
<Incident type="$first" file="/some/tst_fake.cpp" line="7"><DataTag><![CDATA[first]]></DataTag>$said</Incident>
<Incident type="xfail" file="" line="0"><DataTag><![CDATA[second]]></DataTag></Incident>
<Incident type="$second" file="" line="0"><DataTag><![CDATA[second]]></DataTag></Incident>
</TestFunction>
<TestFunction name="last">
XML
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
        # What is found by the dynamic linker is tested apart.
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
        """The runner's exit code and what it printed."""
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


class Comparison(Fixture):
    def test_same(self):
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"suite +passed +failed +skipped +passed +failed +skipped +same\n")
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes\n")
        self.assertIn("drop-in: 1 of 1 suites the same as on stock", output)
        self.assertEqual(self.runs_of("pooled"), 1)

    def test_same_failure_is_the_same(self):
        for core in ("stock", "pooled"):
            self.behave(core, "first=fail")
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\nfake +2 +1 +1 +2 +1 +1 +yes\n")

    def test_difference_is_named_and_fails(self):
        self.behave("pooled", "second=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +3 +0 +1 +2 +1 +1 +NO\n")
        self.assertIn("fake, drop-in: rows(second) differs in 4 runs: on stock xfail pass; "
                      "here xfail fail", output)
        self.assertNotIn("rows(first)", output)
        self.assertIn("drop-in: 0 of 1 suites", output)

    def test_what_was_said_of_a_difference(self):
        self.behave("pooled", "first=fail said='<Description><![CDATA[1 is\n not 2]]></Description>'")
        _, output = self.conform()
        self.assertIn("\n    tst_fake.cpp:7: 1 is not 2\n", output)

    def test_equal_counts_do_not_hide_a_difference(self):
        self.behave("stock", "first=fail")
        self.behave("pooled", "second=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +2 +1 +1 +2 +1 +1 +NO\n")
        self.assertIn("rows(first)", output)
        self.assertIn("rows(second)", output)

    def test_a_skip_instead_of_a_pass_is_a_difference(self):
        self.behave("stock", "skipped=pass")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("last() differs", output)

    def test_passing_more_is_a_difference(self):
        self.behave("stock", "first=fail")
        code, _ = self.conform()
        self.assertEqual(code, 1)


class Flakiness(Fixture):
    def test_what_varies_on_stock_is_flaky(self):
        self.behave("stock", "[ $runs = 1 ] || first=fail")
        self.behave("pooled", "first=fail")
        code, output = self.conform()
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\nfake .* flaky\n")
        self.assertIn("rows(first) varies on stock, in 2 runs: on stock fail, pass; here fail",
                      output)
        self.assertIn("(1 of them flaky there, too)", output)

    def test_what_varies_here_alone_is_a_difference(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("here fail, pass", output)
        # Stock had the chance to vary, too.
        self.assertEqual(self.runs_of("stock"), self.runs_of("pooled"))
        self.assertGreater(self.runs_of("stock"), 4)


    def test_what_is_rare_is_looked_for_on_stock(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        self.behave("stock", '[ "$alone" ] && [ $runs -gt 20 ] && first=fail')
        code, output = self.conform("--hunt", "100")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"rows\(first\) varies on stock, in 11 runs and \d+ by itself: "
                                 "on stock fail, pass; here fail, pass")

    def test_what_is_not_met_on_stock_stays_a_difference(self):
        self.behave("pooled", "[ $runs = 1 ] && first=fail")
        # A thing of its own that varies there.
        self.behave("stock", '[ "$alone" ] && second=fail')
        code, output = self.conform("--hunt", "1")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"rows\(first\) differs in 11 runs, and [1-9]\d* by itself on stock")
        self.assertGreater(self.runs_of("stock"), self.runs_of("pooled"))

    def test_what_always_differs_is_not_looked_for(self):
        self.behave("pooled", "first=fail")
        self.conform("--hunt", "100")
        self.assertEqual(self.runs_of("stock"), self.runs_of("pooled"))


class Endings(Fixture):
    def test_crash_is_a_failed_row(self):
        self.behave("pooled", "end='kill -SEGV $$'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +0 +NO\n")
        self.assertIn("the suite differs in 4 runs: on stock ended well; "
                      "here crashed (SIGSEGV) in last()", output)
        self.assertIn("about to end", output)

    def test_crash_on_both_sides_is_a_failed_row(self):
        for core in ("stock", "pooled"):
            self.behave(core, "end='kill -ABRT $$'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("crashed (SIGABRT)", output)

    def test_timeout_is_a_failed_row_and_leaves_no_process(self):
        # A child that lives on would keep the pipe open.
        os.mkfifo(self.path("pipe"))
        self.behave("pooled", f"end='sleep 60 >{self.path('pipe')} & wait'")
        pipe = os.open(self.path("pipe"), os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, pipe)
        code, output = self.conform("--timeout", "1")
        self.assertEqual(code, 1)
        self.assertIn("timed out after 1 s in last()", output)
        end = select.poll()
        end.register(pipe, 0)
        self.assertEqual([event for _, event in end.poll(30000)], [select.POLLHUP])

    def test_early_exit_is_a_failed_row(self):
        self.behave("pooled", "end='exit 0'")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertIn("ended early (exit code 0) in last()", output)

    def test_suite_that_was_not_built_is_a_failed_row(self):
        self.write("suites.txt", "fake some/folder - -\nabsent other/folder - -\n")
        code, output = self.conform()
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nabsent +0 +0 +0 +0 +0 +0 +NO\n")
        self.assertIn("was not built", output)
        self.assertIn("drop-in: 1 of 2 suites", output)

    def test_no_build_at_all(self):
        os.remove(self.path("programs", "suites.tsv"))
        with self.assertRaisesRegex(suites.ConformanceError, "no suites are built"):
            self.conform()


class Modes(Fixture):
    def test_full(self):
        self.make_programs("full", ["fake"])
        code, output = self.conform("--full-programs", self.path("full"))
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"stock +drop-in +full\n")
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +3 +0 +1 +yes\n")

    def test_full_may_have_a_library_of_its_own(self):
        self.make_programs("full", ["fake"])
        os.mkdir(self.path("whole"))
        self.behave("whole", "second=fail")
        code, output = self.conform("--full-programs", self.path("full"), "--full-pooled",
                                    self.path("whole", "libQt6Core.so.6"))
        self.assertEqual(code, 1)
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +2 +1 +1 +NO\n")

    def test_left_out_for_want_of_a_module(self):
        self.write("suites.txt", "fake some/folder Gui,Widgets -\n")
        self.make_programs("full", [])
        full = ("--full-programs", self.path("full"))
        code, output = self.conform(*full, "--full-without", "Gui,Sql")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +- +- +- +-\n")
        self.assertIn("fake, full: left out: built without QtGui", output)
        self.assertIn("full: 0 of 1 suites the same as on stock; 1 left out", output)
        # Not built though all it needs was.
        code, output = self.conform(*full, "--full-without", "Sql")
        self.assertEqual(code, 1, output)

    def test_left_out_of_all(self):
        self.write("suites.txt", "fake some/folder - -\ngui other/folder Gui -\n")
        code, output = self.conform("--without", "Gui")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"\ngui +- +- +- +- +- +- +-\n")
        self.assertIn("drop-in: 1 of 2 suites the same as on stock; 1 left out", output)

    def test_json(self):
        self.behave("pooled", "second=fail")
        code, _ = self.conform("--json", self.path("out.json"))
        self.assertEqual(code, 1)
        with open(self.path("out.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual(result["qt"], "6.4.2")
        entry = result["suites"][0]["modes"]["drop-in"]
        self.assertEqual((entry["passed"], entry["failed"], entry["same"]), (2, 1, False))
        self.assertEqual(entry["differences"][0]["function"], "rows")
        self.assertEqual(entry["differences"][0]["tag"], "second")

    def test_only_some(self):
        self.write("suites.txt", "fake some/folder - -\nother other/folder - serial\n")
        self.make_programs("programs", ["fake", "other"])
        _, output = self.conform("--suites", "^oth")
        self.assertNotIn("fake", output)
        _, output = self.conform()
        self.assertLess(output.index("fake: "), output.index("other: "))
        with self.assertRaisesRegex(suites.ConformanceError, "no suite's name matches"):
            self.conform("--suites", "nothing")

    def test_versions(self):
        new = suites.Suite("new", [], ["since6.8"])
        self.assertEqual([new.exists_in(version) for version in ("6.4.2", "6.8.0", "6.11.2")],
                         [False, True, True])


class Surroundings(Fixture):
    def test_session_is_kept_out(self):
        self.behave("pooled", 'env >"$core/environment"')
        with mock.patch.dict(os.environ, {"DISPLAY": ":1", "XDG_DATA_HOME": "/x", "QT_NO_GLIB": "1",
                                          "DBUS_SESSION_BUS_ADDRESS": "x"}):
            self.conform()
        with open(self.path("pooled", "environment"), encoding="utf-8") as file:
            environment = dict(line.rstrip("\n").split("=", 1) for line in file if "=" in line)
        for name in ("DISPLAY", "XDG_DATA_HOME", "DBUS_SESSION_BUS_ADDRESS"):
            self.assertNotIn(name, environment)
        self.assertEqual(environment["QT_NO_GLIB"], "1")
        self.assertEqual(environment["QT_QPA_PLATFORM"], "offscreen")
        self.assertRegex(environment["HOME"], "qpool-suite-")
        self.assertFalse(os.path.exists(environment["HOME"]))

    def test_platform_plugins_of_another_version(self):
        self.make_programs("full", ["fake"])
        os.mkdir(self.path("whole"))
        for core in ("stock", "pooled", "whole"):
            self.behave(core, 'env >"$core/environment"')
        self.conform("--platforms", self.path("platforms"), "--full-programs", self.path("full"),
                     "--full-pooled", self.path("whole", "libQt6Core.so.6"))

        def seen(core):
            with open(self.path(core, "environment"), encoding="utf-8") as file:
                return f"QT_QPA_PLATFORM_PLUGIN_PATH={self.path('platforms')}\n" in file.readlines()

        # A whole Qt knows where its plugins are.
        self.assertEqual([seen(core) for core in ("stock", "pooled", "whole")],
                         [True, True, False])

    def test_suite_in_another_folder_finds_the_library(self):
        mode = run.Mode("x", {}, os.path.join("relative", "libQt6Core.so.6"))
        self.assertEqual(run.environment_for(mode, self.folder)["LD_LIBRARY_PATH"],
                         os.path.join(os.getcwd(), "relative"))

    def test_list(self):
        path = os.path.join(os.environ["QPOOL_ROOT"], "tests", "conformance", "suites.txt")
        listed = suites.read_suites(path)
        self.assertEqual(len({suite.name for suite in listed}), len(listed))
        self.assertEqual(sum("telling" in suite.remarks for suite in listed), 10)
        for suite in listed:
            self.assertRegex(suite.name, "^[a-z]")


class LibraryCheck(unittest.TestCase):
    def check(self, listing, whole=False):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libQt6Core.so.6", "libQt6Network.so.6"):
                for sub in ("ours", "other"):
                    os.makedirs(os.path.join(folder, sub), exist_ok=True)
                    open(os.path.join(folder, sub, name), "w", encoding="utf-8").close()
            ldd = os.path.join(folder, "ldd")
            with open(ldd, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\ncat <<'EOF'\n" + listing.replace("FOLDER", folder) + "EOF\n")
            os.chmod(ldd, stat.S_IRWXU)
            mode = run.Mode("x", {}, os.path.join(folder, "ours", "libQt6Core.so.6"), whole)
            environment = {"PATH": folder + ":" + os.environ["PATH"]}
            with mock.patch.dict(os.environ, environment):
                return run.wrong_library(mode, "/program", environment)

    core = "\tlibQt6Core.so.6 => FOLDER/ours/libQt6Core.so.6 (0x1)\n"
    network = "\tlibQt6Network.so.6 => FOLDER/other/libQt6Network.so.6 (0x1)\n"

    def test_right(self):
        self.assertEqual(self.check(self.core + self.network), "")

    def test_wrong_core(self):
        self.assertRegex(self.check(self.core.replace("ours", "other")), "would run on .*other")

    def test_no_core(self):
        self.assertIn("no QtCore", self.check("\tnot a dynamic executable\n"))

    def test_full_mode_wants_all_of_qt(self):
        self.assertRegex(self.check(self.core + self.network, whole=True), "Network.*not of the")


class Parsing(unittest.TestCase):
    def parse(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            return qtestxml.read_outcomes(file.name)

    def test_tags_and_old_skips(self):
        outcomes, broken = self.parse(
            '<TestCase name="x"><TestFunction name="f">'
            '<Message type="skip" file="" line="1"><Description>no</Description></Message>'
            '<Incident type="pass"><GlobalDataTag>g</GlobalDataTag><DataTag>t</DataTag></Incident>'
            '<Message type="qdebug"><Description>d</Description></Message>'
            '</TestFunction></TestCase>')
        self.assertIsNone(broken)
        self.assertEqual(outcomes, {("f", ""): "skip", ("f", "g:t"): "pass"})

    def test_same_tag_twice(self):
        outcomes, _ = self.parse('<TestCase name="x"><TestFunction name="f">'
                                 + '<Incident type="pass" />' * 2 + '</TestFunction></TestCase>')
        self.assertEqual(outcomes.counts()["passed"], 2)

    def test_counted_as_qtest_counts(self):
        outcomes = qtestxml.Outcomes()
        for tag, outcome in enumerate(("pass", "xfail", "xpass", "fail", "skip", "bfail", "bpass")):
            outcomes.add("f", str(tag), outcome)
        self.assertEqual(outcomes.counts(), {"passed": 1, "failed": 2, "skipped": 3})

    def test_what_comes_before_damage_counts(self):
        outcomes, broken = self.parse('<TestCase name="x">\n<TestFunction name="f">\n'
                                      '<Incident type="pass" />\n</TestFunction>\n'
                                      '<TestFunction name="g">\n<Incident \x01 nonsense')
        self.assertEqual(outcomes, {("f", ""): "pass"})
        self.assertEqual(broken, "g")

    def test_nothing_written(self):
        self.assertEqual(qtestxml.read_outcomes("/nonexistent"), ({}, ""))


if __name__ == "__main__":
    unittest.main()
