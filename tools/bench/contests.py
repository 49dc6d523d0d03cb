# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""What can be measured: the data rows of the benchmark programs, and the contestants of each."""

import os
import re
import subprocess
from dataclasses import dataclass, field, replace

from arithmetic import make_row
from counting import count_difference, count_instructions
from peers import preloads
from preloading import with_preloaded
from processes import in_ticks, iterations_wanted, parse_csv, run_process

FRONT = os.path.join("src", "allocator", "malloc", "libqpool-malloc.so.1")
# Our subjects, by the last part of a data tag.
MODELS = ("SingleThreaded", "MultiThreaded", "MultiPool", "SharedPool", "StdAllocator",
          "StatefulAllocator")

# Rows in which one thread runs at a time are pinned to one processor. The others need several
# processors, and pin their threads themselves if they can.
ONE_PROCESSOR = re.compile(
    r"(loop|free|memory|churn|tail|scale/(live|classes)|pattern/(sh6|sh8|glibc-simple|mleak)"
    r"|stl/(?!cacheline)|queue/wake|shared/fragmentation"
    r"|qt/(?!queued)|qtkernel/(events|qcoreapplication|qobject)|qml"
    r"|programs/(?!queued|list|longrun|startup))\b")

# Of these, the rows whose process needs no second thread run without one. QTest starts a second thread,
# and glibc's malloc takes locks from then on. QML always has a second thread.
ONE_THREAD = re.compile(
    r"(loop|free|memory/\d|churn|tail|scale/(live|classes)|pattern/(sh6|sh8|glibc-simple)"
    r"|stl/(?!cacheline)"
    r"|qt/(?!queued)|qtkernel/(events|qcoreapplication))\b")

# These rows are measured again in a process with a second, sleeping thread, because most Qt programs have
# threads. The name of the row says so.
BESIDE_THREAD = re.compile(r"(loop/\d+x100|churn|qt/(qobject|qtimer|tree|connect))$")

# One of Qt's own benchmarks, left out: it reads and writes properties in 77 ways and allocates nothing.
NOT_ASKED = re.compile(r"qtkernel/qobject/qproperty_benchmark")

# Rows that two features affect; each feature is also measured alone.
EACH_ALONE = {re.compile(r"qt/(post|post-each|queued)$"): ("pool", "wakeup"),
              re.compile(r"qt/(qobject|qtimer|tree)$"): ("pool", "fastpaths")}

# These rows are measured again while the process records how long its events wait. If the row is pinned
# to one processor, the collector's thread runs there, too.
RECORDED = re.compile(r"qt/(post|post-each|queued)$")


# How often a measurement repeats its work when instructions are counted, in the shorter of two runs.
COUNTED_BODIES = 2

# The unit of Qt's own benchmarks: ticks of the processor's counter, whose rate is not known.
TICKS = "ticks/iteration"


class BenchError(Exception):
    pass


@dataclass
class Contestant:
    """One process of a round: a program, its data row, its environment."""

    program: str
    test: str
    environment: dict = field(default_factory=dict)
    starts_thread: bool = False  # so the process cannot run with one thread only


