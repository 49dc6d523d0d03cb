# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the traces of programs, and the messages if a trace cannot be written."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ["QPOOL_ROOT"]
RUNTIME = os.path.join(os.environ["QPOOL_QT_DIR"], "on-runtime")
POSTER = os.environ["QPOOL_POSTER"]
RUNNER = os.path.join(ROOT, "tools", "trace", "qpooltrace.py")
for folder in ("trace", "shared"):
    sys.path.insert(0, os.path.join(ROOT, "tools", folder))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import validator
from stream import DELIVERED, Names, read_events


class Traces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.output = os.path.join(self.folder, "trace.json")

    def trace(self, *arguments, output=True, environment=None, runner=()):
        given = [f"--output={self.output}"] if output else []
        return subprocess.run(
            [sys.executable, "-B", RUNNER, f"--libraries={RUNTIME}", *given, *runner, "--", *arguments],
            env={**os.environ, "QT_POOL_ALLOCATOR": "latency", "TMPDIR": self.folder,
                 **(environment or {})},
            capture_output=True, text=True, cwd=self.folder)

    def written(self):
        with open(self.output, encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(list(validator.faults(text)), [])
        return json.loads(text)

    def left(self):
        return sorted(os.listdir(self.folder))

    def slices(self, trace, name):
        return [entry for entry in trace["traceEvents"] if entry["ph"] == "X" and entry["name"] == name]

    def test_threads_and_arrows(self):
        result = self.trace(POSTER, "threads", "300")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "done\n")
        trace = self.written()
        names = {entry["tid"]: entry["args"]["name"] for entry in trace["traceEvents"]
                 if entry["name"] == "thread_name"}
        received = self.slices(trace, "Receiver: User+0")
        self.assertEqual(len(received), 600)
        self.assertEqual({names[entry["tid"]] for entry in received}, {"one", "two"})
        arrows = {entry["id"]: entry for entry in trace["traceEvents"] if entry["ph"] == "s"}
        self.assertGreaterEqual(len(arrows), 600)
        self.assertTrue(trace["otherData"]["the process ended by itself"])
        self.assertEqual(trace["otherData"]["records dropped because a ring was full"], 0)
        # No other file is left, and the file has the permissions of any new file.
        self.assertEqual(self.left(), ["trace.json"])
        umask = os.umask(0)
        os.umask(umask)
        self.assertEqual(stat.S_IMODE(os.stat(self.output).st_mode), 0o666 & ~umask)

    def test_the_programs_exit_code(self):
        result = self.trace(POSTER, "exit", "7")
        self.assertEqual(result.returncode, 7, result.stderr)
        self.written()

    def test_a_program_that_crashes(self):
        result = self.trace(POSTER, "crash", "50")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL, result.stderr)
        self.assertIn("did not end by itself", result.stderr)
        trace = self.written()
        self.assertFalse(trace["otherData"]["the process ended by itself"])
        # The program ends after it has sent these records.
        self.assertEqual(len(self.slices(trace, "Receiver: User+0")), 50)

    def test_a_program_that_stays_is_told_to_end(self):
        result = self.trace(POSTER, "stay", "10", runner=["--duration=2"])
        self.assertEqual(result.returncode, 128 + signal.SIGTERM, result.stderr)
        self.assertEqual(len(self.slices(self.written(), "Receiver: User+0")), 10)

    def test_the_limit(self):
        result = self.trace(POSTER, "threads", "300", runner=["--limit=100"])
        self.assertIn("left out", result.stderr)
        trace = self.written()
        handled = [entry for entry in trace["traceEvents"]
                   if entry["ph"] == "X" and "type" in entry.get("args", {})]
        self.assertEqual(len(handled), 100)
        self.assertGreaterEqual(
            trace["otherData"]["events left out because of the limit"], 500)

    def test_children_are_not_traced(self):
        result = self.trace(POSTER, "parent", "20")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "done\ndone\n")
        self.assertEqual(len(self.slices(self.written(), "Receiver: User+0")), 20)

    def test_a_program_that_closes_what_it_does_not_know(self):
        result = self.trace(POSTER, "closing", "30")
        self.assertEqual((result.returncode, result.stdout), (0, "done\n"), result.stderr)
        trace = self.written()
        self.assertEqual(len(self.slices(trace, "Receiver: User+0")), 30)
        self.assertFalse(trace["otherData"]["the process ended by itself"])

    def test_the_table(self):
        result = self.trace(POSTER, "threads", "300", output=False, runner=["--summary"])
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = [line.split() for line in result.stdout.splitlines() if line.startswith("Receiver ") and "User+0" in line]
        self.assertEqual({(row[1], row[2], row[3]) for row in rows},
                         {("User+0", "one", "300"), ("User+0", "two", "300")})
        self.assertEqual(self.left(), [])

    def test_the_usual_name(self):
        self.trace(POSTER, "exit", "0", output=False)
        self.assertEqual(self.left(), [os.path.basename(POSTER) + ".trace.json"])

    def refused(self, result, cause):
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn(cause, result.stderr)

    def test_a_program_without_qt(self):
        self.refused(self.trace("true"), "recorded no events")
        self.assertEqual(self.left(), [])

    def test_a_qt_that_does_not_record(self):
        self.refused(self.trace(POSTER, "exit", "0", environment={"QT_POOL_ALLOCATOR": "1"}),
                     "recorded no events")
        self.assertEqual(self.left(), [])

    def test_no_such_program(self):
        result = self.trace(os.path.join(self.folder, "absent"))
        self.assertEqual(result.returncode, 127)
        self.assertIn("cannot be run", result.stderr)
        self.assertEqual(self.left(), [])

    def test_a_folder_that_is_not_there(self):
        self.output = os.path.join(self.folder, "absent", "trace.json")
        self.refused(self.trace(POSTER, "exit", "0"), "cannot be written: No such file or directory")

    def test_a_folder_as_file(self):
        self.output = self.folder
        self.refused(self.trace(POSTER, "exit", "0"), "cannot be written: Is a directory")

    def test_a_full_disk(self):
        """The old file stays, and no incomplete file is left."""
        with open(self.output, "w", encoding="utf-8") as file:
            file.write("old")
        # Like /dev/full, but with a name: files cannot grow beyond this size.
        limited = ["bash", "-c", 'ulimit -f 8; exec "$@"', "bash"]
        result = subprocess.run(
            [*limited, sys.executable, "-B", RUNNER, f"--libraries={RUNTIME}",
             f"--output={self.output}", "--", POSTER, "threads", "60"],
            env={**os.environ, "QT_POOL_ALLOCATOR": "latency", "TMPDIR": "/dev/shm"},
            capture_output=True, text=True, cwd=self.folder)
        self.refused(result, "cannot be written: File too large")
        self.assertEqual(self.left(), ["trace.json"])
        with open(self.output, encoding="utf-8") as file:
            self.assertEqual(file.read(), "old")

    def test_no_room_for_what_the_program_tells(self):
        limited = ["bash", "-c", 'ulimit -f 8; exec "$@"', "bash"]
        result = subprocess.run(
            [*limited, sys.executable, "-B", RUNNER, f"--libraries={RUNTIME}",
             f"--output={self.output}", "--", POSTER, "threads", "3000"],
            env={**os.environ, "QT_POOL_ALLOCATOR": "latency", "TMPDIR": self.folder},
            capture_output=True, text=True, cwd=self.folder)
        self.refused(result, "set TMPDIR to another folder")
        self.assertEqual(self.left(), [])


