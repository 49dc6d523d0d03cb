# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests how the runner of ./qpool test --conformance runs fake suites, and reads their results."""

import json
import os
import stat
import tempfile
import unittest
from unittest import mock

from pretendedsuites import Fixture

import documents
import qpoolconformance
import qtestxml
import run
import suites


class Jobs(unittest.TestCase):
    def test_as_many_as_there_are_processors_to_use(self):
        arguments = ["--list", "l", "--qt", "6.4.2", "--stock", "s", "--pooled", "p", "--programs", "r"]
        allowed = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, allowed)
        self.assertEqual(qpoolconformance.parse_arguments(arguments).jobs, len(allowed))
        os.sched_setaffinity(0, {min(allowed)})  # as taskset does
        self.assertEqual(qpoolconformance.parse_arguments(arguments).jobs, 1)
        self.assertEqual(qpoolconformance.parse_arguments([*arguments, "--jobs", "3"]).jobs, 3)


class Modes(Fixture):
    def test_full(self):
        self.make_programs("full", ["fake"])
        code, output = self.conform("--full-programs", self.path("full"))
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"stock +drop-in +full\n")
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +3 +0 +1 +yes\n")

    def test_whole(self):
        """The programs are the same. The front precedes the libraries that are preloaded already."""
        for core in ("stock", "pooled"):
            self.behave(core, 'echo "$LD_PRELOAD" >>"$core/preloaded"')
        with mock.patch.dict(os.environ, {"LD_PRELOAD": "libc.so.6"}):
            code, output = self.conform("--front", "relative/libqpool-malloc.so.1")
        self.assertEqual(code, 0, output)
        self.assertRegex(output, r"stock +drop-in +whole\n")
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +3 +0 +1 +yes\n")
        front = os.path.join(os.getcwd(), "relative", "libqpool-malloc.so.1")
        for core, expected in (("stock", ["libc.so.6"]),
                               ("pooled", ["libc.so.6", f"{front}:libc.so.6"])):
            with open(self.path(core, "preloaded"), encoding="utf-8") as file:
                self.assertEqual(file.read().splitlines(), expected)

    def test_what_differs_with_the_front_alone(self):
        self.behave("pooled", 'case $LD_PRELOAD in *front*) first=fail ;; esac')
        code, output = self.conform("--front", "/front.so")
        self.assertEqual(code, 1, output)
        self.assertRegex(output, r"\nfake +3 +0 +1 +3 +0 +1 +yes +2 +1 +1 +NO\n")

    def test_emulator(self):
        for core in ("stock", "pooled"):
            self.behave(core, 'echo "$EMULATED" >>"$core/emulated"')
        code, output = self.conform("--emulator=env;EMULATED=yes")
        self.assertEqual(code, 0, output)
        for core in ("stock", "pooled"):
            with open(self.path(core, "emulated"), encoding="utf-8") as file:
                self.assertEqual(file.read(), "yes\n")

    def test_plugins(self):
        """Of the build that is exchanged; the pooled Qt knows its own."""
        self.make_programs("full", ["fake"])
        os.mkdir(self.path("whole"))
        for core in ("stock", "pooled", "whole"):
            self.behave(core, 'echo "$QT_PLUGIN_PATH" >"$core/plugins"')
        with mock.patch.dict(os.environ):
            os.environ.pop("QT_PLUGIN_PATH", None)
            code, output = self.conform("--plugins", self.path("plugins"), "--full-programs", self.path("full"),
                                        "--full-pooled", self.path("whole", "libQt6Core.so.6"))
        self.assertEqual(code, 0, output)
        for core, expected in (("stock", self.path("plugins")), ("pooled", self.path("plugins")), ("whole", "")):
            with open(self.path(core, "plugins"), encoding="utf-8") as file:
                self.assertEqual(file.read(), expected + "\n")

    def test_document(self):
        folder = self.path("results", "0.1.0")
        os.mkdir(self.path("results"))
        code, output = self.conform("--doc", folder, "--command", "./qpool that")
        self.assertEqual(code, 0, output)
        with open(os.path.join(folder, "conformance-6.4.2.txt"), encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("./qpool that: exit code 0, "), text)
        self.assertRegex(text, r"\nfake +3 +0 +1 +3 +0 +1 +yes\n")

    def test_document_without_a_place_for_results(self):
        with self.assertRaises(documents.DocumentError):
            self.conform("--doc", self.path("none", "0.1.0"))
        self.assertFalse(os.path.exists(self.path("stock", "runs")))

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
        # The suite was not built, although the modules that it needs were.
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
    def check(self, listing, complete=False, front=""):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("libQt6Core.so.6", "libQt6Network.so.6"):
                for sub in ("ours", "other"):
                    os.makedirs(os.path.join(folder, sub), exist_ok=True)
                    open(os.path.join(folder, sub, name), "w", encoding="utf-8").close()
            ldd = os.path.join(folder, "ldd")
            with open(ldd, "w", encoding="utf-8") as file:
                file.write("#!/bin/sh\ncat <<'EOF'\n" + listing.replace("FOLDER", folder) + "EOF\n")
            os.chmod(ldd, stat.S_IRWXU)
            mode = run.Mode("x", {}, os.path.join(folder, "ours", "libQt6Core.so.6"), complete,
                            front=front)
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
        self.assertRegex(self.check(self.core + self.network, complete=True), "Network.*not of the")

    def test_whole_program_wants_the_front(self):
        front = "/somewhere/libqpool-malloc.so.1"
        self.assertRegex(self.check(self.core, front=front), f"would run without {front}")
        self.assertEqual(self.check(f"\t{front} (0x1)\n" + self.core, front=front), "")


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
