# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs the contests in rounds, each contestant in its own process."""

from contests import BenchError
from progress import Progress


# How long a process may wait for the machine to be idle: other load comes in bursts, often of some
# tenths of a second. If the run is behind schedule, processes do not wait.
PATIENCE_MS = 400

# With fewer rounds the spread includes every outlier. Only --quick may have fewer.
FEWEST_ROUNDS = 7


class Rounds:
    """Samples by contest and contestant, one per round."""

    def __init__(self, contests, settings):
        self.contests = contests
        self.settings = settings
        self.samples = [{key: [] for key, _ in contest.contestants()} for contest in contests]
        self.progress = Progress()
        self.patience = PATIENCE_MS

    def elapsed(self):
        return self.progress.elapsed()

    def processes(self, chosen):
        return sum(len(self.samples[index]) for index in chosen)

    def run(self, chosen, number, tell):
        """Run a round of the chosen contests, given as indices.

        Calls tell(number of processes that have run, contest's name) after each contest.
        """
        done = 0
        for index in chosen:
            contest = self.contests[index]
            if self.settings.seconds and contest.rounds and number >= contest.rounds:
                continue
            turn = list(contest.contestants())
            # The first contestant changes, so that the same one does not always get an idle processor.
            first = number % len(turn)
            for key, who in turn[first:] + turn[:first]:
                sample = (contest.count(who) if self.settings.count
                          else contest.run(who, self.settings, self.patience))
                self.samples[index][key].append(sample)
                done += 1
            tell(done, contest.name)

    def run_all(self):
        """Run all contests for the wanted number of rounds or as time permits; return the number."""
        everything = range(len(self.contests))
        wanted, of_round = self.settings.rounds, self.processes(everything)
        for number in range(wanted):
            def tell(done, name):
                at, total = number * of_round + done, wanted * of_round
                if self.settings.seconds:
                    # The last round does not begin unless there is time for all of it.
                    ahead = at / total > self.elapsed() / (0.9 * self.settings.seconds)
                    self.patience = PATIENCE_MS if ahead else 0
                self.progress.show(at, total, f"round {number + 1} of {wanted}: {name}",
                                   self.elapsed() * (total - at) / at)
            self.run(everything, number, tell)
            rounds = number + 1
            may_end = self.settings.quick or rounds >= FEWEST_ROUNDS
            if may_end and not self.time_for(self.elapsed() / rounds):
                return rounds
        return wanted

    def time_for(self, seconds):
        return not self.settings.seconds or self.elapsed() + seconds <= self.settings.seconds

    def noisy(self):
        """Return the contests with a row that would be worthless.

        A program's wall-clock time is ignored: it is always noisy on a busy machine, and the program's
        processor time says more.
        """
        return [index for index, contest in enumerate(self.contests) if not contest.rounds
                and any(row["worthless"] and row["ours"] is not None
                        and not row["name"].endswith("/wall")
                        for row in contest.rows(self.samples[index], self.settings.count))]

    def run_more(self, rounds):
        """Measure rows that are still worthless again in the remaining time."""
        of_process = self.elapsed() / max(1, rounds * self.processes(range(len(self.contests))))
        number = rounds
        while noisy := self.noisy():
            # Contests with several threads take longer.
            if number == 4 * rounds or not self.time_for(3 * of_process * self.processes(noisy)):
                break
            number += 1
            self.run(noisy, number, lambda done, name: self.progress.show(
                99, 100, f"round {number} of noisy rows, {len(noisy)} left: {name}"))


def measure(contests, settings):
    if not contests:
        raise BenchError("no row has such a name: ./qpool bench --list prints the names")
    run = Rounds(contests, settings)
    rounds = run.run_all()
    if settings.seconds:
        run.run_more(rounds)
    run.progress.end()
    rows = []
    for contest, of_contest in zip(contests, run.samples):
        rows += contest.rows(of_contest, settings.count)
    return rows, rounds
