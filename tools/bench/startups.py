# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The start of the distribution's programs, which a plugin of ours ends once they show a window."""

import os
import tempfile
from dataclasses import dataclass

from children import run_child
from processes import TIMEOUT
from programs import OF_STARTUP, ProgramContest, environments, make_contest

# Where the distribution has them, if they are installed.
PROGRAMS = {
    "designer": "/usr/lib/qt6/bin/designer",
    "linguist": "/usr/lib/qt6/bin/linguist",
}
STOCK, POOLED = "0 steps, stock", "0 steps, pooled"


@dataclass
class StartupContest(ProgramContest):
    def run(self, who, _settings, _patience):
        # A home of its own each time: what one saves is not to be read by the next.
        with tempfile.TemporaryDirectory() as home:
            environment = {name: value for name, value in os.environ.items()
                           if not name.startswith("XDG_")}
            environment |= {"HOME": home, "XDG_RUNTIME_DIR": home, "TMPDIR": home, **who.environment}
            try:
                run = run_child([who.program], environment, duration=TIMEOUT, folder=home)
            except OSError:
                return None
        # What the plugin says of the QtCore it found.
        expected = POOLED if who in self.subjects.values() else STOCK
        if run.exit_code or run.told_to_end or expected not in run.errors:
            return None
        return {"process": 1e9 * run.processor, "peak": run.peak, "faults": run.faults}


def startup_contests(builds, libraries):
    plugins = os.path.join(builds.stock, "benchmarks", "plugins")
    if not os.path.exists(plugins):
        return
    driven = {"QT_PLUGIN_PATH": plugins, "QT_QPA_GENERIC_PLUGINS": "qpooldriver:steps=0"}
    groups = [{key: one and {**one, **driven} for key, one in group.items()}
              for group in environments(builds, libraries)]
    for name, program in PROGRAMS.items():
        if os.path.exists(program):
            yield make_contest(StartupContest, f"programs/startup/{name}", OF_STARTUP, program, "",
                               groups)
