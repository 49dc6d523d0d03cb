#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The runner of ./qpool compare, which builds the QtCore that the programs run on."""

import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))

import commands
from comparison import Comparison
from documents import to_json, write_whole
from machine import machine_properties
from peers import find_peers
from subjects import OURS, QT_ONLY, all_subjects
from trials import CompareError, Trials


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="qpool compare")
    parser.add_argument("--qtcore", required=True, help="the folder of the pooled QtCore")
    parser.add_argument("--front", help="libqpool-malloc.so, if there is one")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--duration", type=float, default=5)
    parser.add_argument("--timeout", type=float)
    parser.add_argument("--json")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return commands.take_program(parser, parser.parse_args(arguments))


def notes(trials, settings):
    """Yield the notes that a reader of the table needs."""
    ended, every = trials.told_to_end()
    if every and ended == every:
        yield (f"{trials.name} was ended after {settings.duration:g} s each time, so its wall-clock "
               "time means nothing. Its processor time is meaningful if it did the same each time. "
               "\"start\" is the time until it first used no processor for a quarter of a second.")
    elif ended:
        yield (f"{trials.name} had to be ended in {ended} of {every} runs, so wall-clock times mean "
               f"nothing: let it run longer, with --duration {2 * settings.duration:g}.")
    unloaded = {name: missing for name, missing in trials.unloaded.items() if missing}
    for name, missing in unloaded.items():
        meaning = "its malloc is pooled, nothing else" \
            if name == OURS and missing == ["the pooled QtCore"] else "so this is no more than stock"
        yield f"On {name}, {trials.name} did not load {' and '.join(missing)}: {meaning}."


def main(arguments):
    settings = parse_arguments(arguments)
    libraries = find_peers()
    missing = [peer for peer, path in libraries.items() if path is None]
    for peer in missing:
        print(f"qpool: the peer {peer} is missing: its library is not installed", file=sys.stderr)
    machine = machine_properties()
    trials = Trials(all_subjects(settings.qtcore, settings.front, libraries), settings.command,
                    settings)
    trials.run_all()
    comparison = Comparison(trials)
    print(comparison.table())
    rounds = "1 round" if settings.rounds == 1 else f"{settings.rounds} rounds"
    against_the_best = comparison.against_the_best()
    if against_the_best:
        print(f"\n{against_the_best}")
    print(f"\n{machine['processor']}, {machine['processors']} processors, load "
          f"{machine['load_before']} before; {rounds}. Columns are medians; "
          "x stock = stock's value / this one's, the median of the rounds' ratios: above 1 is "
          "less time, or less memory.")
    for note in notes(trials, settings):
        print(note)
    if settings.json:
        write_whole(settings.json, to_json({
            "machine": machine,
            "command": settings.command,
            "rounds": settings.rounds,
            "ended_after": settings.duration if trials.told_to_end()[0] else None,
            "missing_peers": missing,
            "failures": trials.failures,
            "rows": list(comparison.rows(missing)),
        }))
    failed = [name for name in (OURS, QT_ONLY) if name in trials.failures]
    if failed:
        raise CompareError(f"{trials.name} works on stock, and not on: {'; '.join(failed)}")
    return 0


if __name__ == "__main__":
    commands.run(main, CompareError, OSError)
