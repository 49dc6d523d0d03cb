# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs a program on each subject in turn, round by round."""

import os
import sys

from children import GRACE_SECONDS, run_child
from progress import Progress


class CompareError(Exception):
    pass


class Trials:
    """Runs by subject, one a round. A subject on which the program fails is left out from then on;
    `failures` says why."""

    def __init__(self, subjects, command, settings):
        self.subjects = subjects
        self.command = command
        self.settings = settings
        self.runs = {subject.name: [] for subject in subjects}
        self.failures = {}
        self.unloaded = {}  # by subject: what the program has not loaded

    def run_all(self):
        self.try_stock()
        progress = Progress()
        rounds = self.settings.rounds
        for number in range(rounds):
            # Who goes first changes, so that nobody always runs on a processor just woken.
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
        """Not counted: it brings into memory what has to be read from the disk, and shows whether
        the program works at all."""
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
        return os.path.basename(self.command[0])

    def start(self, subject):
        settings = self.settings
        seconds = settings.timeout or settings.duration
        return run_child(self.command, subject.environment(os.environ), seconds,
                         grace=GRACE_SECONDS)

    def failure_of(self, run):
        if run.told_to_end:
            # How it takes that is its own affair.
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
            # What it did before may be as wrong.
            self.runs[subject.name] = []
            print(f"\nqpool: {self.name} {failure} on {subject.name} in round {number + 1}, which is "
                  f"left out{last_words(run)}", file=sys.stderr)
            return
        self.runs[subject.name].append(run)
        missing = subject.missing_in(run.libraries)
        if missing is not None:
            # Late libraries show in later looks; what one run has seen is enough.
            known = self.unloaded.setdefault(subject.name, missing)
            self.unloaded[subject.name] = [library for library in known if library in missing]

    def told_to_end(self):
        """How many of the runs, and of how many."""
        every = [run for runs in self.runs.values() for run in runs]
        return sum(run.told_to_end for run in every), len(every)


def last_words(run):
    """The last line that the program printed on its standard error."""
    lines = run.errors.strip().splitlines()
    return f"; its last words: {lines[-1][:200]}" if lines else ""
