# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Which code allocated what another process has in use: a program allocates known amounts at known places, at the
test's order, and the command must name the places, and estimate the amounts within five standard deviations of what
theory gives. The draws are random, so one run in millions fails by chance."""

import csv
import json
import math
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tests", "auto", "shared"))

import orders
from orders import Program
from profile import Profile

TOOL = os.environ["QPOOL_HEAP"]
SITES = os.environ["QPOOL_HEAP_SITES"]
STRIPPED = os.environ["QPOOL_HEAP_STRIPPED"]
FORGED = os.environ["QPOOL_HEAP_FORGED"]
FRONT = os.environ["QPOOL_FRONT"]
HARDENED = os.environ["QPOOL_HARDENED_FRONT"]
INTERVAL = 16384


def run(*arguments):
    """Numbers and units have a space between them that does not break."""
    result = orders.run(TOOL, *arguments)
    result.stdout = result.stdout.replace("\xa0", " ")
    result.stderr = result.stderr.replace("\xa0", " ")
    return result


def deviation(count, size):
    """Of the estimated bytes of so many blocks."""
    probability = -math.expm1(-size / INTERVAL)
    return size * math.sqrt(count * (1 - probability) / probability)


class Heap(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def start(self, file=SITES, wish=f"monitor,heap={INTERVAL}", front=FRONT):
        program = Program(file, LD_PRELOAD=front, QT_POOL_ALLOCATOR=wish)
        self.addCleanup(program.end)
        return program

    def read(self, program, *arguments):
        result = run(program.pid, "--json", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def site(self, report, function):
        found = [one for one in report["sites"] if one["function"].startswith(function)]
        self.assertEqual(len(found), 1, [one["function"] for one in report["sites"]])
        return found[0]

    def estimates(self, value, count, size):
        self.assertAlmostEqual(value["bytes"], count * size, delta=5 * deviation(count, size) + value["samples"])
        self.assertAlmostEqual(value["objects"] * size, count * size,
                               delta=5 * deviation(count, size) + value["samples"] + size)

    def test_names_each_site(self):
        program = self.start()
        for order in "small 100000", "large 500", "widgets 30000", "inline 30000", "churn 50000":
            program.order(order)
        report = self.read(program)
        self.assertTrue(report["estimated"])
        self.assertEqual(report["interval"], INTERVAL)
        # The sizes of classes.
        for function, count, size in (("keepSmall", 100000, 112), ("keepLarge", 500, 100000),
                                      ("keepWidgets", 30000, 224), ("allocateInLine", 30000, 320)):
            site = self.site(report, function)
            self.estimates(site["inUse"], count, size)
            self.estimates(site["allocated"], count, size)
            self.assertTrue(site["file"].endswith("heapsites.cpp"), site)
        self.assertEqual(self.site(report, "keepSmall")["caller"]["function"], "main")
        self.assertTrue(self.site(report, "allocateInLine")["caller"]["function"].startswith("keepInLine"))
        self.assertEqual(self.site(report, "keepWidgets")["class"], "Widget")
        self.assertEqual(self.site(report, "keepSmall")["class"], "")
        churn = self.site(report, "churn")
        self.assertEqual(churn["inUse"], {"bytes": 0, "objects": 0, "samples": 0})
        self.estimates(churn["allocated"], 50000, 512)
        total = sum(site["inUse"]["bytes"] for site in report["sites"])
        self.assertAlmostEqual(report["inUse"]["bytes"], total, delta=len(report["sites"]))
        shares = [site["share"] for site in report["sites"]]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertAlmostEqual(sum(shares), 1)

    def test_looks_through_containers(self):
        program = self.start()
        program.order("strings 30000")
        site = self.site(self.read(program), "keepStrings")
        self.assertGreater(site["inUse"]["bytes"], 30000 * 200)

    def test_prints_a_table(self):
        program = self.start()
        program.order("small 100000")
        program.order("widgets 30000")
        result = run(program.pid)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], rf"^process {program.pid}: about .* in use and .* one sample every 16 KiB$")
        self.assertEqual(lines[1], "about")
        self.assertRegex(lines[3], r"MiB .*%.*keepSmall \(heapsites\.cpp:\d+\) < main \(heapsites\.cpp:\d+\)$")
        self.assertRegex(result.stdout, r"keepWidgets .*\{Widget\}")
        one = run(program.pid, "--lines", 1).stdout
        self.assertNotIn("keepWidgets", one)
        self.assertIn("--lines 0 shows all", one)

    def test_prints_csv(self):
        program = self.start()
        program.order("small 100000")
        rows = list(csv.DictReader(run(program.pid, "--csv").stdout.splitlines()))
        row = next(row for row in rows if row["function"].startswith("keepSmall"))
        self.assertAlmostEqual(int(row["about bytes in use"]), 100000 * 112, delta=6 * deviation(100000, 112))

    def test_folds_stacks(self):
        program = self.start()
        program.order("small 100000")
        program.order("churn 50000")
        total = self.read(program)["inUse"]["bytes"]
        lines = [line.rpartition(" ") for line in run(program.pid, "--folded").stdout.splitlines()]
        self.assertAlmostEqual(sum(int(value) for _, _, value in lines), total, delta=len(lines))
        stacks = [stack.split(";") for stack, _, _ in lines]
        self.assertTrue(any(stack[-2:] == ["main", "keepSmall"] for stack in stacks), stacks)
        self.assertFalse(any("churn" in stack or "malloc" in stack for stack in stacks), stacks)
        allocated = run(program.pid, "--folded", "--allocated").stdout
        self.assertIn(";churn ", allocated)

    def test_writes_a_profile_for_pprof(self):
        program = self.start()
        program.order("small 100000")
        program.order("inline 30000")
        program.order("churn 50000")
        path = os.path.join(self.folder, "heap.pb.gz")
        report = self.read(program, "--pprof", path)
        profile = Profile(path)
        self.assertEqual(profile.types, ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"])
        self.assertEqual(profile.units, ["count", "bytes", "count", "bytes"])
        self.assertEqual((profile.period, profile.default), (INTERVAL, "inuse_space"))
        self.assertAlmostEqual(profile.total("inuse_space"), report["inUse"]["bytes"], delta=len(profile.samples))
        self.assertAlmostEqual(profile.total("alloc_space"), report["allocated"]["bytes"], delta=len(profile.samples))
        self.assertAlmostEqual(profile.total("inuse_space", "keepSmall"),
                               self.site(report, "keepSmall")["inUse"]["bytes"], delta=len(profile.samples))
        stack = next(stack for stack, _ in profile.samples if stack[0].startswith("allocateInLine"))
        self.assertTrue(stack[1].startswith("keepInLine"))
        self.assertEqual(stack[2], "main")

    def test_compares_with_a_mark(self):
        program = self.start()
        program.order("small 100000")
        mark = os.path.join(self.folder, "mark.json")
        self.assertEqual(run(program.pid, "--mark", mark).returncode, 0)
        program.order("widgets 30000")
        report = self.read(program, "--since", mark)
        self.assertEqual(self.site(report, "keepSmall")["growth"], 0)
        self.assertTrue(report["sites"][0]["function"].startswith("keepWidgets"))
        self.assertEqual(report["sites"][0]["growth"], report["sites"][0]["inUse"]["bytes"])
        same = run(program.pid, "--since", mark)
        self.assertIn("growth", same.stdout)
        self.assertEqual(same.stderr, "")
        other = self.start()
        self.assertIn(f"another process, {program.pid}", run(other.pid, "--since", mark).stderr)
        self.assertIn("growth", self.read(program, "--seconds", "0.1")["sites"][0])

    def test_is_switched_in_a_running_program(self):
        program = self.start(wish="monitor")
        program.order("small 100000")
        first = run(program.pid)
        self.assertIn("sampling is on from now on, every 512 KiB", first.stderr)
        self.assertIn("no sample yet", first.stdout)
        self.assertEqual(run(program.pid, "--on", "16K").returncode, 0)
        program.order("widgets 30000")
        report = self.read(program)
        self.assertEqual(report["interval"], INTERVAL)
        self.estimates(self.site(report, "keepWidgets")["inUse"], 30000, 224)
        self.assertNotIn("keepSmall", json.dumps(report))
        samples = report["allocated"]["samples"]
        self.assertEqual(run("--on", 65536, program.pid, "--off").returncode, 2)
        self.assertEqual(run(program.pid, "--off").returncode, 0)
        program.order("small 100000")
        program.order("free 1")
        listed = {one["pid"]: one for one in json.loads(run("--json").stdout)}
        self.assertEqual(listed[program.pid], {"pid": program.pid, "canBeSampled": True, "interval": 0})
        self.assertIn(f"{program.pid}  sampling is off", run().stdout)
        report = self.read(program, "--off")
        self.assertEqual(report["allocated"]["samples"], samples)
        self.assertEqual(report["inUse"]["samples"], 0)

    def test_sees_frees_by_all_threads(self):
        program = self.start()
        for last in "free 1", "freeInThread 1":
            for order in "small 30000", "thread 30000", "large 100", "resize 3000", "widgets 10000":
                program.order(order)
            self.assertGreater(self.read(program)["inUse"]["bytes"], 1e6)
            program.order(last)
            report = self.read(program)
            for function in "keepSmall", "keepLarge", "resize", "keepWidgets":
                for site in report["sites"]:
                    if site["function"].startswith(function):
                        self.assertEqual(site["inUse"]["samples"], 0, site)

    def test_counts_a_resize_as_a_free_and_an_allocation(self):
        program = self.start()
        program.order("resize 3000")
        site = self.site(self.read(program), "resize")
        self.estimates(site["inUse"], 3000, 768)
        self.assertGreater(site["allocated"]["bytes"], 3000 * (600 + 5000 + 50000))

    def test_names_modules_without_symbols(self):
        program = self.start(STRIPPED)
        program.order("small 100000")
        report = self.read(program)
        site = report["sites"][0]
        self.assertTrue(site["function"].startswith("heap_sites_stripped+0x"), site)
        self.estimates(site["inUse"], 100000, 112)
        self.assertEqual((site["file"], site["module"]), ("", "heap_sites_stripped"))

    def test_says_when_there_is_nothing_to_sample(self):
        program = self.start(wish="0")
        program.order("small 100000")
        self.assertIn("no sample yet", run(program.pid).stdout)
        result = run(self.start(front=HARDENED).pid)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("takes no samples: its pool is hardened, level 2", result.stderr)
        result = run(os.getpid())
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("has no pool that takes samples", result.stderr)

    def test_refuses_what_it_cannot_read(self):
        program = self.start()
        program.end()
        other = os.path.join(self.folder, "other.json")
        with open(other, "w", encoding="ascii") as file:
            file.write('{"version": 1}')
        for part, *arguments in (("unknown option --bogus", program.pid, "--bogus"),
                                 ("designer is not a process ID", "designer"),
                                 ("only one process can be given", 1, 2),
                                 ("the process ID is missing", "--csv"),
                                 ("the process ID is missing", "--on"),
                                 ("64K is not a process ID", "--on", "64K"),
                                 ("no number of bytes from 1K to 1024M", 1, "--on", "12"),
                                 ("no number of bytes from 1K to 1024M", 1, "--on", "2G"),
                                 ("--on and --off exclude each other", 1, "--on", "--off"),
                                 ("--in-use and --allocated exclude", 1, "--in-use", "--allocated"),
                                 ("--json, --csv and --folded exclude", 1, "--json", "--folded"),
                                 ("--seconds never is no number", 1, "--seconds", "never"),
                                 ("--since and --seconds exclude", 1, "--seconds", 1, "--since", "x"),
                                 ("--off and --seconds exclude", 1, "--seconds", 1, "--off"),
                                 ("--lines -1 is no number of lines", 1, "--lines=-1"),
                                 ("--pprof needs the name of a file", 1, "--pprof="),
                                 ("the last option needs a value", 1, "--mark"),
                                 (f"there is no process {program.pid}", program.pid)):
            orders.refuses(self, TOOL, part, *arguments)
        program = self.start()
        orders.refuses(self, TOOL, "it is no heap profile", program.pid, "--since", other)
        orders.refuses(self, TOOL, "No such file", program.pid, "--since", other + "x")
        result = run(program.pid, "--pprof", os.path.join(self.folder, "none", "x"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot write", result.stderr)

    def test_reads_a_forged_table_that_is_right(self):
        program = self.start(FORGED, front="")
        report = self.read(program)
        self.assertEqual(report["stacksDamaged"], 1)  # the hash of one is wrong
        self.assertEqual([len(stack["frames"]) for stack in report["stacks"]], [2])
        self.assertEqual(report["inUse"], {"bytes": 1500, "objects": 1, "samples": 1})
        self.assertEqual(report["stacks"][0]["frames"][0]["function"], "0x1001")
        self.assertEqual(self.read(program, "--on", "64K")["interval"], 65536)

    def test_refuses_forged_tables(self):
        program = self.start(FORGED, front="")
        huge = 1 << 62
        for order, part in (("version 2", "version 2, and version 1 is understood"),
                            ("sampled 0", "takes no samples"),
                            ("hardened 7", "hardened is out of range"),
                            ("state.interval 1000000", "state.interval lies outside of its record"),
                            ("state.interval 3", "state.interval is not aligned"),
                            ("state.size 0", "state.size is out of range"),
                            ("address state 0", "state is no address"),
                            ("address state 4096", "in no module's data"),
                            (f"address state {huge}", "in no module's data"),
                            ("stack.size 99999999", "stack.size is out of range"),
                            ("stack.frames 64000", "stack.frames lies outside of its record"),
                            ("stack.mostFrames 1025", "stack.mostFrames is out of range"),
                            ("stack.mostFrames 300", "stack.frames lies outside of its record"),
                            ("stack.hash 4", "stack.hash is not aligned"),
                            (f"stacks {huge}", "stacks is out of range"),
                            ("stacks 1000000", "records.stacks lies outside of its record"),
                            ("samples 1000000", "records.samples lies outside of its record"),
                            (f"records.size {huge}", "records.size is out of range"),
                            (f"records.stacks {huge}", "records.stacks lies outside of its record"),
                            ("objectParts 0", "objectParts is out of range"),
                            ("sample.stack 4000", "sample.stack lies outside of its record"),
                            ("without 5", "lacks state.interval"),
                            ("without 0", "version 0"),
                            ("records 4096", "they are not where its table says"),
                            (f"records {huge}", "they are not where its table says")):
            program.order(order)
            result = run(program.pid, "--on", "--json")
            self.assertEqual((result.returncode, result.stdout), (1, ""), order)
            self.assertIn(part, result.stderr, order)
            self.assertEqual(result.stderr.replace("qpool: sampling is on", "").count("\n"), 1, order)
        program.order("right")
        self.read(program)


if __name__ == "__main__":
    unittest.main(verbosity=2)