@dataclass
class Contest:
    """Rows that are measured together because they share their peers, for instance one per model."""

    name: str
    unit: str
    ours: dict
    peers: dict
    extra: dict = field(default_factory=dict)
    iterations: int = None  # of Qt's own benchmarks, once known
    beside_thread: bool = False
    rounds: int = None  # the largest number of rounds

    def contestants(self):
        for group in (self.ours, self.peers, self.extra):
            yield from ((key, who) for key, who in group.items() if who)

    @property
    def one_processor(self):
        return bool(ONE_PROCESSOR.match(self.name))

    @property
    def one_thread(self):
        return not self.beside_thread and bool(ONE_THREAD.match(self.name))

    @property
    def only_longer(self):
        """Whether the samples are of one processor's time."""
        return self.one_processor and self.unit in ("ns/op", TICKS)

    @property
    def own_measure(self):
        return self.unit == TICKS

    def run(self, who, settings, patience):
        """Return the sample of one process; None if it failed."""
        # The interaction of threads varies more over time than the work of a single thread.
        milliseconds = settings.milliseconds * (1 if self.one_processor else 3)
        environment = {**who.environment, "QPOOL_BENCH_MS": str(milliseconds)}
        if settings.quick:
            environment["QPOOL_BENCH_QUICK"] = "1"
        if self.one_processor:
            environment["QPOOL_BENCH_PROCESSOR_TIME"] = "1"
        if settings.calm:
            environment["QPOOL_BENCH_CALM"] = str(settings.calm)
            environment["QPOOL_BENCH_PATIENCE_MS"] = str(patience)
        start = []
        if self.one_thread and settings.alone and not who.starts_thread:
            start = [settings.alone]
            environment["QPOOL_BENCH_ONE_THREAD"] = "1"
        command = [*start, who.program, who.test, "-o", "-,csv"]
        if self.own_measure:
            # All contestants use the same number, so that they do the same work.
            if self.iterations is None:
                self.iterations = iterations_wanted(start, self.peers["glibc"], self.one_processor)
            if not self.iterations:
                return None
            command += in_ticks(self.iterations)
        result = run_process(command, environment, self.one_processor)
        return result and parse_csv(result[0])

    def count(self, who):
        """Return the number of instructions of one operation; None if a process failed."""
        def run(bodies):
            return count_instructions([who.program, who.test, "-o", "-,csv"],
                                      {**who.environment, "QPOOL_BENCH_BODIES": str(bodies)})

        # A program prints the number of operations of a body instead of a time.
        counted = count_difference(run, COUNTED_BODIES)
        operations = counted and parse_csv(counted[1])
        return operations and counted[0] / (COUNTED_BODIES * operations)

    def rows(self, samples, count):
        """Yield the rows, from samples by contestant; with `count` the samples are instructions."""
        unit = "instructions/op" if count else self.unit
        peers = {peer: who and samples[peer] for peer, who in self.peers.items()}
        extra = {key: samples[key] for key in self.extra}
        for name in self.ours:
            yield make_row(name, unit, samples[name], peers, extra, self.only_longer and not count)


def with_asked(libraries, asked):
    """Return the libraries with those of `asked`, a list of NAME=LIBRARY. One of the same name replaces ours."""
    result = dict(libraries)
    for text in asked:
        name, _, path = text.partition("=")
        if not re.fullmatch(r"[A-Za-z0-9._-]+", name) or not path:
            raise BenchError(f"--peer {text} is not NAME=LIBRARY: give one like mimalloc3=/opt/libmimalloc.so.3")
        if name in ("ours", "glibc", "limit", "distribution", *MODELS):
            raise BenchError(f"--peer {text}: {name} is a column of its own, so give the peer another name")
        path = os.path.abspath(path)
        if not os.path.isfile(path):
            raise BenchError(f"--peer {text}: there is no file {path}")
        if not preloads(path):
            raise BenchError(f"--peer {text}: the dynamic linker cannot preload {path}: "
                             "give a shared library for this machine that finds what it needs")
        result[name] = path
    return result


def unit_of(name):
    if name == "memory/peak":
        return "bytes/live byte"
    if name.startswith("tail/"):
        return "ns"
    if name.startswith("shared/fragmentation"):
        return "% of free"
    if name.startswith("objects/held"):
        return "objects"
    if name.startswith("memory/"):
        return "bytes/block" if name.split("/")[1].isdigit() else "% of before"
    return "% of allocating" if name.startswith("free/") else "ns/op"


def data_rows(program, environment):
    """Yield (test function, data tag) for each row of a QTest program."""
    result = subprocess.run([program, "-datatags"], env={**os.environ, **environment},
                            capture_output=True, text=True)
    if result.returncode:
        raise BenchError(f"{program} does not start: {result.stderr.strip()}")
    for line in result.stdout.splitlines():
        parts = line.split()
        if len(parts) >= 2:
            yield parts[1], " ".join(parts[2:])


def allocator_contests(program, libraries, front=None):
    """Yield contests from data tags that end in a subject: loop:16x100/malloc.

    Where malloc() is the only subject, ours is the malloc front.
    """
    subjects = {}
    for function, tag in data_rows(program, {}):
        *parts, subject = tag.split("/")
        name = "/".join([function, *parts])
        subjects.setdefault(name, {})[subject] = f"{function}:{tag}"
    for name, tests in subjects.items():
        ours = {f"{name}/{model}": Contestant(program, tests[model])
                for model in MODELS if model in tests}
        if "pool" in tests:
            ours[name] = Contestant(program, tests["pool"])
        if front and set(tests) == {"malloc"}:
            ours[name] = Contestant(program, tests["malloc"], with_preloaded({}, front))
        peers = {}
        if "malloc" in tests:
            peers["glibc"] = Contestant(program, tests["malloc"])
            for peer, path in libraries.items():
                peers[peer] = path and Contestant(program, tests["malloc"],
                                                  with_preloaded({}, path))
        # The program's own peers. A trailing "!" means that the program was compiled without the peer.
        for subject, test in tests.items():
            if subject not in (*MODELS, "pool", "malloc", "limit"):
                peers[subject.rstrip("!")] = None if subject.endswith("!") else Contestant(program, test)
        extra = {}
        if "limit" in tests:
            extra["limit"] = Contestant(program, tests["limit"])
        yield Contest(name, unit_of(name), ours, peers, extra)


