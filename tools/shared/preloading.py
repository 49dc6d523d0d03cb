# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""How a library is loaded into a program before all others."""

import os
import re


def with_preloaded(environment, library):
    """The environment, and the library before what is preloaded in it already.

    The dynamic linker takes blanks and colons in LD_PRELOAD for ends of names. A library in such a
    folder is found by its name, as others are: in that folder, after all that are looked at before.
    """
    result = dict(environment)
    if re.search(r"[\s:]", library):
        folder, library = os.path.split(library)
        result["LD_LIBRARY_PATH"] = joined(environment.get("LD_LIBRARY_PATH"), folder)
    result["LD_PRELOAD"] = joined(library, environment.get("LD_PRELOAD"))
    return result


def joined(*parts):
    """An empty part would stand for the current folder."""
    return ":".join(filter(None, parts))
