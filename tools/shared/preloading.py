# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""How a library is loaded into a program before all others."""

import os
import re


def with_preloaded(environment, library):
    """The environment, with the library in front of those that are already preloaded.

    The dynamic linker splits LD_PRELOAD at blanks and colons. A library in a folder whose name contains one
    is found by its name instead: in that folder, after all that are searched before.
    """
    result = dict(environment)
    if re.search(r"[\s:]", library):
        folder, library = os.path.split(library)
        result["LD_LIBRARY_PATH"] = joined(environment.get("LD_LIBRARY_PATH"), folder)
    result["LD_PRELOAD"] = joined(library, environment.get("LD_PRELOAD"))
    return result


def joined(*parts):
    """An empty part would mean the current folder."""
    return ":".join(filter(None, parts))
