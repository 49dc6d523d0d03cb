# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the rows of whole programs in ./qpool bench, with a fake program."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
import unittest

for folder in ("bench", "shared"):
    sys.path.insert(0, os.path.join(os.environ["QPOOL_ROOT"], "tools", folder))

import contests
import pictures
import programs
import runner
from fakeprograms import write_program

# Prints the output of a scene, with values from its environment. A log records the order of runs.
PROGRAM = """#!/bin/sh
echo "$1 $3 ${WHO}" >>"$LOG"
[ "$FAIL" = "$WHO" ] && exit 1
printf '{"scene":"%s","turns":%d,"processor_ns":%d,"wall_ns":%d,"process_ns":5,' \\
    "$1" "${3:-10}" "$NS" "$NS"
printf '"faults":1,"process_faults":7,"peak":%d,"final":80,"resident":[100,101,102,%d]}\\n' \\
    "$PEAK" "$PEAK"
"""


def subject(who, time, peak):
    return {"WHO": who, "NS": str(time), "PEAK": str(peak)}


class Rows(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = os.path.join(folder.name, "program")
        self.log = os.path.join(folder.name, "log")
        write_program(self.program, PROGRAM)
        os.environ["LOG"] = self.log
        self.settings = types.SimpleNamespace(count=False, quick=True, rounds=3, seconds=None)
        self.groups = ({"whole": subject("whole", 1000, 110), "qt-only": subject("qt", 1600, 105)},
                       {"glibc": subject("glibc", 2000, 100), "quick": subject("quick", 1500, 150),
                        "absent": None}, {})

    def contest(self, rows, **more):
        return programs.make_contest(programs.ProgramContest, "programs/scene", rows, self.program,
                                     "scene", self.groups, **more)

    def measure(self, contest, **environment):
        os.environ.update(environment)
        with contextlib.redirect_stderr(io.StringIO()):
            rows, _ = runner.measure([contest], self.settings)
        for name in environment:
            del os.environ[name]
        return {row["name"]: row for row in rows}

    def processes(self):
        with open(self.log, encoding="utf-8") as file:
            return file.read().splitlines()

    def test_of_one_process_come_several_rows(self):
        rows = self.measure(self.contest(programs.OF_SCENE))
        time, memory = rows["programs/scene"], rows["programs/scene/memory"]
        self.assertEqual((time["ours"], time["unit"]), (100, "ns/op"))
        self.assertEqual(time["peers"], {"glibc": 200, "quick": 150, "absent": None})
        self.assertEqual((time["fastest_peer"], time["ratio_fastest"], time["ratio_glibc"]),
                         ("quick", 1.5, 2))
        self.assertEqual((memory["ours"], memory["unit"]), (110, "bytes"))
        self.assertEqual(memory["fastest_peer"], "glibc")
        self.assertAlmostEqual(memory["ratio_fastest"], 100 / 110)
        self.assertEqual(rows["programs/scene/qt-only"]["ours"], 160)
        # The subjects whole and qt-only, and two peers, in three rounds.
        self.assertEqual(len(self.processes()), 12)
        self.assertEqual(len({line for line in self.processes()}), 4)

    def test_processes_take_turns(self):
        self.measure(self.contest(programs.OF_SCENE))
        self.assertEqual([self.processes()[i].split()[-1] for i in (0, 4, 8)],
                         ["whole", "qt", "glibc"])

    def test_what_no_row_is_about_is_not_run(self):
        contest = self.contest(programs.OF_SCENE)
        settings = types.SimpleNamespace(filter=re.compile("/memory$"), count=False)
        contest.ours = {name: who for name, who in contest.ours.items()
                        if settings.filter.search(name)}
        self.assertEqual(list(self.measure(contest)), ["programs/scene/memory"])
        self.assertNotIn("qt", {line.split()[-1] for line in self.processes()})

    def test_long_run(self):
        rows = self.measure(self.contest(programs.OF_LONG_RUN, turns=8))
        self.assertEqual(rows["programs/scene"]["ours"], 110)
        self.assertEqual(rows["programs/scene"]["points"]["ours"], [100, 101, 102, 110])
        self.assertIsNone(rows["programs/scene"]["points"]["absent"])
        self.assertEqual(rows["programs/scene/growth"]["ours"], 110)
        self.assertEqual(self.processes()[0].split()[:2], ["scene", "8"])

    def test_what_takes_long_has_fewer_rounds(self):
        self.settings.seconds = 100
        contest = self.contest(programs.OF_LONG_RUN, rounds=2)
        self.assertEqual(self.measure(contest)["programs/scene"]["rounds"], 2)
        # A number of rounds that the user gave has priority.
        self.settings.seconds = None
        self.assertEqual(self.measure(contest)["programs/scene"]["rounds"], 3)

    def test_failure_is_a_row_without_values(self):
        rows = self.measure(self.contest(programs.OF_SCENE), FAIL="whole")
        self.assertIsNone(rows["programs/scene"]["ours"])
        self.assertEqual(rows["programs/scene/qt-only"]["ours"], 160)
        rows = self.measure(self.contest(programs.OF_LONG_RUN), FAIL="quick")
        self.assertIsNone(rows["programs/scene"]["points"]["quick"])
        self.assertEqual(rows["programs/scene"]["peers"]["glibc"], 100)

    def test_without_the_front_there_is_qtcore_alone(self):
        del self.groups[0]["whole"]
        self.assertEqual(list(self.contest(programs.OF_SCENE).ours),
                         ["programs/scene/qt-only", "programs/scene/memory/qt-only"])

    def test_invalid_output_is_none(self):
        self.assertIsNone(programs.measures_of(""))
        self.assertIsNone(programs.measures_of("scene\n"))
        self.assertIsNone(programs.measures_of('{"turns": 0, "processor_ns": 1, "resident": [1]}'))
        whole = {"turns": 2, "processor_ns": 10, "wall_ns": 12, "process_ns": 20,
                 "process_faults": 3, "peak": 9, "final": 8, "resident": [4]}
        self.assertEqual(programs.measures_of("note\n" + json.dumps(whole))["time"], 5)

    def test_times_and_memory_are_two_pictures(self):
        groups = pictures.groups_of(list(self.measure(self.contest(programs.OF_LONG_RUN)).values()))
        self.assertEqual(sorted(groups), ["programs", "programs-memory"])

    def test_the_picture_of_whole_programs_has_nothing_else(self):
        rows = [{"name": f"programs/{name}", "unit": "ns/op", "ours": 1, "peers": {"glibc": 1}}
                for name in ("dialogs", "dialogs/wall", "dialogs/qt-only", "dialogs/qt-only/jemalloc",
                             "startup/designer", "startup/designer/qt-only")]
        names = {group: [row["name"] for row in members]
                 for group, members in pictures.groups_of(rows).items()}
        self.assertEqual(names, {
            "programs": ["programs/dialogs"], "programs-wall": ["programs/dialogs/wall"],
            "programs-qt-only": ["programs/dialogs/qt-only", "programs/dialogs/qt-only/jemalloc"],
            "programs-startup": ["programs/startup/designer", "programs/startup/designer/qt-only"]})

    def test_only_scenes_of_one_thread_keep_to_one_processor(self):
        for name, alone in (("dialogs", True), ("tree", True), ("queued", False), ("list", False),
                            ("startup/designer", False)):
            contest = contests.Contest(f"programs/{name}", "ns/op", {}, {})
            self.assertEqual(contest.one_processor, alone, name)
            self.assertFalse(contest.one_thread, name)


class Environments(unittest.TestCase):
    def test_a_build_in_a_folder_with_a_blank(self):
        # LD_PRELOAD has no quoting, and the linker only warns of a library that it does not find.
        with open("/proc/self/maps", encoding="utf-8") as maps:
            library = next(line.split()[-1] for line in maps if re.search(r"/lib[mz]\.so", line))
        with tempfile.TemporaryDirectory(prefix="a folder ") as folder:
            front = os.path.join(folder, contests.FRONT)
            os.makedirs(os.path.dirname(front))
            shutil.copy(library, front)
            self.assertTrue(contests.preloads(front))
            builds = contests.QtBuilds(pooled=folder, stock=folder, qt_dir=folder,
                                       distribution=False)
            ours, peers, _ = programs.environments(builds, {"peer": front})
            for environment in (ours["whole"], peers["peer"]):
                loaded = subprocess.run(["/bin/cat", "/proc/self/maps"], env=environment, text=True,
                                        check=True, capture_output=True)
                self.assertEqual(loaded.stderr, "")
                self.assertIn(front, loaded.stdout)
            self.assertEqual(ours["qt-only"], builds.environment("on"))
            both = ours["qt-only/peer"]
            self.assertEqual(both["LD_PRELOAD"], peers["peer"]["LD_PRELOAD"])
            self.assertIn(ours["qt-only"]["LD_LIBRARY_PATH"], both["LD_LIBRARY_PATH"])


if __name__ == "__main__":
    unittest.main()