class Sockets(unittest.TestCase):
    """A traced process without the runner."""

    def start(self, *arguments):
        reader, writer = socket.socketpair()
        process = subprocess.Popen(
            ["bash", "-c", f'QT_POOL_ALLOCATOR_TRACE="$$:{writer.fileno()}" exec "$@"', "bash", POSTER, *arguments],
            env={**os.environ, "QT_POOL_ALLOCATOR": "latency", "LD_LIBRARY_PATH": RUNTIME},
            pass_fds=(writer.fileno(),), stdout=subprocess.PIPE, text=True)
        writer.close()
        with reader:
            return process, reader.makefile("rb")

    def test_a_reader_that_is_late(self):
        """Rings run full: no thread waits, lost records are counted, and the others are consistent."""
        process, reader = self.start("threads", "50000")
        with process, reader:
            # The program prints this after it has posted and handled all events.
            self.assertEqual(process.stdout.readline(), "done\n")
            names = Names()
            events = list(read_events(reader, names))
            self.assertEqual(process.wait(), 0)
        self.assertTrue(names.complete)
        self.assertGreater(names.dropped, 0)
        delivered = [event for event in events if event.fate == DELIVERED
                     and names.class_name(event) == "Receiver"]
        self.assertLess(len(delivered), 100_000)
        # Each event has two records. All are in the stream or counted.
        self.assertGreaterEqual(2 * len(events) + names.unfinished + names.dropped, 200_000)
        for event in delivered:
            self.assertLessEqual(event.begin, event.end)

    def test_a_reader_that_goes_away(self):
        process, reader = self.start("threads", "20000")
        with process:
            reader.close()
            self.assertEqual(process.stdout.readline(), "done\n")
            self.assertEqual(process.wait(), 0)


if __name__ == "__main__":
    unittest.main()
