# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the runner of ./qpool bench, with programs that print given results."""

import contextlib
import csv
import glob
import io
import json
import os
import random
import sys
import tempfile
import types
import unittest
import unittest.mock

for folder in ("bench", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", folder))

import arithmetic
import contests
import document
import documents
import pictures
import processes
import report
import runner
from documents import to_json
from fakeprograms import write_program
from machine import machine_properties

# Prints data rows like a QTest program, and results from its environment. Logs the order of the runs.
PROGRAM = """#!/bin/sh
if [ "$1" = -datatags ]; then
    echo "tst loop 16x100/SingleThreaded"
    echo "tst loop 16x100/MultiThreaded"
    echo "tst loop 16x100/malloc"
    echo "tst loop 16x100/limit"
    exit 0
fi
echo "$1 ${SLOW-fast}" >>"$LOG"
case $1 in
*/SingleThreaded) value=2 ;;
*/MultiThreaded) value=4 ;;
*/limit) value=1 ;;
*) value=${SLOW:-8} ;;
esac
[ "$FAIL" = "$1" ] && exit 1
if [ "$NOISY" = "$1" ]; then
    runs=$(grep -c "^$1 " "$LOG")
    [ "$runs" -gt "$NOISE_ENDS" ] || value=$((value + runs * 7))
fi
echo '"loop","16x100","WalltimeNanoseconds",'$value','$value',1'
"""


class Arithmetic(unittest.TestCase):
    def test_ratio_is_the_median_of_the_rounds_not_the_ratio_of_medians(self):
        # The machine is three times slower in the second round.
        row = arithmetic.make_row("a", "ns/op", [1, 3, 1], {"glibc": [2, 6, 4]})
        self.assertEqual(row["ratio_glibc"], 2)
        self.assertEqual(row["ours"], 1)
        self.assertEqual(row["peers"], {"glibc": 4})

    def test_fastest_peer(self):
        row = arithmetic.make_row("a", "ns/op", [2, 2], {"glibc": [8, 8], "x": [3, 3], "y": None})
        self.assertEqual(row["fastest_peer"], "x")
        self.assertEqual(row["ratio_fastest"], 1.5)
        self.assertEqual(row["ratio_glibc"], 4)
        self.assertIsNone(row["peers"]["y"])

    def test_failed_rounds_are_left_out_on_both_sides(self):
        self.assertEqual(arithmetic.ratios([2, None, 9], [1, 1, None]), [2])

    def test_nothing_measured(self):
        row = arithmetic.make_row("a", "ns/op", [None], {"glibc": [None]})
        self.assertIsNone(row["ours"])
        self.assertIsNone(row["ratio_fastest"])
        self.assertTrue(row["worthless"])

    def test_spread(self):
        self.assertIsNone(arithmetic.spread_of([2.0]))
        self.assertEqual(arithmetic.spread_of([1, 2, 3]), 0.5)
        self.assertEqual(arithmetic.spread_of([10, 10, 10, 10, 10, 12, 10]), 0.2)
        # The lowest and the highest of nine values do not count.
        self.assertAlmostEqual(
            arithmetic.spread_of([1, 9.5, 10, 10, 10, 10, 10, 10.1, 90]), 0.05)
        self.assertEqual(arithmetic.spread_of([3] * 7), 0.01)

    def test_two_runs_agree_within_their_spreads(self):
        # Most rounds vary a little and some vary a lot, as on a shared machine.
        numbers = random.Random(7)

        def run(count):
            values = [numbers.gauss(2, 0.05) + (0.4 if numbers.random() < 0.1 else 0)
                      for _ in range(count)]
            return arithmetic.median_of(values), arithmetic.spread_of(values)

        for count in (7, 9, 12):
            agree = 0
            for _ in range(500):
                (one, spread), (other, other_spread) = run(count), run(count)
                agree += abs(one - other) <= spread * one + other_spread * other
            self.assertGreater(agree, 490)

    def test_processor_time_is_that_of_the_least_disturbed_rounds(self):
        row = arithmetic.make_row("a", "ns/op", [2, 9, 2.02, None, 2.01, 7], {"glibc": [9, 6, 5.9, 8, 6.06, 7]},
                                  {"limit": [1, 5, 1, 4, 4, 4]}, only_longer=True)
        self.assertEqual(row["ours"], 2.01)
        self.assertEqual(row["peers"]["glibc"], 6)
        self.assertEqual(row["limit"], 1)
        self.assertAlmostEqual(row["ratio_glibc"], 6 / 2.01)
        self.assertAlmostEqual(row["spread"], 0.02 / 2.01 + 0.16 / 6)
        self.assertFalse(row["worthless"])
        self.assertEqual(row["samples"]["ours"], [2, 9, 2.02, None, 2.01, 7])

    def test_processor_time_of_two_rounds_has_no_spread(self):
        row = arithmetic.make_row("a", "ns/op", [2, 2], {"glibc": [4, 4]}, only_longer=True)
        self.assertEqual(row["ratio_glibc"], 2)
        self.assertTrue(row["worthless"])
        row = arithmetic.make_row("a", "ns/op", [None], {"glibc": [None]}, only_longer=True)
        self.assertIsNone(row["ratio_fastest"])

    def test_two_runs_on_a_busy_machine_agree_within_their_spreads(self):
        # Most rounds are disturbed, and take up to nearly twice as long.
        numbers = random.Random(7)

        def samples(base):
            return [base * numbers.gauss(1, 0.01) * (1 + 0.8 * numbers.random() * (numbers.random() < 0.7))
                    for _ in range(9)]

        def run():
            return arithmetic.make_row("a", "ns/op", samples(1), {"glibc": samples(2)}, only_longer=True)

        agree = 0
        off = []
        for _ in range(500):
            one, other = run(), run()
            agree += (abs(one["ratio_glibc"] - other["ratio_glibc"])
                      <= sum(row["spread"] * row["ratio_glibc"] for row in (one, other)))
            off += [abs(row["ratio_glibc"] / 2 - 1) for row in (one, other) if not row["worthless"]]
        self.assertGreater(agree, 475)
        self.assertGreater(len(off), 600)
        self.assertLess(sorted(off)[int(0.9 * len(off))], 0.15)

    def test_what_is_measured_in_processor_time(self):
        def only_longer(name, unit="ns/op"):
            return contests.Contest(name, unit, {}, {}).only_longer

        for name in ("loop/16x100", "qt/post", "stl/list/first", "qml/delegates", "programs/tree"):
            self.assertTrue(only_longer(name), name)
        self.assertTrue(only_longer("qtkernel/events/postEvent", contests.TICKS))
        for name in ("threads/2", "handover/2", "qt/queued", "queue/spsc/1", "shared/futex/2", "programs/list"):
            self.assertFalse(only_longer(name), name)
        self.assertFalse(only_longer("memory/16", "bytes/block"))

    def test_worthless(self):
        rows = [arithmetic.make_row("a", "ns/op", [1] * 3, {"glibc": peer})
                for peer in ([2, 2, 2], [1, 2, 3])]
        self.assertEqual([row["worthless"] for row in rows], [False, True])

    def test_extra_columns_compete_with_nobody(self):
        row = arithmetic.make_row("a", "ns/op", [2], {"glibc": [4]}, {"limit": [1]})
        self.assertEqual(row["limit"], 1)
        self.assertEqual(row["fastest_peer"], "glibc")


class AskedPeers(unittest.TestCase):
    def setUp(self):
        # Any library will do that every machine has.
        self.library = glob.glob("/lib/*/libm.so.6")[0]

    def test_one_more(self):
        libraries = contests.with_asked({"mimalloc": None}, [f"newest={self.library}"])
        self.assertEqual(libraries, {"mimalloc": None, "newest": self.library})

    def test_in_place_of_one_of_the_same_name(self):
        libraries = contests.with_asked({"mimalloc": "old"}, [f"mimalloc={self.library}"])
        self.assertEqual(libraries, {"mimalloc": self.library})

    def test_refused(self):
        for text, cause in {"mimalloc": "NAME=LIBRARY", "=x": "NAME=LIBRARY", "a b=x": "NAME=LIBRARY",
                            "glibc=x": "another name", "MultiThreaded=x": "another name",
                            "new=/nowhere/lib.so": "no file /nowhere/lib.so",
                            f"new={__file__}": "cannot preload"}.items():
            with self.assertRaisesRegex(contests.BenchError, cause):
                contests.with_asked({}, [text])


class Output(unittest.TestCase):
    rows = [arithmetic.make_row("loop/16x100/SingleThreaded", "ns/op", [1, 1, 1],
                                {"glibc": [8, 8, 8], "mimalloc": None}, {"limit": [0.5] * 3}),
            arithmetic.make_row("churn", "ns/op", [4, 4, 4],
                                {"glibc": [3, 3, 3], "mimalloc": None})]

    def test_json(self):
        result = json.loads(to_json({"machine": machine_properties(), "rows": self.rows}))
        self.assertIn("processor", result["machine"])
        for row in result["rows"]:
            for key in ("name", "unit", "ours", "peers", "fastest_peer", "ratio_fastest",
                        "ratio_glibc", "spread"):
                self.assertIn(key, row)
        self.assertEqual(result["rows"][0]["ratio_glibc"], 8)
        self.assertIsNone(result["rows"][0]["peers"]["mimalloc"])

    def test_csv(self):
        lines = report.to_csv(self.rows).splitlines()
        self.assertEqual(len(lines), 3)
        self.assertTrue(lines[0].startswith("name,unit,ours,glibc,mimalloc"))
        self.assertTrue(lines[1].startswith("loop/16x100/SingleThreaded,ns/op,1,8,,"))

    def test_csv_has_the_form_of_all_tables(self):
        # As doc/observe.md says: quoted as in RFC 4180, lines end with a line feed, no locale.
        row = arithmetic.make_row('a,"b"', "ns/op", [1234.5] * 3, {"glibc": [2469] * 3})
        text = report.to_csv([row])
        self.assertNotIn("\r", text)
        self.assertTrue(text.endswith("\n"))
        self.assertTrue(text.splitlines()[1].startswith('"a,""b""",ns/op,1234.5,2469,'), text)

    def test_table_says_where_we_lose(self):
        self.assertIn("loses to glibc", report.table(self.rows).splitlines()[2])

    def test_result_of_qtest(self):
        text = 'PASS\n"loop","16x100/malloc","WalltimeNanoseconds",3.25,3.25,1\n'
        self.assertEqual(processes.parse_csv(text), 3.25)
        self.assertEqual(processes.parse_csv('"a","b","Events",1.2e+03,1.2e+03,1'), 1200)
        self.assertEqual(processes.parse_csv('"a","","CPUTicks",97.5,6240,64'), 97.5)
        self.assertIsNone(processes.parse_csv("FAIL"))

    def test_two_results_of_a_row_are_none(self):
        text = ('"post","pool","WalltimeMilliseconds",8,8,1\n'
                '"post","pool","WalltimeNanoseconds",21.5,21.5,1\n')
        self.assertIsNone(processes.parse_csv(text))
        two_rows = text.replace('"post","pool"', '"post","glibc"', 1)
        self.assertEqual(processes.parse_csv(two_rows), 8)

    def test_iterations_of_qtest(self):
        text = 'PASS\n"a","b, c","WalltimeMilliseconds",0.00042,14,32768\n'
        self.assertEqual(processes.csv_fields(text), ("WalltimeMilliseconds", 0.00042, 14, 32768))
        self.assertIsNone(processes.csv_fields("FAIL"))

    def test_groups_and_curves(self):
        rows = [arithmetic.make_row(name, "ns/op", [1] * 3, {"glibc": [8] * 3})
                for name in ("scale/threads/64", "scale/threads/8", "scale/live/1000", "churn")]
        self.assertEqual(list(pictures.groups_of(rows)), ["churn"])
        curves = pictures.curves_of(rows)
        self.assertEqual(list(curves), ["scale-threads"])
        self.assertEqual([row["name"] for row in curves["scale-threads"]],
                         ["scale/threads/8", "scale/threads/64"])

    def test_curves_of_writers(self):
        rows = [arithmetic.make_row(name, "ns/op", [1] * 3, {"boost": [8] * 3})
                for name in ("shared/spin/8", "shared/spin/1", "shared/spin/8/processes",
                             "shared/spin/1/processes", "shared/none/1")]
        curves = pictures.curves_of(rows)
        self.assertEqual({name: [row["name"] for row in points] for name, points in curves.items()},
                         {"shared-spin": ["shared/spin/1", "shared/spin/8"],
                          "shared-spin-processes": ["shared/spin/1/processes",
                                                    "shared/spin/8/processes"]})
        self.assertEqual(pictures.label_of("shared-spin"), "threads that write, lock: spin")
        self.assertEqual(pictures.label_of("shared-spin-processes"),
                         "processes that write, lock: spin")
        self.assertEqual(pictures.label_of("shared-fragmentation"),
                         "quarters of a million operations")

    def test_document(self):
        noisy = arithmetic.make_row("noisy", "ns/op", [1, 2, 9], {"glibc": [9, 1, 2]})
        self.assertTrue(noisy["worthless"])
        result = {"machine": machine_properties(), "commit": "commit 0123456789", "qt": "6.4.2", "quick": True,
                  "rounds": 7, "rows": self.rows + [noisy]}
        with tempfile.TemporaryDirectory() as doc:
            folder = os.path.join(doc, "results", "0.1.0")
            with self.assertRaises(documents.DocumentError):
                document.check(folder)
            os.makedirs(os.path.join(doc, "results"))
            os.makedirs(os.path.join(doc, "images", "bench"))
            document.check(folder)
            for _ in range(2):
                document.write(result, folder, count=True)
                # The pictures need matplotlib.
                with unittest.mock.patch("document.plot", return_value=["loop"]):
                    document.write(result, folder)
            with open(os.path.join(folder, "times.csv"), encoding="utf-8") as file:
                times = list(csv.DictReader(file))
            with open(os.path.join(folder, "machine.csv"), encoding="utf-8") as file:
                machine = list(csv.DictReader(file))
            self.assertEqual([row["name"] for row in times], [row["name"] for row in self.rows])
            self.assertEqual(times[1]["ours"], "4")
            self.assertEqual([row["file"] for row in machine], ["instructions.csv", "times.csv"])
            self.assertEqual(machine[0]["command"], "./qpool bench --quick --count --doc")
            self.assertEqual(machine[1]["left_out"], "1")
            self.assertNotIn("0123456789", str(machine))

    def test_numbers_are_short(self):
        self.assertEqual([document.shorter(value) for value in (1.23456, 1234.56, 12345.6, 3, None, "a")],
                         [1.235, 1235, 12346, 3, None, "a"])

    def test_units(self):
        self.assertEqual(contests.unit_of("memory/24"), "bytes/block")
        self.assertEqual(contests.unit_of("memory/idle"), "% of before")
        self.assertEqual(contests.unit_of("memory/peak"), "bytes/live byte")
        self.assertEqual(contests.unit_of("tail/free/worst"), "ns")
        self.assertEqual(contests.unit_of("loop/16x100"), "ns/op")
        self.assertEqual(contests.unit_of("objects/semilocal/2"), "ns/op")
        self.assertEqual(contests.unit_of("objects/held/2"), "objects")
        self.assertEqual(contests.unit_of("shared/spin/2"), "ns/op")
        self.assertEqual(contests.unit_of("shared/fragmentation/2"), "% of free")


class Rounds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.program = os.path.join(self.folder, "program")
        self.log = os.path.join(self.folder, "log")
        write_program(self.program, PROGRAM)
        self.settings = types.SimpleNamespace(count=False, quick=True, milliseconds=1, rounds=3,
                                              seconds=None, calm=None, alone=None)

    def measure(self, **environment):
        found = list(contests.allocator_contests(self.program, {"absent": None}))
        # Stands in for a preloaded library.
        found[0].peers["slow"] = contests.Contestant(self.program, "loop:16x100/malloc",
                                                     {"SLOW": "16"})
        os.environ.update({"LOG": self.log, **environment})
        with contextlib.redirect_stderr(io.StringIO()):
            return runner.measure(found, self.settings)

    def test_peers_that_are_compiled_in(self):
        with open(self.program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n"
                       "for subject in StdAllocator StatefulAllocator malloc pmr boost! limit; do\n"
                       "    echo \"tst stl list/first/$subject\"\n"
                       "done\n")
        contest, = contests.allocator_contests(self.program, {"preloaded": "/lib/its.so"})
        self.assertEqual(list(contest.ours),
                         ["stl/list/first/StdAllocator", "stl/list/first/StatefulAllocator"])
        self.assertEqual(list(contest.peers), ["glibc", "preloaded", "pmr", "boost"])
        self.assertEqual(contest.peers["pmr"].test, "stl:list/first/pmr")
        self.assertIsNone(contest.peers["boost"], "it was compiled without")
        self.assertEqual(list(contest.extra), ["limit"])
        self.assertTrue(contest.one_processor)

    def test_the_front_where_only_malloc_has_the_blocks(self):
        with open(self.program, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho 'tst pattern large/malloc'\necho 'tst pattern small/malloc'\n"
                       "echo 'tst pattern small/pool'\n")
        large, small = contests.allocator_contests(self.program, {}, "/lib/front.so")
        self.assertEqual([who.environment.get("LD_PRELOAD") for who in large.ours.values()], ["/lib/front.so"])
        self.assertEqual([who.environment for who in large.peers.values()], [{}])
        self.assertEqual([who.test for who in small.ours.values()], ["pattern:small/pool"])

    def test_rows(self):
        rows, rounds = self.measure()
        self.assertEqual(rounds, 3)
        self.assertEqual([row["name"] for row in rows],
                         ["loop/16x100/SingleThreaded", "loop/16x100/MultiThreaded"])
        self.assertEqual(rows[0]["peers"], {"glibc": 8, "absent": None, "slow": 16})
        self.assertEqual([row["ratio_glibc"] for row in rows], [4, 2])
        self.assertEqual(rows[0]["limit"], 1)
        self.assertEqual(rows[0]["spread"], 0.01)

    def test_a_row_may_have_peers_of_its_own(self):
        with open(self.program, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nfor subject in pool lock limit; do\n'
                       '    echo "tst objects held/2/$subject"\ndone\n')
        (contest,) = contests.allocator_contests(self.program, {"absent": None})
        self.assertEqual(list(contest.peers), ["lock"])
        self.assertEqual(list(contest.ours), ["objects/held/2"])
        self.assertEqual(contest.unit, "objects")

    def test_processes_take_turns(self):
        self.measure()
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(len(lines), 15)
        rounds = [lines[i:i + 5] for i in (0, 5, 10)]
        for one in rounds:
            self.assertEqual(sorted(one), sorted(rounds[0]))
        self.assertEqual(len({one[0] for one in rounds}), 3)

    def test_rows_of_one_thread_are_started_alone(self):
        alone = os.path.join(self.folder, "alone")
        write_program(alone,
                      '#!/bin/sh\necho "alone $QPOOL_BENCH_ONE_THREAD" >>"$LOG"\nexec "$@"\n')
        self.settings.alone = alone
        self.settings.rounds = 1
        os.environ["LOG"] = self.log
        found = list(contests.with_second_thread(
            contests.allocator_contests(self.program, {})))
        with contextlib.redirect_stderr(io.StringIO()):
            rows, _ = runner.measure(found, self.settings)
        self.assertEqual([row["name"] for row in rows],
                         ["loop/16x100/SingleThreaded", "loop/16x100/MultiThreaded",
                          "loop-beside-thread/16x100/SingleThreaded",
                          "loop-beside-thread/16x100/MultiThreaded"])
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        # Four subjects alone, and the same four beside a second thread.
        self.assertEqual(lines.count("alone 1"), 4)
        self.assertEqual(len(lines), 12)
        # A contestant that starts its own thread does not run alone, where threads are refused.
        os.remove(self.log)
        found = list(contests.allocator_contests(self.program, {}))
        for who in found[0].ours.values():
            who.starts_thread = True
        with contextlib.redirect_stderr(io.StringIO()):
            rows, _ = runner.measure(found, self.settings)
        self.assertTrue(all(row["ours"] for row in rows), rows)
        with open(self.log, encoding="utf-8") as file:
            lines = file.read().splitlines()
        self.assertEqual(lines.count("alone 1"), 2)  # the peers

    def test_peers_within_the_program(self):
        program = os.path.join(self.folder, "libraries")
        write_program(program, """#!/bin/sh
if [ "$1" = -datatags ]; then
    echo "tst queue spsc/64/pool"
    echo "tst queue spsc/64/boost"
    echo "tst queue wake/atomics"
    echo "tst queue wake/pool"
    exit 0
fi
case $1 in
*/pool) value=2 ;;
*) value=6 ;;
esac
echo '"queue","x","WalltimeNanoseconds",'$value','$value',1'
""")
        rows, _ = runner.measure(list(contests.allocator_contests(program, {})), self.settings)
        self.assertEqual([(row["name"], row["ours"], row["peers"], row["ratio_fastest"])
                          for row in rows],
                         [("queue/spsc/64", 2, {"boost": 6}, 3), ("queue/wake", 2, {"atomics": 6}, 3)])
        self.assertIn("queue/spsc/64", report.table(rows))
        self.assertIn("boost", report.to_csv(rows))
        # Two threads need two processors.
        self.assertFalse(contests.Contest("queue/spsc/64", "ns/op", {}, {}).one_processor)
        self.assertTrue(contests.Contest("queue/wake", "ns/op", {}, {}).one_processor)

    def test_rows_of_several_threads_are_not(self):
        self.assertTrue(contests.Contest("qt/qobject", "ns/op", {}, {}).one_thread)
        for name in ("qt/queued", "threads/2", "handover/24x1", "qml/items", "pattern/mleak",
                     "memory/idle"):
            self.assertFalse(contests.Contest(name, "ns/op", {}, {}).one_thread, name)

    def test_noisy_rows_get_the_time_that_is_left(self):
        self.settings.seconds = 100
        noisy = {"NOISY": "loop:16x100/MultiThreaded", "NOISE_ENDS": "3"}
        self.addCleanup(os.environ.pop, "NOISY")
        rows, rounds = self.measure(**noisy)
        self.assertEqual(rounds, 3)
        self.assertFalse(rows[1]["worthless"])
        self.assertGreater(rows[1]["rounds"], 3)
        # All subjects of a contest continue together, because their ratios must be of the same moment.
        self.assertEqual(rows[0]["rounds"], rows[1]["rounds"])

        os.remove(self.log)
        rows, _ = self.measure(**{**noisy, "NOISE_ENDS": "1000"})
        self.assertTrue(rows[1]["worthless"])
        self.assertEqual(rows[1]["rounds"], 12)

        self.settings.seconds = None  # the user gave a number of rounds
        rows, _ = self.measure(**noisy)
        self.assertEqual(rows[1]["rounds"], 3)

    def test_only_a_quick_run_has_fewer_than_seven_rounds(self):
        self.settings.seconds = 0.001
        self.settings.rounds = 9
        _, rounds = self.measure()
        self.assertEqual(rounds, 1)
        self.settings.quick = False
        _, rounds = self.measure()
        self.assertEqual(rounds, 7)

    def test_failure_is_a_row_without_values(self):
        rows, _ = self.measure(FAIL="loop:16x100/SingleThreaded")
        os.environ.pop("FAIL")
        self.assertIsNone(rows[0]["ours"])
        self.assertEqual(rows[1]["ours"], 4)

    def test_debug_builds_are_refused(self):
        for text, refused in (("CMAKE_BUILD_TYPE:STRING=Release\n", False),
                              ("CMAKE_BUILD_TYPE:STRING=Debug\n", True),
                              ("CMAKE_BUILD_TYPE:STRING=\n", True),
                              ("CMAKE_BUILD_TYPE:STRING=Release\nQPOOL_HARDENED:BOOL=ON\n", True)):
            with open(os.path.join(self.folder, "CMakeCache.txt"), "w", encoding="utf-8") as file:
                file.write(text)
            if refused:
                with self.assertRaises(contests.BenchError):
                    contests.require_release(self.folder)
            else:
                contests.require_release(self.folder)


if __name__ == "__main__":
    unittest.main()
