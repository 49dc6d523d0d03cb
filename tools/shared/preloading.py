# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Preloads a library into a program."""

import os
import re


def with_preloaded(environment, library):
    """Return the environment with the library before those that are already preloaded.

    The dynamic linker splits LD_PRELOAD at blanks and colons. If the library's path contains one, LD_PRELOAD
    has only the library's name, and its folder is the last one that the dynamic linker searches.
    """
    result = dict(environment)
    if re.search(r"[\s:]", library):
        folder, library = os.path.split(library)
        result["LD_LIBRARY_PATH"] = joined(environment.get("LD_LIBRARY_PATH"), folder)
    result["LD_PRELOAD"] = joined(library, environment.get("LD_PRELOAD"))
    return result


def joined(*parts):
    """Join paths with colons, without empty ones, which would mean the current folder."""
    return ":".join(filter(None, parts))
