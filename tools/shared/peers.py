# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The allocators of the distribution that ours is measured against."""

import glob
import os
import subprocess

from preloading import with_preloaded

PEERS = {
    "mimalloc": "libmimalloc.so.2",
    "jemalloc": "libjemalloc.so.2",
    "tcmalloc": "libtcmalloc_minimal.so.4",
}


def find_peers():
    """Return the peers' libraries by name; None for a library that is not installed."""
    found = {}
    for name, library in PEERS.items():
        paths = []
        for folder in ("/usr/lib/*", "/usr/lib64", "/usr/lib", "/usr/local/lib"):
            paths += glob.glob(os.path.join(folder, library))
        found[name] = next((path for path in paths if preloads(path)), None)
    return found


def preloads(path):
    """Return whether the library can be preloaded.

    The dynamic linker only warns if it cannot preload a library, and continues with glibc's malloc.
    """
    try:
        result = subprocess.run(["/bin/true"], env=with_preloaded({}, path), capture_output=True)
    except OSError:
        return False
    return result.returncode == 0 and not result.stderr
