# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the table and the rows of ./qpool compare, with made-up runs."""

import os
import sys
import unittest

for folder in ("compare", "bench", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", folder))

import comparison
import subjects
from children import Run

QTCORE, FRONT = "/pooled", "/front.so"


def run(wall, megabytes, told_to_end=False):
    return Run(exit_code=0, wall=wall, startup=wall / 4, processor=wall / 2, peak=megabytes * 10**6,
               final=megabytes * 10**6, faults=1, told_to_end=told_to_end, errors="")


class FakeTrials:
    """Three rounds. The machine is twice as slow in the second."""

    def __init__(self, told_to_end=False, failures=()):
        self.subjects = subjects.all_subjects(QTCORE, FRONT, {"mimalloc": "/m.so", "absent": None})
        base = {"stock": (2, 40), "stock + mimalloc": (1.6, 60), "ours": (1, 50),
                "ours, QtCore alone": (1.9, 41)}
        self.failures = dict(failures)
        self.runs = {name: [] if name in self.failures else
                     [run(wall * slow, megabytes, told_to_end) for slow in (1, 2, 1)]
                     for name, (wall, megabytes) in base.items()}

    def told_to_end(self):
        every = [run for runs in self.runs.values() for run in runs]
        return sum(run.told_to_end for run in every), len(every)


class Table(unittest.TestCase):
    def lines(self, trials):
        return {line[:20].strip(): line[20:].split()
                for line in comparison.Comparison(trials).table().splitlines()}

    def test_ratios_are_to_stock(self):
        lines = self.lines(FakeTrials())
        self.assertEqual(list(lines), ["", "stock", "stock + mimalloc", "ours",
                                       "ours, QtCore alone"])
        self.assertEqual(lines["stock"], "2.000 s 1.000 s 40.0 MB 40.0 MB".split())
        self.assertEqual(lines["ours"][:8], "1.000 s 2.00 ±1 % 0.500 s 2.00".split())
        # Less memory gives a ratio above 1, as less time does.
        self.assertIn("0.80", lines["ours"])
        self.assertEqual(lines["stock + mimalloc"][2], "1.25")

    def test_wall_time_of_what_had_to_be_ended_is_not_compared(self):
        text = comparison.Comparison(FakeTrials(told_to_end=True)).table()
        self.assertNotIn("wall", text)
        self.assertIn("start", text)
        self.assertIn("processor", text)

    def test_a_subject_that_failed_says_how(self):
        lines = comparison.Comparison(FakeTrials(
            failures={"ours": "was ended by SIGSEGV"})).table().splitlines()
        self.assertTrue(lines[3].startswith("ours "), lines[3])
        self.assertTrue(lines[3].endswith("failed: it was ended by SIGSEGV"), lines[3])

    def test_what_could_not_be_seen_is_no_value(self):
        trials = FakeTrials()
        for one in trials.runs["ours"]:
            one.peak = None
        self.assertEqual(self.lines(trials)["ours"].count("-"), 2)

    def test_against_the_best(self):
        text = comparison.Comparison(FakeTrials()).against_the_best()
        self.assertIn("wall 1.60 x mimalloc's", text)
        self.assertIn("peak 0.80 x glibc's", text)
        self.assertIsNone(comparison.Comparison(FakeTrials(
            failures={"ours": "was ended"})).against_the_best())


class Rows(unittest.TestCase):
    def test_a_ratio_within_its_spread_is_no_difference(self):
        row = {"ratio_fastest": 0.93, "fastest_peer": "mimalloc", "spread": 0.2}
        self.assertEqual(comparison.verdict(row), "level with mimalloc, within ±20 %")
        self.assertEqual(comparison.verdict(row | {"spread": 0.05}), "0.93 x mimalloc's ±5 %")
        self.assertEqual(comparison.verdict(row | {"spread": None}), "0.93 x mimalloc's")

    def test_form_of_the_benchmarks(self):
        rows = {row["name"]: row for row in comparison.Comparison(FakeTrials()).rows(["absent"])}
        self.assertEqual(sorted(rows), sorted(measure + ending for ending in ("", "/qt-only")
                                              for measure in ("wall", "processor", "peak", "final")))
        wall = rows["wall"]
        self.assertEqual(wall["peers"], {"glibc": 2, "mimalloc": 1.6, "absent": None})
        self.assertEqual((wall["unit"], wall["ratio_glibc"], wall["fastest_peer"]),
                         ("s", 2, "mimalloc"))
        self.assertEqual(rows["peak/qt-only"]["ours"], 41e6)

    def test_a_peer_that_failed_competes_with_nobody(self):
        rows = list(comparison.Comparison(FakeTrials(
            failures={"stock + mimalloc": "exited with code 1"})).rows([]))
        self.assertEqual({row["fastest_peer"] for row in rows}, {"glibc"})


class Environments(unittest.TestCase):
    outer = {"PATH": "/bin", "LD_PRELOAD": "/theirs.so", "QT_POOL_ALLOCATOR": "0"}

    def environment(self, name):
        for subject in FakeTrials().subjects:
            if subject.name == name:
                return subject.environment(self.outer)
        return None

    def test_each_adds_to_what_the_user_has(self):
        self.assertEqual(self.environment("stock"), {"PATH": "/bin", "LD_PRELOAD": "/theirs.so"})
        self.assertEqual(self.environment("stock + mimalloc")["LD_PRELOAD"], "/m.so:/theirs.so")
        ours = self.environment("ours")
        self.assertEqual((ours["LD_PRELOAD"], ours["LD_LIBRARY_PATH"]),
                         ("/front.so:/theirs.so", "/pooled"))
        self.assertEqual(self.environment("ours, QtCore alone")["LD_PRELOAD"], "/theirs.so")

    def test_a_path_with_a_blank(self):
        # LD_PRELOAD has no quotes, so such a library is found by its name.
        ours = subjects.Subject("ours", preload="/my build/front.so", qtcore="/my build/pooled")
        environment = ours.environment({**self.outer, "LD_LIBRARY_PATH": "/theirs"})
        self.assertEqual(environment["LD_PRELOAD"], "front.so:/theirs.so")
        self.assertEqual(environment["LD_LIBRARY_PATH"], "/my build/pooled:/theirs:/my build")
        peer = subjects.Subject("stock + m", peer="m", preload="/my peers/m.so")
        self.assertEqual(peer.environment({}),
                         {"LD_PRELOAD": "m.so", "LD_LIBRARY_PATH": "/my peers"})

    def test_without_the_front_there_is_qtcore_alone(self):
        names = [subject.name for subject in subjects.all_subjects(QTCORE, None, {})]
        self.assertEqual(names, ["stock", "ours, QtCore alone"])

    def test_what_was_not_loaded(self):
        ours = subjects.Subject("ours", preload=FRONT, qtcore=QTCORE)
        self.assertIsNone(ours.missing_in(set()))
        self.assertEqual(ours.missing_in({"/lib/libc.so.6"}), ["front.so", "the pooled QtCore"])
        self.assertEqual(ours.missing_in({FRONT, "/usr/lib/libQt6Core.so.6"}),
                         ["the pooled QtCore"])
        self.assertEqual(ours.missing_in({FRONT, "/pooled/libQt6Core.so.6"}), [])


if __name__ == "__main__":
    unittest.main()
