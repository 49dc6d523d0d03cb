# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Tests the traces of programs, and the messages if a trace cannot be written."""

import io
import json
import os
import re
import select
import shutil
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
SETUID = os.environ["QPOOL_SETUID"]
RUNNER = os.path.join(ROOT, "tools", "trace", "qpooltrace.py")
for folder in ("trace", "shared"):
    sys.path.insert(0, os.path.join(ROOT, "tools", folder))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import validator
from stream import Names, make_tail, read_events, read_tail


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
        self.assertEqual(len(self.slices(trace, "Receiver: runThreads(int)::{lambda()#1}")), 2)
        arrows = {entry["id"]: entry for entry in trace["traceEvents"] if entry["ph"] == "s"}
        self.assertGreaterEqual(len(arrows), 600)
        # All queues are empty at the end.
        lengths = {entry["name"]: entry["args"]["events"] for entry in trace["traceEvents"] if entry["ph"] == "C"
                   and entry["name"].startswith("queue of ")}
        self.assertEqual({re.sub(r" \(\d+\)$", "", name): length for name, length in lengths.items()},
                         {"queue of one": 0, "queue of two": 0})
        self.assertTrue(trace["otherData"]["the process ended by itself"])
        self.assertEqual(trace["otherData"]["records dropped because a ring was full"], 0)
        # No other file is left, and the file has the permissions of any new file.
        self.assertEqual(self.left(), ["trace.json"])
        umask = os.umask(0)
        os.umask(umask)
        self.assertEqual(stat.S_IMODE(os.stat(self.output).st_mode), 0o666 & ~umask)

    def test_memory_at_the_end(self):
        def last(number):
            result = self.trace(POSTER, "holding", str(number))
            self.assertEqual(result.returncode, 0, result.stderr)
            values = {}
            for entry in self.written()["traceEvents"]:
                if entry["ph"] == "C":
                    values[entry["name"]] = entry["args"]
            # QtCore allocates the private parts of the program's objects.
            return values["live memory"]["private"], values["resident memory"]["bytes"]

        number = 1 << 16
        few, many = last(0), last(number)
        # Each takes more than a hundred bytes; that is more than all else.
        self.assertEqual((many[0] - few[0]) // number // 100, 1)
        self.assertGreater(many[1], number * 1024)
        self.assertLess(few[1], number * 1024)

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

    def test_a_runner_that_is_stopped(self):
        """The program ends all the same, and the runner says what it missed."""
        command = [sys.executable, "-B", RUNNER, f"--libraries={RUNTIME}", f"--output={self.output}",
                   "--limit=100", "--", POSTER, "stopping", "0"]
        with subprocess.Popen(command, env={**os.environ, "QT_POOL_ALLOCATOR": "latency"}, cwd=self.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as runner:
            program = os.pidfd_open(int(runner.stdout.readline()))
            select.select([program], [], [])
            os.close(program)
            runner.send_signal(signal.SIGCONT)
            _, errors = runner.communicate()
        self.assertEqual(runner.returncode, 0, errors)
        missing = int(re.search(r"(\d+) events are missing, because", errors)[1])
        other = self.written()["otherData"]
        self.assertGreater(missing, 0)
        self.assertEqual(other["events missing because ./qpool trace was too slow"], missing)
        self.assertTrue(other["the process ended by itself"])

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

    def test_the_code_of_a_program_without_qt(self):
        result = self.trace("sh", "-c", "exit 42")
        self.assertEqual(result.returncode, 42)
        self.assertIn("recorded no events", result.stderr)

    def test_a_link_and_a_pipe_stay(self):
        target = os.path.join(self.folder, "target.json")
        os.symlink(target, self.output)
        self.assertEqual(self.trace(POSTER, "exit", "0").returncode, 0)
        self.assertTrue(os.path.islink(self.output))
        self.assertIn("traceEvents", self.written())
        os.unlink(self.output)
        os.mkfifo(self.output)
        with subprocess.Popen(["cat", self.output], stdout=subprocess.PIPE, text=True) as reader:
            self.assertEqual(self.trace(POSTER, "exit", "0").returncode, 0)
            self.assertIn("traceEvents", reader.stdout.read())
        self.assertTrue(stat.S_ISFIFO(os.stat(self.output).st_mode))

    def test_a_table_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([sys.executable, "-B", RUNNER, f"--libraries={RUNTIME}", "--summary", "--", POSTER,
                                     "exit", "0"], env={**os.environ, "QT_POOL_ALLOCATOR": "latency"},
                                    stdout=full, stderr=subprocess.PIPE, text=True, cwd=self.folder)
        self.refused(result, "the table cannot be written: No space left on device")

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
        self.assertEqual(result.returncode, 1, result.stderr)
        # There may be no tail either: then the program has told before what is missing.
        self.assertIn("set TMPDIR to another folder", result.stderr.splitlines()[-1])
        self.assertEqual(self.left(), [])


class Sockets(unittest.TestCase):
    """A traced process without the runner."""

    def start(self, *arguments, tail=None, program=POSTER, **options):
        reader, writer = socket.socketpair()
        inherited = (writer.fileno(),) + ((tail.fileno(),) if tail else ())
        variable = ":".join(map(str, ("$$", *inherited)))
        process = subprocess.Popen(
            ["bash", "-c", f'QT_POOL_ALLOCATOR_TRACE="{variable}" exec "$@"', "bash", program, *arguments],
            env={**os.environ, "QT_POOL_ALLOCATOR": "latency", "LD_LIBRARY_PATH": RUNTIME},
            pass_fds=inherited, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
        writer.close()
        with reader:
            return process, reader.makefile("rb")

    def flood(self, thousands, tail=None):
        """Read nothing before the program has ended; return what it recorded, what is read and its errors."""
        process, reader = self.start("flood", str(thousands), tail=tail)
        with reader:
            output, errors = process.communicate()
            self.assertEqual(process.returncode, 0, errors)
            stream = reader.read() + (read_tail(tail) if tail else b"")
        statistics = json.loads(output.splitlines()[-1])
        self.assertEqual(statistics["dropped"], 0)
        recorded = sum(row[fate] for row in statistics["events"]
                       for fate in ("delivered", "removed", "receiverDied", "compressed", "lost"))
        names = Names()
        return recorded, len(list(read_events(io.BytesIO(stream), names))), names, errors

    def test_a_reader_that_is_late(self):
        """The program ends, and leaves in the tail what the socket did not take."""
        with make_tail() as tail:
            recorded, received, names, errors = self.flood(20, tail)
        self.assertGreaterEqual(recorded, 20_000)
        self.assertEqual((received, names.missing, names.complete, errors), (recorded, 0, True, ""))

    def test_a_reader_that_is_too_late(self):
        with make_tail() as tail:
            recorded, received, names, errors = self.flood(0, tail)
        self.assertGreater(names.missing, 0)
        self.assertEqual((received + names.missing, names.complete, errors), (recorded, True, ""))

    def test_a_reader_that_never_reads(self):
        """Without a tail, the program says itself what is missing."""
        recorded, received, names, errors = self.flood(0)
        told = re.fullmatch(r"qpool: (\d+) of (\d+) events are not in the trace: .*\n", errors)
        self.assertTrue(told, errors)
        self.assertGreater(int(told[1]), 0)
        self.assertEqual((received + int(told[1]), int(told[2])), (recorded, recorded))
        self.assertFalse(names.complete)

    def test_a_reader_that_reads(self):
        """Rings may run full: then no thread waits, and lost records are counted."""
        with make_tail() as tail:
            process, reader = self.start("threads", "50000", tail=tail)
            with process, reader:
                stream = reader.read()
                self.assertEqual(process.communicate(), ("done\n", ""))
                stream += read_tail(tail)
        names = Names()
        events = list(read_events(io.BytesIO(stream), names))
        self.assertTrue(names.complete)
        # Each event has two records.
        self.assertGreaterEqual(2 * (len(events) + names.missing) + names.unfinished + names.dropped, 200_000)
        for event in events:
            self.assertLessEqual(event.begin, event.end)

    @unittest.skipIf(os.geteuid() != 0, "only the superuser can make a program of another user")
    def test_a_set_user_id_program(self):
        """It tells the user who starts it nothing."""
        other = 65534
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = shutil.copy(SETUID, folder)

            def traced():
                with make_tail() as tail:
                    process, reader = self.start("threads", "10", tail=tail, program=program, user=other,
                                                 group=other, extra_groups=())
                    with process, reader:
                        process.communicate()
                        self.assertEqual(process.returncode, 0)
                        return reader.read() + read_tail(tail)

            self.assertNotEqual(traced(), b"")
            os.chmod(program, 0o4755)
            rights = subprocess.run([program, "rights", "0"], user=other, capture_output=True, text=True)
            if rights.stdout != "0\n":
                self.skipTest(f"{folder} is mounted with nosuid")
            self.assertEqual(traced(), b"")

    def test_a_reader_that_goes_away(self):
        process, reader = self.start("threads", "20000")
        with process:
            reader.close()
            output, errors = process.communicate()
            self.assertEqual((process.returncode, output), (0, "done\n"))
            self.assertRegex(errors, r"^qpool: \d+ of \d+ events are not in the trace: .*\n$")


if __name__ == "__main__":
    unittest.main()
