# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests how ./qpool bench --count counts instructions, with a fake valgrind and fake programs."""

import contextlib
import io
import os
import sys
import tempfile
import types
import unittest
from unittest import mock

for folder in ("bench", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", folder))

import contests
import counting
import documents
import earlier
import programs
import runner
from fakeprograms import write_program

# Each process starts with 1000 instructions. A repetition takes COST, and the last argument or
# QPOOL_BENCH_BODIES is their number.
VALGRIND = """#!/bin/sh
echo "$*" >>"$LOG"
shift 2
"$@" || exit
[ "$QT_HASH_SEED" = 0 ] || exit 3
for last; do :; done
echo "==1== Collected : $((1000 + ${QPOOL_BENCH_BODIES:-$last} * COST))" >&2
"""

# A benchmark whose body has five operations, and a scene, whose values do not matter.
PROGRAM = """#!/bin/sh
[ "$FAIL" = "$WHO" ] && exit 1
if [ "$2" = --turns ]; then
    echo '{"scene":"a scene"}'
else
    echo '"loop","16x100","Events",5,5,1'
fi
"""


class Counting(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.log = os.path.join(folder.name, "log")
        self.program = os.path.join(folder.name, "program")
        write_program(self.program, PROGRAM)
        write_program(os.path.join(folder.name, "valgrind"), VALGRIND)
        environment = mock.patch.dict(os.environ, {
            "LOG": self.log, "PATH": folder.name + os.pathsep + os.environ["PATH"]})
        environment.start()
        self.addCleanup(environment.stop)
        self.settings = types.SimpleNamespace(count=True, quick=False, rounds=1, seconds=None)

    def measure(self, contest):
        with contextlib.redirect_stderr(io.StringIO()):
            rows, _ = runner.measure([contest], self.settings)
        return {row["name"]: row for row in rows}

    def benchmark(self):
        def who(name, cost):
            return contests.Contestant(self.program, "loop:16x100", {"WHO": name, "COST": str(cost)})

        return contests.Contest("loop/16x100", "ns/op", {"loop/16x100": who("ours", 100)},
                                {"glibc": who("glibc", 300)})

    def scene(self):
        def who(name, cost):
            return {"WHO": name, "COST": str(cost)}

        groups = {"whole": who("whole", 100), "qt-only": who("qt", 150)}, {"glibc": who("glibc", 200)}, {}
        return programs.make_contest(programs.ProgramContest, "programs/scene",
                                     programs.OF_COUNTED_SCENE, self.program, "scene", groups)

    def test_what_does_not_depend_on_repetitions_does_not_count(self):
        counted = counting.count_difference(lambda times: (1000 + 7 * times, f"{times} times"), 3)
        self.assertEqual(counted, (21, "6 times"))

    def test_a_process_that_failed_counts_nothing(self):
        self.assertIsNone(counting.count_difference(lambda times: None, 3))
        self.assertIsNone(counting.count_difference(lambda times: (1, "") if times == 3 else None, 3))

    def test_a_benchmark_is_counted_by_operation(self):
        row = self.measure(self.benchmark())["loop/16x100"]
        self.assertEqual((row["ours"], row["unit"], row["ratio_glibc"]), (20, "instructions/op", 3))
        self.assertFalse(row["worthless"], "one round is enough")

    def test_a_scene_is_counted_by_turn(self):
        rows = self.measure(self.scene())
        self.assertEqual(list(rows), ["programs/scene", "programs/scene/qt-only"])
        row = rows["programs/scene"]
        self.assertEqual((row["ours"], row["unit"], row["ratio_glibc"]), (100, "instructions/op", 2))
        self.assertEqual(rows["programs/scene/qt-only"]["ours"], 150)

    def test_each_contestant_runs_twice(self):
        self.measure(self.scene())
        with open(self.log, encoding="utf-8") as file:
            turns = [line.split()[-1] for line in file]
        few, many = str(programs.COUNTED_TURNS), str(2 * programs.COUNTED_TURNS)
        self.assertEqual(turns, 3 * [few, many])

    def test_failure_is_a_row_without_values(self):
        for contest, who in ((self.benchmark(), "ours"), (self.scene(), "whole")):
            os.environ["FAIL"] = who
            row = next(iter(self.measure(contest).values()))
            self.assertIsNone(row["ours"])
            self.assertIsNotNone(row["peers"]["glibc"])

    def test_an_earlier_version_is_compared_with(self):
        folder = os.path.dirname(self.log)
        with open(os.path.join(folder, earlier.FILE), "w", encoding="utf-8") as file:
            file.write("name,unit,ours,glibc\nloop/16x100,instructions/op,16,60\nqt/post,instructions/op,7,9\n")
        before = earlier.read(folder)
        contest, = earlier.without_peers([self.benchmark()])
        rows = list(self.measure(contest).values())
        self.assertEqual(rows[0]["peers"], {})
        self.assertEqual(earlier.table(rows, before, "0.1.0").splitlines()[1].split(),
                         ["loop/16x100", "16.0", "20.0", "+25.0", "%"])
        self.assertIn("Of 1 rows that 0.1.0 has, too, 1 take more, 0 less", earlier.summary(rows, before, "0.1.0"))

    def test_remarks(self):
        for then, now, said in ((100, 100.9, ""), (100, 102, "+2.0 %"), (100, 97, "-3.0 %"), (None, 5, "new"),
                                (5, None, "NOT MEASURED: it failed")):
            self.assertEqual(earlier.remark(then, now), said)

    def test_a_broken_table_is_named(self):
        folder = os.path.dirname(self.log)
        for text in ("name,unit\na,b\n", "name,ours\na,many\n", "name,ours\na\n"):
            with open(os.path.join(folder, earlier.FILE), "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(documents.DocumentError, earlier.FILE):
                earlier.read(folder)


if __name__ == "__main__":
    unittest.main()
