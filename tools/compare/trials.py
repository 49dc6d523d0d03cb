# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs a program on each subject in turn, round by round."""

import os
import sys

from children import run_child
from printable import printable
from progress import Progress


class CompareError(Exception):
    pass


class Trials:
    """The runs of a program by subject, one per round.

    If the program fails on a subject, the subject is left out from then on; `failures` has the reason.
    """

    def __init__(self, subjects, command, settings):
        self.subjects = subjects
        self.command = command
        self.settings = settings
        self.runs = {subject.name: [] for subject in subjects}
        self.failures = {}
        self.unloaded = {}  # by subject: the libraries that the program has not loaded

    def run_all(self):
        self.try_stock()
        progress = Progress()
        rounds = self.settings.rounds
        for number in range(rounds):
            # The first subject changes, so that the same one does not always get an idle processor.
            first = number % len(self.subjects)
            turn = self.subjects[first:] + self.subjects[:first]
            for index, subject in enumerate(turn):
                if subject.name not in self.failures:
                    self.run_one(subject, number)
                done, total = number * len(turn) + index + 1, rounds * len(turn)
                progress.show(done, total, f"round {number + 1} of {rounds}: {subject.name}",
                              progress.elapsed() * (total - done) / done)
        progress.end()

    def try_stock(self):
        """Run the program on stock once, without measuring.

        This loads files from the disk into memory, and shows whether the program works at all.
        """
        stock = self.subjects[0]
        try:
            run = self.start(stock)
        except OSError as error:
            raise CompareError(f"{self.command[0]} does not start: {error.strerror}") from None
        failure = self.failure_of(run)
        if failure:
            raise CompareError(f"{self.name} {failure} on stock, so there is nothing to compare"
                               + last_words(run))

    @property
    def name(self):
        return printable(os.path.basename(self.command[0]))

    def start(self, subject):
        settings = self.settings
        seconds = settings.timeout or settings.duration
        return run_child(self.command, subject.environment(os.environ), seconds)

    def failure_of(self, run):
        if run.told_to_end:
            # The exit code after the signal does not matter.
            return f"had not ended after {self.settings.timeout:g} s" if self.settings.timeout else None
        return run.how_it_ended if run.exit_code else None

    def run_one(self, subject, number):
        try:
            run = self.start(subject)
        except OSError as error:
            raise CompareError(f"{self.command[0]} does not start any more: {error.strerror}") from None
        failure = self.failure_of(run)
        if failure:
            self.failures[subject.name] = failure
            # Earlier results of this subject may be wrong, too.
            self.runs[subject.name] = []
            print(f"\nqpool: {self.name} {failure} on {subject.name} in round {number + 1}, which is "
                  f"left out{last_words(run)}", file=sys.stderr)
            return
        self.runs[subject.name].append(run)
        missing = subject.missing_in(run.libraries)
        if missing is not None:
            # Libraries may be loaded late, so it is enough if one run has loaded them.
            known = self.unloaded.setdefault(subject.name, missing)
            self.unloaded[subject.name] = [library for library in known if library in missing]

    def told_to_end(self):
        """Return how many runs were ended by the runner, and how many there were."""
        every = [run for runs in self.runs.values() for run in runs]
        return sum(run.told_to_end for run in every), len(every)


def last_words(run):
    """Return the last line that the program printed on standard error, as part of a message."""
    lines = run.errors.strip().splitlines()
    return f"; its last words: {printable(lines[-1], 200)}" if lines else ""
