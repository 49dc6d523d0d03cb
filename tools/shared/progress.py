# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Prints the progress of a long measurement."""

import sys
import time


class Progress:
    """One line that is overwritten on a terminal; elsewhere a line from time to time."""

    def __init__(self):
        self.stream = sys.stderr
        self.terminal = self.stream.isatty()
        self.begun = time.monotonic()
        self.told = -100.0

    def elapsed(self):
        return time.monotonic() - self.begun

    def show(self, done, total, text, eta=None):
        elapsed = self.elapsed()
        if not self.terminal and elapsed - self.told < 10 and done < total:
            return
        self.told = elapsed
        left = f", about {eta:.0f} s left" if eta is not None else ""
        line = f"      {100 * done // max(total, 1):3d} %  {text}, {elapsed:.0f} s{left}"
        print(f"\r{line[:110]:<110}" if self.terminal else line, end="" if self.terminal else "\n",
              file=self.stream, flush=True)

    def end(self):
        if self.terminal:
            print(file=self.stream)