@dataclass
class QtBuilds:
    """The folders of the build against the pooled QtCore, of that against stock, and of the QtCores."""

    pooled: str
    stock: str
    qt_dir: str
    distribution: bool  # whether the distribution's Qt has the same version

    def environment(self, variant):
        return {"LD_LIBRARY_PATH": os.path.join(self.qt_dir, f"{variant}-runtime"),
                "QT_QPA_PLATFORM": "offscreen"}

    def front(self):
        """Return the malloc front, or None: it exists only for the GNU C library."""
        path = os.path.join(self.stock, FRONT)
        return path if preloads(path) else None


def qt_contests(builds, name, libraries, prefix="", unit="ns/op"):
    """Yield the contests of a program that is built twice.

    One build is against the pooled QtCore. The other is against the distribution's QtCore, and runs with
    the flag off. A program without the first build runs unmodified on both QtCores.
    """
    on, off = builds.environment("on"), builds.environment("off")
    pooled, stock = (os.path.join(folder, "benchmarks", f"tst_bench_{name}")
                     for folder in (builds.pooled, builds.stock))
    if not os.path.exists(stock):
        return
    front = builds.front()
    for function, tag in data_rows(stock, off):
        row = re.sub(r"[ ,]+", "-", f"{prefix}{function}/{tag}".rstrip("/"))
        if NOT_ASKED.match(row):
            continue
        test = f"{function}:{tag}".rstrip(":")
        dropin = Contestant(stock, test, on)
        ours = {f"{row}/dropin": dropin}
        if front:
            ours[f"{row}/whole"] = Contestant(stock, test, with_preloaded(on, front))
        if os.path.exists(pooled):
            ours = {row: Contestant(pooled, test, on), **ours}
            for feature in next((some for rows, some in EACH_ALONE.items() if rows.match(row)), ()):
                # A program compiled with the pool's headers needs only the pool's functions.
                program = pooled if feature == "pool" else stock
                ours[f"{row}/{feature}"] = Contestant(program, test, builds.environment(feature))
            if RECORDED.match(row):
                recording = {**on, "QT_POOL_ALLOCATOR": "latency"}
                ours[f"{row}/latency"] = Contestant(pooled, test, recording, starts_thread=True)
        peers = {"glibc": Contestant(stock, test, off)}
        for peer, path in libraries.items():
            peers[peer] = path and Contestant(stock, test, with_preloaded(off, path))
        extra = {}
        if builds.distribution:
            extra["distribution"] = Contestant(stock, test, {"QT_QPA_PLATFORM": "offscreen"})
        # The limit takes no memory back from another thread, so there is none for rows with two
        # threads.
        limit = os.path.join(builds.stock, "benchmarks", "libqpool_limit.so")
        if row.startswith("qt/") and ONE_PROCESSOR.match(row) and os.path.exists(limit):
            extra["limit"] = Contestant(stock, test, with_preloaded(off, limit))
        yield Contest(row, unit, ours, peers, extra)


def with_second_thread(contests):
    """Yield the contests; a contest that a second thread affects is repeated with a second thread."""
    for contest in contests:
        yield contest
        if BESIDE_THREAD.match(contest.name):
            def named(name):
                return name.replace("/", "-beside-thread/", 1) if "/" in name \
                    else name + "-beside-thread"
            yield replace(contest, name=named(contest.name), beside_thread=True,
                          ours={named(row): who for row, who in contest.ours.items()})


def require_release(*folders):
    """Raise BenchError unless all folders are plain release builds."""
    for folder in folders:
        cache = os.path.join(folder, "CMakeCache.txt")
        try:
            with open(cache, encoding="utf-8") as file:
                text = file.read()
        except OSError:
            raise BenchError(f"there is no build in {folder}: call ./qpool bench") from None
        build_type = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", text, re.M)
        hardened = re.search(r"^QPOOL_HARDENED:[A-Z]+=(ON|1|2|TRUE|YES)$", text, re.M | re.I)
        if not build_type or build_type[1] != "Release" or hardened:
            kind = "a hardened" if hardened else f"a {build_type[1] if build_type else ''}".rstrip()
            raise BenchError(f"{folder} is {kind} build, whose times are meaningless: "
                             "configure it as a plain Release build")
