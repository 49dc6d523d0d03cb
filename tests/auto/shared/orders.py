# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""A program that a test controls: it reads a line, executes it, and answers "ready", first when it has started.
So nothing depends on time."""

import os
import subprocess

RUNTIME = os.path.join(os.environ["QPOOL_QT_DIR"], "on-runtime")


def run(tool, *arguments, prefix=()):
    """A run of a tool, and what it printed."""
    return subprocess.run([*prefix, tool, *map(str, arguments)], capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C.UTF-8"})


def refuses(test, tool, message, *arguments):
    """The tool ends with 2, prints nothing, and says in one line why."""
    result = run(tool, *arguments)
    test.assertEqual((result.returncode, result.stdout), (2, ""), message)
    test.assertEqual(result.stderr.count("\n"), 1)
    test.assertIn(message, result.stderr)


class Program:
    """The program on the pooled QtCore, from when it is ready until the end of a with."""

    def __init__(self, file, **environment):
        self.process = subprocess.Popen(
            [file], env={**os.environ, "LD_LIBRARY_PATH": RUNTIME, "QT_QPA_PLATFORM": "offscreen", **environment},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pid = self.process.pid
        self._await()

    def _await(self):
        answer = self.process.stdout.readline()
        if answer != "ready\n":
            self.end()
            raise AssertionError(f"the program answers {answer!r}")

    def order(self, line):
        """Returns when the program has executed it."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self._await()

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
