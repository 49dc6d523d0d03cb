# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Contests of starting the distribution's programs, which our plugin ends when they show a window."""

import glob
import os
import tempfile
from dataclasses import dataclass

from children import run_child
from processes import TIMEOUT
from programs import OF_STARTUP, ProgramContest, environments, make_contest

STOCK, POOLED = "0 steps, stock", "0 steps, pooled"
SCRIPT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests",
                                       "benchmarks", "programs", "startup.py"))


@dataclass(frozen=True)
class Program:
    """A program of the distribution: its path, and its package."""

    path: str
    package: str
    argument: str = ""
    needs: str = ""  # a pattern for other files that must exist

    def is_installed(self):
        return os.path.exists(self.path) and bool(not self.needs or glob.glob(self.needs))


PROGRAMS = {
    "designer": Program("/usr/lib/qt6/bin/designer", "designer-qt6"),
    "linguist": Program("/usr/lib/qt6/bin/linguist", "linguist-qt6"),
    "qtcreator": Program("/usr/bin/qtcreator", "qtcreator"),
    "pyqt6": Program("/usr/bin/python3", "python3-pyqt6", SCRIPT,
                     "/usr/lib/python3/dist-packages/PyQt6/QtWidgets*.so"),
}


@dataclass
class StartupContest(ProgramContest):
    def run(self, who, _settings, _patience):
        # Each run has a new home folder, so that it cannot read what another run saved.
        with tempfile.TemporaryDirectory() as home:
            environment = {name: value for name, value in os.environ.items()
                           if not name.startswith("XDG_")}
            environment |= {"HOME": home, "XDG_RUNTIME_DIR": home, "TMPDIR": home, **who.environment}
            command = [who.program, who.test] if who.test else [who.program]
            try:
                run = run_child(command, environment, duration=TIMEOUT, folder=home)
            except OSError:
                return None
        # The plugin reports which QtCore it found.
        expected = POOLED if who in self.subjects.values() else STOCK
        if run.exit_code or run.told_to_end or expected not in run.errors:
            return None
        return {"process": 1e9 * run.processor, "peak": run.peak, "faults": run.faults}


def row_of(name):
    return f"programs/startup/{name}"


def missing_programs(wanted):
    """Return the packages of programs that are not installed, by program.

    Programs without a row that matches the pattern `wanted` are left out.
    """
    return {name: program.package for name, program in PROGRAMS.items()
            if not program.is_installed()
            and any(wanted.search(row_of(name) + ending) for ending in OF_STARTUP)}


def startup_contests(builds, libraries):
    plugins = os.path.join(builds.stock, "benchmarks", "plugins")
    if not os.path.exists(plugins):
        return
    driven = {"QT_PLUGIN_PATH": plugins, "QT_QPA_GENERIC_PLUGINS": "qpooldriver:steps=0"}
    groups = [{key: one and {**one, **driven} for key, one in group.items()}
              for group in environments(builds, libraries)]
    for name, program in PROGRAMS.items():
        if program.is_installed():
            yield make_contest(StartupContest, row_of(name), OF_STARTUP, program.path,
                               program.argument, groups)
