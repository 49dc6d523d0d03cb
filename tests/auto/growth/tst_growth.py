# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The stories of doc/growth.md: the commands of each, on its program, find what grows, who holds it and the line of
code. Samples are taken more often than in the document, so that they never miss."""

import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["QPOOL_ROOT"]
sys.path.insert(0, os.path.join(ROOT, "tests", "auto", "shared"))

import orders
from orders import Program

PROGRAMS = os.environ["QPOOL_GROWTH_PROGRAMS"]
WITH_QML = os.environ["QPOOL_GROWTH_WITH_QML"] == "yes"
CENSUS = os.environ["QPOOL_CENSUS"]
HEAP = os.environ["QPOOL_HEAP"]
MEMORY = os.environ["QPOOL_MEMORY"]
FRONT = os.environ["QPOOL_FRONT"]
GDB = os.environ["QPOOL_GDB"]
TRACE = os.path.join(ROOT, "tools", "trace", "qpooltrace.py")
MEBIBYTE = 1 << 20

# The engine is the first member of what gdb stops in.
SCRIPT_STACK = 'printf "%s\\n", ((char *(*)(void *))qt_v4StackTraceForEngine)(*(void **)$rdi)'


def line_of(program, text):
    """The number of the only line of a program's source with this text."""
    with open(os.path.join(ROOT, "examples", "growth", program + ".cpp"), encoding="utf-8") as file:
        found = [number for number, line in enumerate(file, 1) if text in line]
    if len(found) != 1:
        raise AssertionError(f"{text} is in the lines {found}")
    return found[0]


