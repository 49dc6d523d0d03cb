# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs a suite once, in its own environment."""

import os
import re
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field

from preloading import with_preloaded
from qtestxml import HUNG, Outcomes, read_outcomes

# Variables that are removed: a suite must neither depend on the user's session nor change it.
PRIVATE = re.compile(r"(XDG_|DBUS_|WAYLAND_|QTEST_)|(DISPLAY|LD_LIBRARY_PATH|TMPDIR|HOME)$")


@dataclass
class Run:
    outcomes: Outcomes = field(default_factory=Outcomes)
    # Why the program did not end normally; empty if it did.
    trouble: str = ""
    # The last lines that it printed.
    output: str = ""
    # The function in which the program was when its time was over; empty if it ended.
    hung: str = ""


@dataclass
class Mode:
    """A way to run the suites: their programs, and the QtCore that they run on."""
    name: str
    programs: dict
    library: str
    # Whether all of Qt's libraries must be in QtCore's folder.
    complete: bool = False
    # Modules that were not built. Suites that need them were not built either.
    without: list = field(default_factory=list)
    # The malloc front, which is preloaded; empty for none.
    front: str = ""
    # Where the suites' plugins are; empty if QtCore knows the place.
    plugins: str = ""
    # The command that runs a program of another processor; empty for this machine's.
    emulator: list = field(default_factory=list)

    def lacks(self, suite):
        return [module for module in suite.needs if module in self.without]


def environment_for(mode, home):
    environment = {name: value for name, value in os.environ.items() if not PRIVATE.match(name)}
    # The path must be absolute, because a suite runs in another folder.
    core = os.path.dirname(os.path.abspath(mode.library))
    environment.update(HOME=home, TMPDIR=os.path.join(home, "tmp"), XDG_RUNTIME_DIR=home,
                       LD_LIBRARY_PATH=core)
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    if mode.plugins:
        environment["QT_PLUGIN_PATH"] = os.path.abspath(mode.plugins)
    os.mkdir(environment["TMPDIR"])
    return with_preloaded(environment, os.path.abspath(mode.front)) if mode.front else environment


def wrong_library(mode, program, environment):
    """Return why a run would prove nothing; empty if it would be valid.

    A run on another QtCore than intended, or without the intended malloc front, proves nothing.
    """
    command = ["ldd", program]
    if mode.emulator:
        # ldd sets this variable itself, but does not know other processors. The emulator must be static.
        command = [*mode.emulator, program]
        environment = {**environment, "LD_TRACE_LOADED_OBJECTS": "1"}
    listing = subprocess.run(command, env=environment, capture_output=True, text=True,
                             check=False).stdout
    found = dict(re.findall(r"(libQt6\w+\.so\.6) => (\S+)", listing))
    wanted = os.path.realpath(mode.library)
    core = found.get("libQt6Core.so.6")
    if core is None or os.path.realpath(core) != wanted:
        return f"would run on {core or 'no QtCore'}, not on {mode.library}"
    # If the dynamic linker cannot preload a library, it continues without it.
    if mode.front and os.path.basename(mode.front) not in listing:
        return f"would run without {mode.front}, which cannot be loaded"
    for library in found.values():
        if mode.complete and os.path.dirname(os.path.realpath(library)) != os.path.dirname(wanted):
            return f"would run on {library}, which is not of the pooled Qt"
    return ""


def no_core_dump():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def tail(text):
    return "\n".join(text.splitlines()[-8:])


def run_suite(mode, suite, timeout, functions=()):
    """Run the whole suite, or only these functions."""
    if suite not in mode.programs:
        return Run(trouble="was not built")
    program, folder = mode.programs[suite]
    if not os.access(program, os.X_OK):
        return Run(trouble="was not built")
    with tempfile.TemporaryDirectory(prefix="qpool-suite-", ignore_cleanup_errors=True) as home:
        environment = environment_for(mode, home)
        # Functions are only repeated after the whole suite has run and was checked.
        trouble = "" if functions else wrong_library(mode, program, environment)
        if trouble:
            return Run(trouble=trouble)
        result = os.path.join(home, "result.xml")
        # Qt's own crash handler would start a debugger.
        command = [*mode.emulator, program, "-nocrashhandler", "-o", f"{result},xml", *functions]
        run = run_program(command, folder, environment, result, timeout)
        if not run.hung:
            return run
        names = functions or functions_of([*mode.emulator, program], folder, environment)
    # What QTest runs around the functions, such as initTestCase(), cannot be left out.
    if run.hung not in names:
        return run
    run.outcomes.add(run.hung, "", HUNG, run.trouble)
    done = {function for function, _ in run.outcomes}
    rest = [name for name in names if name not in done]
    # One hang does not hide what follows it.
    return run_functions(mode, suite, timeout, rest, run) if rest else Run(run.outcomes, output=run.output)


def functions_of(program, folder, environment):
    """Return the names of the suite's functions in their order."""
    listing = subprocess.run([*program, "-functions"], cwd=folder, env=environment, text=True,
                             capture_output=True, check=False).stdout
    return re.findall(r"^(\w+)\(\)", listing, re.MULTILINE)


def run_functions(mode, suite, timeout, functions, whole):
    """Run only these functions; the others keep their outcomes of the whole run."""
    run = run_suite(mode, suite, timeout, functions)
    # A function that hung before may end well now, and is not in the table under its bare name then.
    outcomes = Outcomes({key: outcome for key, outcome in whole.outcomes.items()
                         if key[0] not in functions or HUNG not in outcome})
    outcomes.update(run.outcomes)
    outcomes.details = {**whole.outcomes.details, **run.outcomes.details}
    return Run(outcomes, run.trouble, run.output)


def run_program(command, folder, environment, result, timeout):
    log = result + ".log"
    with open(log, "wb") as output:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True,
                                   preexec_fn=no_core_dump)
        trouble = ""
        try:
            code = process.wait(timeout)
        except subprocess.TimeoutExpired:
            trouble = f"timed out after {timeout:g} s"
            code = 0
        finally:
            # Helper processes that a suite leaves behind would disturb the next one.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
    with open(log, encoding="utf-8", errors="replace") as output:
        text = tail(output.read())
    outcomes, broken_off = read_outcomes(result)
    hung = (trouble and broken_off) or ""
    if code < 0:
        trouble = f"crashed ({signal.Signals(-code).name})"
    elif not trouble and broken_off is not None:
        trouble = f"ended early (exit code {code})"
    if trouble and broken_off is not None:
        trouble += f" in {broken_off}()" if broken_off else " before its first function"
    return Run(outcomes, trouble, text, hung)
