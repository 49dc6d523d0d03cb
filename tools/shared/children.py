# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs a program and measures its time, processor time and memory."""

import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# The time between two readings of /proc. It is shorter at first, so that short programs are read, too, and
# so that the end of the start is found precisely.
FIRST_LOOK_SECONDS = 0.004
START_LOOK_SECONDS = 0.01
LOOK_SECONDS = 0.05
# A program that has used no processor time for this long has started.
REST_SECONDS = 0.25
# The time that a program has to end after SIGTERM, before it is killed.
GRACE_SECONDS = 10
LAST_WORDS = 2000


@dataclass
class Run:
    """The resources that a process and the children that it waited for used; None for unknown values."""

    exit_code: int  # negative: the signal that ended it
    wall: float  # seconds
    startup: float  # seconds until it first used no processor time; None if it always did
    processor: float  # seconds
    peak: int  # bytes; None if it was not seen
    final: int  # bytes, at the last reading; of the process alone
    faults: int
    told_to_end: bool
    errors: str
    libraries: set = field(default_factory=set)

    @property
    def how_it_ended(self):
        if self.exit_code >= 0:
            return f"exited with code {self.exit_code}"
        try:
            return f"was ended by {signal.Signals(-self.exit_code).name}"
        except ValueError:
            return f"was ended by signal {-self.exit_code}"


class Looks:
    """Readings of /proc while a process runs."""

    def __init__(self, pid, begun):
        self.folder = f"/proc/{pid}"
        self.begun = self.last_work = begun
        self.ticks = 0
        self.final = self.peak = self.startup = None
        self.libraries = set()

    def look(self):
        values = {}
        for line in self.lines("status"):
            name, _, value = line.partition(":")
            if name in ("VmRSS", "VmHWM"):
                values[name] = int(value.split()[0]) * 1024
        # If the process has ended, these lines are missing.
        self.final = values.get("VmRSS", self.final)
        self.peak = values.get("VmHWM", self.peak)
        if self.startup is None:
            self.look_for_rest()

    def look_for_rest(self):
        """Find the end of the start. The system counts processor time in hundredths of a second."""
        now = time.monotonic()
        for line in self.lines("stat"):
            user, system = line.rpartition(")")[2].split()[11:13]
            ticks = int(user) + int(system)
            if ticks != self.ticks:
                self.ticks, self.last_work = ticks, now
            elif now - self.last_work >= REST_SECONDS:
                self.startup = self.last_work - self.begun

    def seconds_to_next(self, number):
        usual = LOOK_SECONDS if self.startup else START_LOOK_SECONDS
        return min(usual, FIRST_LOOK_SECONDS * 2 ** min(number, 10))

    def look_at_libraries(self):
        for line in self.lines("maps"):
            path = line.split(maxsplit=5)[5:]
            if path and ".so" in path[0]:
                self.libraries.add(path[0].strip())

    def lines(self, name):
        try:
            with open(f"{self.folder}/{name}", encoding="utf-8", errors="replace") as file:
                return file.readlines()
        except OSError:
            return []


def run_child(command, environment, duration=None, folder=None, grace=GRACE_SECONDS):
    """Run a program, and end it after `duration` seconds if it has not ended by itself.

    `environment` is the complete environment. Raise OSError if the program cannot be started.
    """
    with tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        # A separate session, so that the processes that the program starts end with it.
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=errors, cwd=folder,
                                   start_new_session=True)
        looks = Looks(process.pid, begun)
        told_to_end = False
        try:
            if not wait_for(process, looks, begun, duration):
                told_to_end = True
                looks.look()
                looks.look_at_libraries()
                os.killpg(process.pid, signal.SIGTERM)
                if not wait_for(process, None, time.monotonic(), grace):
                    os.killpg(process.pid, signal.SIGKILL)
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.monotonic() - begun
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            end_session(process)
        errors.seek(max(0, errors.seek(0, os.SEEK_END) - LAST_WORDS))
        return Run(exit_code=process.returncode, wall=wall, startup=looks.startup,
                   processor=usage.ru_utime + usage.ru_stime, peak=peak_of(usage, looks.peak),
                   final=looks.final, faults=usage.ru_minflt, told_to_end=told_to_end,
                   errors=errors.read().decode(errors="replace"), libraries=looks.libraries)


def wait_for(process, looks, begun, seconds):
    """Return whether the process ends within this many seconds; None means no limit.

    This does not reap the process, because its resource usage would be lost.
    """
    descriptor = os.pidfd_open(process.pid)
    try:
        ending = select.poll()
        ending.register(descriptor, select.POLLIN)
        number = 0
        while True:
            left = None if seconds is None else seconds - (time.monotonic() - begun)
            if left is not None and left <= 0:
                return False
            wait = looks.seconds_to_next(number) if looks else LOOK_SECONDS
            if left is not None:
                wait = min(wait, left)
            if ending.poll(1000 * wait):
                return True
            if looks:
                looks.look()
                # This is the slowest reading, and the libraries seldom change.
                if number in (2, 10) or number % 100 == 99:
                    looks.look_at_libraries()
            number += 1
    finally:
        os.close(descriptor)


def end_session(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    if process.returncode is None:
        process.wait()


def peak_of(usage, seen):
    """Return the largest resident memory.

    The system's value begins with the memory of the parent process, which is this runner. If the program
    needs less than the runner, only the readings of /proc are valid.
    """
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return seen if usage.ru_maxrss <= ours else usage.ru_maxrss * 1024