class Growth(unittest.TestCase):
    def setUp(self):
        if not FRONT:
            self.skipTest("no malloc front shares QtCore's pool")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.mark = os.path.join(folder.name, "before.json")

    def start(self, name):
        """The program, after it has created what it creates only once; with a mark."""
        program = Program(os.path.join(PROGRAMS, name), LD_PRELOAD=FRONT, QT_POOL_ALLOCATOR="monitor,heap=16384")
        self.addCleanup(program.end)
        program.order("")
        with open(self.mark, "w", encoding="utf-8") as file:
            file.write(self.run_tool(CENSUS, program, "--json"))
        return program

    def run_tool(self, tool, program, *arguments):
        result = orders.run(tool, program.pid, *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def growth(self, program):
        """What grew since the mark, by class: the count and the bytes in all domains."""
        grown = {}
        for one in json.loads(self.run_tool(CENSUS, program, "--since", self.mark, "--json"))["classes"]:
            count, size = grown.get(one["class"], (0, 0))
            grown[one["class"]] = count + one["countGrowth"], size + one["bytesGrowth"]
        return grown

    def memory(self, program):
        return json.loads(self.run_tool(MEMORY, program, "--json"))

    def grows(self, program, name, count):
        """The census misses blocks that are sampled, one in 16 KiB, and may have a batch that another thread freed."""
        grown = self.growth(program)
        self.assertIn(name, grown)
        self.assertTrue(0.97 * count - 5 <= grown[name][0] <= count + 100, grown)
        return grown

    def test_finds_the_timers_that_their_parent_keeps(self):
        program = self.start("leakedtimer")
        program.order("")
        self.grows(program, "QTimer", 10000)

        text = self.run_tool(CENSUS, program, "--holders", "QTimer")
        self.assertRegex(text, r'\d  in 1 of class Session; most, [\d,]+, in 0x[0-9a-f]+ "printer"\n')
        self.assertIn("waiting for deleteLater: 0\n", text)
        self.assertIn('"reply-timeout"', self.run_tool(CENSUS, program, "--show", "QTimer"))
        text = self.run_tool(HEAP, program)
        line = line_of("leakedtimer", "new QTimer(this)")
        self.assertRegex(text, rf"QTimer::QTimer .*< Session::send \(leakedtimer\.cpp:{line}\)")
        # The frame of connect() itself is in the program, or not, by the version of Qt.
        self.assertRegex(text, r"QObjectPrivate::connectImpl .*< (Session::send \(leakedtimer\.cpp:\d+\)|.*Session::send)")

    def test_finds_who_posts_faster_than_is_handled(self):
        program = self.start("queuedevents")
        program.order("")
        grown = self.grows(program, "QMetaCallEvent", 9000)
        # The larger share has no class, and is what the events carry.
        self.assertGreater(grown["(no class)"][1], grown["QMetaCallEvent"][1])

        text = self.run_tool(HEAP, program)
        lines = {int(number) for number in re.findall(r"Sensor::sample \(queuedevents\.cpp:(\d+)\)", text)}
        self.assertIn(line_of("queuedevents", "const QByteArray values"), lines, text)
        self.assertIn("{QMetaCallEvent}", text)
        self.assertNotIn("_Z", text)
        orders.refuses(self, CENSUS, "only QObjects are found", program.pid, "--holders", "QMetaCallEvent")

    def test_names_the_thread_that_does_not_keep_up(self):
        result = subprocess.run([sys.executable, "-B", TRACE, f"--libraries={orders.RUNTIME}", f"--preload={FRONT}",
                                 "--summary", "--", os.path.join(PROGRAMS, "queuedevents")],
                                env={**os.environ, "QT_POOL_ALLOCATOR": "monitor,latency"},
                                input="\n", capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"(?m)^Recorder +Sensor::sample\(\)::\S+ +recorder +[1-9]")

    @unittest.skipUnless(WITH_QML, "no QML for this QtCore")
    def test_finds_the_script_that_fills_an_array(self):
        program = self.start("growingarray")
        before = self.memory(program)
        program.order("")
        program.order("")
        after = self.memory(program)
        grown = {key: after["owners"][key] - before["owners"][key] for key in after["owners"]}
        self.assertGreater(grown["script.heap"], 10e6)
        self.assertEqual(after["notResident"]["scriptCopies"], 0)
        self.assertLess(grown["pool.heap"], MEBIBYTE)
        # No class says it.
        self.assertTrue(all(count < 1000 for count, _ in self.growth(program).values()), self.growth(program))

        if not GDB or platform.machine() != "x86_64":
            self.skipTest("there is no gdb, or another processor")
        with subprocess.Popen([GDB, "-nx", "-p", str(program.pid), "-batch", "-ex", "break QV4::MemoryManager::runGC",
                               "-ex", "continue", "-ex", SCRIPT_STACK],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True) as gdb:
            output = ""
            for line in gdb.stdout:
                output += line
                if line.startswith("Breakpoint 1 at"):
                    program.process.stdin.write("\n" * 10)  # the heap doubles, so it is collected
                    program.process.stdin.flush()
        # gdb 13 does not know all registers of processors with AMX.
        if "Couldn't write extended state status" in output:
            self.skipTest("this gdb cannot call functions on this processor")
        first = line_of("growingarray", "static const char Log[]")
        line = line_of("growingarray", "entries.push") - first + 1
        self.assertRegex(output, rf'func="append",file="[^"]*Log\.qml",.*line="{line}"')

    @unittest.skipUnless(WITH_QML, "no QML for this QtCore")
    def test_finds_what_makes_all_delegates(self):
        program = self.start("growingdelegates")
        program.order("")
        self.grows(program, "QQmlPrivate::QQmlElement<QQuickText>", 2000)
        text = self.run_tool(CENSUS, program, "--holders", "QQuickText")
        self.assertRegex(text,
                         r'\d  in [\d,]+ of class QQmlPrivate::QQmlElement<QQuickRow>; most, 2, in \w+ "bubble"\n')
        # The view owns them, and is no parent.
        self.assertRegex(self.run_tool(CENSUS, program, "--holders", "QQuickRow"), r"\d  without a parent\n")
        stacks = self.run_tool(HEAP, program, "--folded").splitlines()
        self.assertTrue(any(";QQuickRepeater::modelUpdated;" in stack and ";QQuickText::QQuickText" in stack
                            for stack in stacks), stacks)

    @unittest.skipUnless(WITH_QML, "no QML for this QtCore")
    def test_finds_the_images_and_who_made_them(self):
        program = self.start("growingimages")
        before = self.memory(program)["owners"]
        program.order("")
        after = self.memory(program)["owners"]
        self.assertAlmostEqual(after["pool.heap"] - before["pool.heap"], 40 * MEBIBYTE, delta=4.5 * MEBIBYTE)
        # The census sees the images' objects, not their pixels.
        grown = self.grows(program, "QQmlPrivate::QQmlElement<QQuickImage>", 10)
        self.assertLess(sum(size for _, size in grown.values()), MEBIBYTE)

        first = self.run_tool(HEAP, program).splitlines()[3]
        self.assertRegex(first, r"QImageData::create .*< Photos::requestImage \(growingimages\.cpp:{}\)".format(
            line_of("growingimages", "QImage photo(")))
        self.assertRegex(self.run_tool(CENSUS, program, "--holders", "QQuickImage"),
                         r'\d  in 1 of class QQmlPrivate::QQmlElement<QQuickItem>; most, \d+, in \w+ "show"\n')


if __name__ == "__main__":
    unittest.main(verbosity=2)
