# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes results into files, and names the commit at which they were measured."""

import os
import subprocess
import tempfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


class DocumentError(Exception):
    pass


def write_whole(path, text):
    """Write a file. If this fails, the old file stays."""
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8",
                                     newline="") as file:
        file.write(text)
    umask = os.umask(0)
    os.umask(umask)
    os.chmod(file.name, 0o666 & ~umask)
    os.replace(file.name, path)


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
