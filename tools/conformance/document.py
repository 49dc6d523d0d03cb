# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes a run's table into doc/results/VERSION, a file for each version of Qt."""

import os
import time

from documents import DocumentError, write_whole


def file_of(folder, qt):
    return os.path.join(folder, f"conformance-{qt}.txt")


def check(folder):
    """Check that there is a place for the results. Call this first: it fails before an hour is spent."""
    if not os.path.isdir(os.path.dirname(os.path.abspath(folder))):
        raise DocumentError(f"there is no folder for {folder}: create it")


def write(folder, qt, command, code, table):
    os.makedirs(folder, exist_ok=True)
    write_whole(file_of(folder, qt), f"{command}: exit code {code}, with {len(os.sched_getaffinity(0))} "
                f"processors, {time.strftime('%Y-%m-%d')}\n\n{table}\n")
