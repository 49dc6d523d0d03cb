# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes results into files, and names the commit at which they were measured."""

import json
import os
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


class DocumentError(Exception):
    pass


def to_json(result):
    return json.dumps(result, indent=2, ensure_ascii=False) + "\n"


def is_replaceable(path):
    """Whether a new file may take the place of what is there: a device, a pipe or a folder must stay."""
    return not os.path.exists(path) or os.path.isfile(path)


def write_whole(path, text):
    """Write a file, or to a device. If this fails, the old file stays."""
    path = os.path.realpath(path)
    if not is_replaceable(path):
        with open(path, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        return
    descriptor, aside = tempfile.mkstemp(prefix=".qpool-", dir=os.path.dirname(path))
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        take_place(aside, path)
    except BaseException:
        os.unlink(aside)
        raise


def take_place(aside, path):
    """Give a complete file its name, and the permissions of a new file."""
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(aside, 0o666 & ~umask)
    os.replace(aside, path)


def commit(root=ROOT):
    """Return the commit that is checked out, and whether the tree has uncommitted changes.

    Changes of documents do not count, because results are written into them.
    """
    def git(*arguments):
        result = subprocess.run(["git", "-C", root, *arguments], capture_output=True, text=True)
        return result.stdout.strip() if result.returncode == 0 else ""
    try:
        name = git("rev-parse", "--short=10", "HEAD")
        if not name:
            return "a tree without version control"
        changes = git("status", "--porcelain", "--", ".", ":!doc", ":!README.md")
    except OSError:
        return "an unknown commit, because git is not installed"
    return f"commit {name}" + (" with changes" if changes else "")
