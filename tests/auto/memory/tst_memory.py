# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Another process's memory by owner: a program takes a known amount from each owner, at the test's order, and the
command must show it there, and nowhere else. The amounts are large against what the orders themselves take: the
tolerance is 5 %, and 256 KiB."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tests", "auto", "shared"))

import orders
from orders import Program

TOOL = os.environ["QPOOL_MEMORY"]
OWNERS = os.environ["QPOOL_MEMORY_OWNERS"]
FRONT = os.environ["QPOOL_FRONT"]
MEBIBYTE = 1 << 20
SPARE = 256 * 1024


def run(*arguments, prefix=()):
    return orders.run(TOOL, *arguments, prefix=prefix)


def read(pid):
    """The memory of a process that sleeps: the system reports the same before and after."""
    while True:
        before = reported(pid)
        result = run(pid, "--json")
        if result.returncode != 0:
            raise AssertionError(result.stderr)
        if reported(pid) == before:
            return before, json.loads(result.stdout)


def reported(pid):
    """What the system reports as Rss."""
    with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
        return sum(int(line.split()[1]) * 1024 for line in file if line.startswith("Rss:"))


class Memory(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.chmod(folder.name, 0o755)
        self.folder = folder.name

    def start(self, **environment):
        program = Program(OWNERS, QPOOL_MEMORY_FOLDER=self.folder, **environment)
        self.addCleanup(program.end)
        return program

    def take(self, program, order):
        """The growth of each owner, and of what is not resident, by an order."""
        _, before = read(program.pid)
        program.order(order)
        resident, after = read(program.pid)
        self.assertEqual(after["resident"], resident, order)
        self.assertEqual(after["resident"], sum(after["owners"].values()), order)
        grown = {key: after["owners"][key] - before["owners"][key] for key in after["owners"]}
        hidden = {key: after["notResident"][key] - before["notResident"][key] for key in after["notResident"]}
        return grown, hidden, after

    def grows(self, program, order, size, *owners):
        """These owners grow by so much together, and no other grows."""
        grown, hidden, after = self.take(program, order)
        spare = SPARE + size // 20
        self.assertAlmostEqual(sum(grown[key] for key in owners), size, delta=spare, msg=f"{order}: {grown}")
        # What other programs map decides which files are the process's own.
        if not {"files.own", "files.shared"} & set(owners):
            grown["files.shared"] += grown.pop("files.own")
        others = {key: grown[key] for key in grown if key not in owners and abs(grown[key]) > spare}
        self.assertEqual(others, {}, order)
        return hidden, after

    def takes_from_each_owner(self, program, *heap):
        self.grows(program, "large 16", 16 * MEBIBYTE, *heap)
        self.grows(program, "stack 4", 4 * MEBIBYTE, "stacks")
        self.grows(program, "code 4", 4 * MEBIBYTE, "code")
        self.grows(program, "file 8", 8 * MEBIBYTE, "files.own", "files.shared")
        self.grows(program, "changed 8", 8 * MEBIBYTE, "files.changed")
        hidden, after = self.grows(program, "shared 8", 8 * MEBIBYTE, "sharedMemory")
        self.assertAlmostEqual(hidden["sharedFiles"], 0, delta=SPARE)
        for owner in ("pool.event", "pool.object", "pool.private", "pool.heap", "pool.free"):
            self.assertEqual(sum(part["bytes"] for part in after["parts"] if part["owner"] == owner),
                             after["owners"][owner], owner)
        self.assertIn(r"/memfd:owners\012\x1b[31m (deleted)",
                      [part["name"] for part in after["parts"]])
        hidden, _ = self.grows(program, "open 8", 0)
        self.assertAlmostEqual(hidden["sharedFiles"], 8 * MEBIBYTE, delta=SPARE)

    def keeps_a_second_copy_of_the_script_heap(self, program):
        # An object with two properties takes two units of 32 bytes, and the array eight bytes for each.
        grown, _, after = self.take(program, "script 200000")
        self.assertTrue(12e6 <= grown["script.heap"] <= 24e6, grown)
        copies = after["notResident"]["scriptCopies"]
        shown = after["owners"]["script.heap"] + after["owners"]["script.stack"]
        self.assertAlmostEqual(copies, shown, delta=0.1 * copies)
        grown, _, after = self.take(program, "collect 1")
        self.assertLess(grown["script.heap"], -10e6)
        # The collector unmaps the chunks of 4 MiB that are empty, and empties the others.
        if "scriptCopies" not in after["atLeast"]:
            shown = after["owners"]["script.heap"] + after["owners"]["script.stack"]
            self.assertGreater(after["notResident"]["scriptCopies"] - shown, copies / 2)

    def runs_scripts(self, files, **environment):
        """In a whole program, with or without QtQml's files in memory. Returns the size of the code made for them."""
        if files:
            environment["QT_POOL_ALLOCATOR_QML"] = "0"
        program = self.start(LD_PRELOAD=FRONT, QT_POOL_ALLOCATOR="monitor", **environment)
        grown, _, after = self.take(program, "script 800000")
        program.order("check 800000")
        code = read(program.pid)[1]["owners"]["code"]
        self.assertTrue(800000 * 64 <= grown["script.heap"] <= 800000 * 88, grown)
        with open(f"/proc/{program.pid}/maps", encoding="utf-8") as maps:
            self.assertEqual("QtQml (deleted)" in maps.read(), files)
        copies = after["notResident"]["scriptCopies"]
        if files:
            self.assertAlmostEqual(copies, after["owners"]["script.heap"], delta=0.1 * copies)
        else:
            self.assertEqual(copies, 0)
        grown, _, after = self.take(program, "collect 1")
        self.assertLess(grown["script.heap"], -48e6)
        if not files:
            self.assertEqual(after["notResident"]["scriptCopies"], 0)
        elif "scriptCopies" not in after["atLeast"]:
            self.assertGreater(after["notResident"]["scriptCopies"], copies / 2)
        program.order("script 1000")  # the heap can be used again
        program.order("check 1000")
        return code

    def test_leaves_a_whole_program_no_second_copy(self):
        if not FRONT:
            self.skipTest("no malloc front shares QtCore's pool")
        for files in (False, True):
            with self.subTest(files=files):
                self.assertGreater(self.runs_scripts(files), 0)
                self.assertEqual(self.runs_scripts(files, QV4_FORCE_INTERPRETER="1"), 0)

    def test_shows_each_owner_what_it_took(self):
        program = self.start()
        grown, _, _ = self.take(program, "objects 50000")
        self.assertTrue(50000 * 96 <= grown["pool.private"] <= 50000 * 160, grown)
        grown, _, _ = self.take(program, "events 20000")
        self.assertTrue(20000 * 64 <= grown["pool.event"] <= 20000 * 160, grown)
        self.grows(program, "small 8", 8 * MEBIBYTE * 528 // 512, "heap", "anonymous")
        self.takes_from_each_owner(program, "anonymous", "heap")
        self.keeps_a_second_copy_of_the_script_heap(program)

    def test_shows_a_whole_program(self):
        if not FRONT:
            self.skipTest("no malloc front shares QtCore's pool")
        program = self.start(LD_PRELOAD=FRONT, QT_POOL_ALLOCATOR="monitor")
        self.grows(program, "small 8", 8 * MEBIBYTE, "pool.heap", "pool.free", "pool.metadata")
        self.takes_from_each_owner(program, "pool.heap", "pool.free", "pool.metadata")
        self.assertIn(program.pid, [one["pid"] for one in json.loads(run("--json").stdout)])
        self.assertIn(f" {program.pid} ", run().stdout)

    def test_finds_what_is_live_without_publication(self):
        if not FRONT:
            self.skipTest("no malloc front shares QtCore's pool")
        program = self.start(LD_PRELOAD=FRONT, QT_POOL_ALLOCATOR="1")
        grown, _, _ = self.take(program, "small 8")
        self.assertAlmostEqual(grown["pool.heap"], 8 * MEBIBYTE, delta=SPARE)

    def test_adds_up_whatever_names_claim(self):
        program = self.start()
        self.grows(program, "forged 8", 8 * MEBIBYTE, "script.heap")

    def test_prints_text(self):
        program = self.start()
        text = run(program.pid).stdout
        self.assertTrue(text.startswith(f"process {program.pid} (memory_owners): "), text)
        self.assertIn("100.0%  in all, as the system counts it (Rss)", text)
        self.assertIn("second copy of the JavaScript heap", text)
        self.assertNotIn("pool's memory is among", text)
        self.assertIn("libQt6Core.so.6", run(program.pid, "--parts").stdout)

    def test_says_what_it_may_not_see(self):
        if os.getuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs the superuser, and setpriv")
        program = self.start()
        text = run(program.pid, prefix=("setpriv", "--bounding-set=-sys_admin,-checkpoint_restore")).stdout
        self.assertIn("or more  second copy of the JavaScript heap", text)
        other = run(program.pid, prefix=("setpriv", "--reuid=65534", "--clear-groups"))
        if "execute" not in other.stderr:  # the tool's folder may be closed to others
            self.assertEqual(other.returncode, 1, other.stderr)
            self.assertIn("may not be read", other.stderr)

    def test_shows_programs_without_qt(self):
        text = run(os.getpid()).stdout
        self.assertIn("the rest of malloc: heap", text)
        self.assertNotIn("pool", text)

    def test_refuses_what_it_cannot_read(self):
        program = self.start()
        program.end()
        for part, *arguments in (("unknown option --bogus", program.pid, "--bogus"),
                                 ("designer is not a process ID", "designer"),
                                 ("only one process can be given", 1, 2),
                                 ("--parts needs a process", "--parts"),
                                 (f"there is no process {program.pid}", program.pid)):
            orders.refuses(self, TOOL, part, *arguments)

    def test_says_that_the_output_is_full(self):
        for arguments in ((), ("--help",), (str(os.getpid()),)):
            with open("/dev/full", "w", encoding="utf-8") as full:
                result = subprocess.run([TOOL, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(result.returncode, 1, arguments)
            self.assertIn("cannot write to standard output: No space left", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
