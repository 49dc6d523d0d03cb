#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The runner of ./qpool trace: runs a program, and writes its records of how long posted events wait."""

import argparse
import contextlib
import errno
import io
import os
import signal
import socket
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "shared"))

import commands
from chrome import ChromeTrace
from counters import Queues
from documents import is_replaceable, take_place
from printable import printable
from stream import Names, StreamError, make_tail, read_events, read_tail
from summary import Summary

ENDINGS = (signal.SIGTERM, signal.SIGHUP)

# Viewers become slow with more events than this.
USUAL_LIMIT = 250_000


class TraceError(Exception):
    pass


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="qpool trace")
    parser.add_argument("--output")
    parser.add_argument("--libraries", default="", help="LD_LIBRARY_PATH of the program")
    parser.add_argument("--preload", default="", help="LD_PRELOAD of the program")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--limit", type=int, default=USUAL_LIMIT)
    parser.add_argument("--duration", type=float)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return commands.take_program(parser, parser.parse_args(arguments))


class Output:
    """A file that gets its name when it is complete. Until then, an older file of that name stays."""

    def __init__(self, path):
        self.path = os.path.realpath(path)
        self.aside = None
        try:
            # Fail before the program runs, because its records would be lost otherwise.
            if os.path.isdir(self.path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if is_replaceable(self.path):
                descriptor, self.aside = tempfile.mkstemp(prefix=".qpool-trace-",
                                                          dir=os.path.dirname(self.path))
            else:
                descriptor = os.open(self.path, os.O_WRONLY)
        except OSError as error:
            raise TraceError(f"{path} cannot be written: {error.strerror}: "
                             "give -o a file in a folder that you may write to") from None
        self.file = os.fdopen(descriptor, "w", encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Remove the file if it is incomplete."""
        try:
            self.file.close()
        except OSError:
            pass
        if self.aside:
            os.unlink(self.aside)

    def write(self, trace):
        try:
            trace.write(self.file)
            self.file.close()
            if self.aside:
                take_place(self.aside, self.path)
        except OSError as error:
            raise TraceError(f"{self.path} cannot be written: {error.strerror}: free some space, or give "
                             "-o a file on another disk") from None
        self.aside = None


def start(settings, inherited):
    """Start the program, which inherits these descriptors, and return its process id.

    The environment contains them and this id, so that programs that the program starts, which inherit the
    environment, know that they are not traced.
    """
    pid = os.fork()
    if pid == 0:
        try:
            os.environ["QT_POOL_ALLOCATOR_TRACE"] = ":".join(map(str, (os.getpid(), *inherited)))
            for name, value in (("LD_LIBRARY_PATH", settings.libraries),
                                ("LD_PRELOAD", settings.preload)):
                if value:
                    os.environ[name] = value
            # Reset the signals that Python ignores to their defaults.
            for name in (signal.SIGPIPE, signal.SIGXFSZ):
                signal.signal(name, signal.SIG_DFL)
            for descriptor in inherited:
                os.set_inheritable(descriptor, True)
            os.execvp(settings.command[0], settings.command)
        except OSError as error:
            os.write(2, f"qpool: {settings.command[0]} cannot be run: {error.strerror}\n".encode())
            os._exit(127 if error.errno == errno.ENOENT else 126)
        finally:
            os._exit(127)
    return pid


def copy_stream(reader, file, failure):
    """Store everything that the program writes.

    It is parsed later, because the program drops events for which Python would be too slow.
    """
    while True:
        try:
            data = reader.recv(1 << 20)
        except OSError as error:
            failure.append(error)
            return
        if not data:
            return
        # After a failure, continue to read, so that the program does not report that nobody does.
        store(data, file, failure)


def store(data, file, failure):
    rest = memoryview(data)
    try:
        while rest and not failure:
            rest = rest[file.write(rest):]
    except OSError as error:
        failure.append(error)


def run(settings, stream):
    """Run the program, and return its process id and its exit code as a shell would."""
    # This is not a pipe, because a program that writes to a pipe gets a signal if the runner has ended.
    ours, its = socket.socketpair()
    tail = make_tail()
    with ours, its, tail or contextlib.nullcontext():
        pid = start(settings, [its.fileno()] + ([tail.fileno()] if tail else []))
        its.close()
        return pid, watch(pid, ours, tail, settings, stream)


def watch(pid, ours, tail, settings, stream):
    # Ctrl+C ends the program, not this runner, which writes the records afterwards. The terminal sends it to both,
    # and so it does SIGHUP, but others may send that, too.
    for number in (signal.SIGINT, *ENDINGS):
        signal.signal(number, lambda got, _: got in ENDINGS and os.kill(pid, got))
    failure = []
    copying = threading.Thread(target=copy_stream, args=(ours, stream, failure), daemon=True)
    copying.start()
    timer = None
    if settings.duration:
        timer = threading.Timer(settings.duration, os.kill, (pid, signal.SIGTERM))
        timer.daemon = True
        timer.start()
    _, status = os.waitpid(pid, 0)
    if timer:
        timer.cancel()
    # What the program sent has arrived, and the rest is in the tail. Processes that it left behind may
    # still have the socket open.
    ours.shutdown(socket.SHUT_RD)
    copying.join()
    if tail and not failure:
        store(read_tail(tail), stream, failure)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in ENDINGS:
        signal.signal(number, lambda got, _: sys.exit(128 + got))
    if failure:
        raise TraceError(f"the program's records cannot be stored in {tempfile.gettempdir()}: "
                         f"{failure[0].strerror}: free some space, or set TMPDIR to another folder")
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def main(arguments):
    settings = parse_arguments(arguments)
    program = printable(os.path.basename(settings.command[0]))
    with tempfile.TemporaryFile(buffering=0) as stream:
        if settings.output is None and settings.summary:
            return trace(settings, program, stream, None)
        with Output(settings.output or f"{program}.trace.json") as output:
            return trace(settings, program, stream, output)


def trace(settings, program, stream, output):
    pid, code = run(settings, stream)
    size = stream.seek(0, os.SEEK_END)
    if code in (126, 127) and size == 0:
        return code
    stream.seek(0)
    names, summary, queues, events = Names(), Summary(), Queues(), []
    for event in read_events(io.BufferedReader(stream), names):
        summary.add(event)
        if output:
            queues.add(event)
        if len(events) < settings.limit:
            events.append(event)
    if size == 0:
        say(f"{program} recorded no events: it does not use Qt 6, brings its own Qt, "
            "starts another program that uses Qt, or was ended too soon")
        return code or 1
    left_out = summary.count - len(events)
    if output:
        output.write(ChromeTrace(pid, program, events, names, queues, left_out))
        say(f"{output.path}: {len(events)} events of {len(names.threads)} threads, "
            f"{names.dropped} records dropped; ui.perfetto.dev and Qt Creator open it")
    if names.missing:
        say(f"{names.missing} events are missing, because this command was stopped or too slow to take them")
    if left_out:
        say(f"{left_out} more events are left out: raise --limit to keep them")
    if not names.complete:
        say(f"{program} did not end by itself: the last few hundredths of a second may be missing")
    if settings.summary:
        print_table([*summary.lines(names),
                     f"{summary.count} events, {names.unfinished} more unfinished, "
                     f"{names.dropped} records dropped, {names.missing} events missing"])
    return code


def print_table(lines):
    try:
        print("\n".join(lines), flush=True)
    except OSError as error:
        # Python would try again, and complain, at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise TraceError(f"the table cannot be written: {error.strerror}") from None


def say(text):
    print(f"qpool: {text}", file=sys.stderr)


if __name__ == "__main__":
    commands.run(main, TraceError, StreamError)
