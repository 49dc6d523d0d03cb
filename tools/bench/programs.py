# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Contests of whole programs that were not rebuilt: one process yields several rows.

Ours is the pooled QtCore with the malloc front preloaded, so that all of the program's memory comes
from the pool. qt-only is the pooled QtCore alone, and qt-only/<peer> the same with a peer preloaded.
"""

import json
import os
from dataclasses import dataclass, field, replace

from arithmetic import make_row, median_of
from contests import Contest, Contestant
from counting import count_difference, count_instructions
from preloading import with_preloaded
from processes import run_process

# By scene: its program, and the number of turns with --quick; None if --quick leaves the scene out.
SCENES = {
    "dialogs": ("bench_scenes", 8),
    "tree": ("bench_scenes", 2),
    "document": ("bench_scenes", None),
    "graphics": ("bench_scenes", None),
    "filter": ("bench_scenes", None),
    "animations": ("bench_scenes", None),
    "typing": ("bench_scenes", None),
    "queued": ("bench_scenes", 4),
    "list": ("bench_quick", None),
}
# With --count, in the shorter of two runs.
COUNTED_TURNS = 2
LONG_TURNS = 200  # of longrun, with --quick
# Few rounds, because longrun takes long and its memory differs little from run to run. By --quick.
LONG_ROUNDS = {False: 3, True: 2}

# By the ending of the row's name: the subject, the value and its unit.
OF_SCENE = {
    "": ("whole", "time", "ns/op"),
    "/qt-only": ("qt-only", "time", "ns/op"),
    "/wall": ("whole", "wall", "ns/op"),
    "/memory": ("whole", "peak", "bytes"),
    "/memory/qt-only": ("qt-only", "peak", "bytes"),
    "/final": ("whole", "final", "bytes"),
}
# With --count.
OF_COUNTED_SCENE = {
    "": ("whole", "instructions", "instructions/op"),
    "/qt-only": ("qt-only", "instructions", "instructions/op"),
}
OF_LONG_RUN = {
    "": ("whole", "last", "bytes"),
    "/qt-only": ("qt-only", "last", "bytes"),
    "/growth": ("whole", "growth", "% of before"),
    "/memory": ("whole", "peak", "bytes"),
    "/time": ("whole", "time", "ns/op"),
}
OF_STARTUP = {
    "": ("whole", "process", "ns/op"),
    "/qt-only": ("qt-only", "process", "ns/op"),
    "/memory": ("whole", "peak", "bytes"),
    "/faults": ("whole", "faults", "page faults"),
}


@dataclass
class ProgramContest(Contest):
    """The rows of one program. `ours` has the contestants by row, and `subjects` by subject."""

    subjects: dict = field(default_factory=dict)
    measures: dict = field(default_factory=dict)  # by row, as in OF_SCENE
    turns: int = None

    def contestants(self):
        wanted = {self.measures[row][0] for row in self.ours}
        yield from ((key, who) for key, who in self.subjects.items() if key in wanted)
        for group in (self.peers, self.extra):
            yield from ((key, who) for key, who in group.items() if who)

    def run(self, who, _settings, _patience):
        """Return all values of one process; None if it failed."""
        turns = ["--turns", str(self.turns)] if self.turns else []
        result = run_process([who.program, who.test, *turns], who.environment, self.one_processor)
        return result and measures_of(result[0])

    def count(self, who):
        """Return the number of instructions of one turn as the only value; None if a process failed."""
        counted = count_difference(
            lambda turns: count_instructions([who.program, who.test, "--turns", str(turns)],
                                             who.environment), COUNTED_TURNS)
        return counted and {"instructions": counted[0] / COUNTED_TURNS}

    def rows(self, samples, _count):
        for name in self.ours:
            subject, measure, unit = self.measures[name]

            def of(key):
                return [sample and sample.get(measure) for sample in samples[key]]

            row = make_row(name, unit, of(subject),
                           {peer: who and of(peer) for peer, who in self.peers.items()},
                           {key: of(key) for key in self.extra},
                           # "wall" also includes the time for which the program waits.
                           measure == "process" or (self.one_processor and measure == "time"))
            if measure == "last":
                row["points"] = {"ours": points_of(samples[subject]),
                                 **{peer: who and points_of(samples[peer])
                                    for peer, who in self.peers.items()}}
            yield row


def points_of(samples):
    """Return the resident memory after each quarter of the turns, as medians over the rounds."""
    known = [sample["points"] for sample in samples if sample]
    return [median_of(of_rounds) for of_rounds in zip(*known)] if known else None


def measures_of(output):
    """Return the values in the line that a scene prints; None if it is not valid."""
    try:
        result = json.loads(output.strip().splitlines()[-1])
        resident = result["resident"]
        return {
            "time": result["processor_ns"] / result["turns"],
            "wall": result["wall_ns"] / result["turns"],
            "process": result["process_ns"],
            "faults": result["process_faults"],
            "peak": result["peak"],
            "final": result["final"],
            "last": resident[-1],
            "growth": 100 * resident[-1] / resident[0],
            "points": resident,
        }
    except (ValueError, LookupError, TypeError, ZeroDivisionError):
        return None


def environments(builds, libraries):
    """Return the environments by name: ours, the peers', and those that are only shown."""
    on, off = builds.environment("on"), builds.environment("off")
    ours = {}
    if front := builds.front():
        ours["whole"] = with_preloaded(on, front)
    ours["qt-only"] = on
    peers = {"glibc": off}
    for peer, path in libraries.items():
        peers[peer] = path and with_preloaded(off, path)
        if path:
            ours[f"qt-only/{peer}"] = with_preloaded(on, path)
    extra = {"distribution": {"QT_QPA_PLATFORM": "offscreen"}} if builds.distribution else {}
    return ours, peers, extra


def make_contest(kind, name, rows, program, test, environment_groups, **more):
    """Return a contest of one program in all these environments."""
    ours, peers, extra = ({key: one and Contestant(program, test, one)
                           for key, one in group.items()} for group in environment_groups)
    measures = {name + ending: row for ending, row in rows.items() if row[0] in ours}
    return kind(name, "ns/op", {row: ours[whose] for row, (whose, _, _) in measures.items()},
                peers, extra, subjects=ours, measures=measures, **more)


def program_contests(builds, libraries, quick, count):
    """Yield the contests of the scenes; a quick run has fewer and shorter ones.

    With `count`, the rows of a scene are instructions.
    """
    folder = os.path.join(builds.stock, "benchmarks")
    if not os.path.exists(os.path.join(folder, "bench_scenes")):
        return
    if quick or count:
        builds = replace(builds, distribution=False)
    groups = environments(builds, libraries)
    # A quick run has no time for the pooled QtCore with other allocators.
    of_scene = OF_COUNTED_SCENE if count else OF_SCENE if quick else {
        **OF_SCENE, **{f"/{key}": (key, "time", "ns/op") for key in groups[0] if "/" in key}}

    def contest(scene, program, rows, **more):
        return make_contest(ProgramContest, f"programs/{scene}", rows,
                            os.path.join(folder, program), scene, groups, **more)

    for scene, (program, turns) in SCENES.items():
        if turns or not quick:
            yield contest(scene, program, of_scene, turns=turns if quick else None)
    yield contest("longrun", "bench_quick", OF_LONG_RUN, rounds=LONG_ROUNDS[bool(quick)],
                  turns=LONG_TURNS if quick else None)
    if not quick:
        yield make_contest(ProgramContest, "programs/startup/scenes", OF_STARTUP,
                           os.path.join(folder, "bench_scenes"), "startup", groups)
