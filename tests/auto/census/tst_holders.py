# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Who holds the objects of a class in another process: a program with known parents, names, connections and threads,
on the pooled QtCore and as a whole program."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tests", "auto", "shared"))

import orders
from orders import Program

TOOL = os.environ["QPOOL_CENSUS"]
HELD = os.environ["QPOOL_HELD_OBJECTS"]
FRONT = os.environ["QPOOL_FRONT"]
# Qt 6.4 has the program's, later versions one of their own.
MAIN_THREAD = ("census_heldobjects"[:15] if os.path.exists(os.path.join(orders.RUNTIME, "libQt6Core.so.6.4.2"))
               else "Qt mainThread")


def run(*arguments):
    return orders.run(TOOL, *arguments)


class Holders(unittest.TestCase):
    def start(self, **environment):
        program = Program(HELD, **environment)
        self.addCleanup(program.end)
        return program

    def holders(self, program, name):
        result = run(program.pid, "--holders", name, "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def test_says_if_there_is_no_pool_to_count_in(self):
        program = self.start(QT_POOL_ALLOCATOR="0")
        result = run(program.pid)
        self.assertEqual(result.returncode, 0)
        self.assertIn("QT_POOL_ALLOCATOR=0", result.stderr)
        self.assertEqual(run(self.start().pid).stderr, "")

    def finds_all(self, program, name):
        found = self.holders(program, name)
        self.assertEqual(found["objects"], 30 + 7 + 4 + 16)
        self.assertEqual(found["withoutParent"], 7 + 4 + 1)
        self.assertEqual(found["deleteLater"], 4)
        self.assertEqual((found["incoming"], found["outgoing"]), (30, 60))
        self.assertEqual(found["byConnections"], {"0": 27, "1": 0, "2-3": 30, "4-7": 0, "8-15": 0, "16+": 0})
        parents = {one["class"]: one for one in found["parents"]}
        self.assertEqual(list(parents), ["QSocketNotifier", "QTimer"])
        self.assertEqual([parents["QSocketNotifier"][key] for key in ("objects", "parents", "most", "mostObjectName")],
                         [30, 6, 20, "session 0"])
        self.assertEqual([parents["QTimer"][key] for key in ("objects", "parents", "most")], [15, 15, 1])
        threads = [(one["name"], one["objects"], one["id"] == program.pid, one["id"] != 0) for one in found["threads"]]
        self.assertEqual(threads[0], (MAIN_THREAD, 46, True, True))
        self.assertIn(("the \\x1b[31mworker", 7, False, True), threads)
        self.assertIn(("", 4, False, False), threads)

        newest = found["newest"]
        self.assertEqual([one["objectName"] for one in newest],
                         [f"reply-timeout {number}" for number in range(19, 9, -1)])
        self.assertEqual([(link["class"], link["objectName"]) for link in newest[0]["parents"]],
                         [("QSocketNotifier", "session 0"), ("QObject", "sessions")])
        self.assertEqual((newest[0]["incoming"], newest[0]["outgoing"], newest[0]["deleteLater"]), (1, 2, False))
        self.assertEqual(len(found["largest"]), 10)
        self.assertEqual({one["outgoing"] for one in found["largest"]}, {2})

    def test_finds_private_parts_on_qtcore_alone(self):
        program = self.start()
        self.finds_all(program, "QTimer")
        self.finds_all(program, "QTimerPrivate")  # as a census lists them

    def test_finds_objects_of_a_whole_program(self):
        if not FRONT:
            self.skipTest("no malloc front shares QtCore's pool")
        self.finds_all(self.start(LD_PRELOAD=FRONT), "QTimer")

    def test_shows_chains_of_parents(self):
        program = self.start()
        found = self.holders(program, "QSocketNotifier")
        session = next(one for one in found["largest"] if one["objectName"] == "session 0")
        self.assertEqual((session["children"], session["outgoing"]), (20, 20))
        text = run(program.pid, "--show", "QSocketNotifier").stdout
        self.assertIn(f"objects of class QSocketNotifier in process {program.pid}\n", text)
        self.assertIn(' "session 0"  children: 20, connections in: 0, out: 20, thread ', text)
        self.assertIn('    in QObject "sessions"  0x', text)
        self.assertIn("    without a parent\n", text)

    def test_prints_text(self):
        program = self.start()
        text = run(program.pid, "--holders", "QTimer").stdout
        self.assertIn("30  in 6 of class QSocketNotifier; most, 20, in 0x", text)
        self.assertIn('"session 0"', text)
        self.assertIn("12  without a parent", text)
        self.assertIn("waiting for deleteLater: 4\n", text)
        self.assertIn('"the \\x1b[31mworker"', text)
        self.assertIn("a thread that does not run", text)

    def test_refuses_what_it_cannot_find(self):
        program = self.start()
        for part, *arguments in (("no object of class QTimr", program.pid, "--holders", "QTimr"),
                                 ("only --json goes with them", program.pid, "--holders", "A", "--watch", "1"),
                                 ("exclude each other", program.pid, "--holders", "A", "--show", "A"),
                                 ("need the name of a class", program.pid, "--show", ""),
                                 ("has no QtCore with a pool", os.getpid(), "--show", "QTimer")):
            orders.refuses(self, TOOL, part, *arguments)


if __name__ == "__main__":
    unittest.main(verbosity=2)
