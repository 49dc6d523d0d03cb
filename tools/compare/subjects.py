# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The subjects on which ./qpool compare runs a program."""

import os
from dataclasses import dataclass

from preloading import joined, with_preloaded

STOCK, OURS, QT_ONLY = "stock", "ours", "ours, QtCore alone"


@dataclass
class Subject:
    name: str
    peer: str = None  # its name in the JSON; None for ours
    preload: str = None  # a library
    qtcore: str = None  # a folder

    @property
    def is_ours(self):
        return self.peer is None

    def environment(self, outer):
        """Return the user's environment with the subject's changes."""
        environment = dict(outer)
        # The pool must neither be disabled nor publish its statistics.
        environment.pop("QT_POOL_ALLOCATOR", None)
        if self.qtcore:
            environment["LD_LIBRARY_PATH"] = joined(self.qtcore, outer.get("LD_LIBRARY_PATH"))
        return with_preloaded(environment, self.preload) if self.preload else environment

    def missing_in(self, libraries):
        """Return the libraries that the program should have loaded but has not; None if unknown."""
        if not libraries:
            return None
        found = {os.path.realpath(path) for path in libraries}
        missing = []
        if self.preload and os.path.realpath(self.preload) not in found:
            missing.append(os.path.basename(self.preload))
        if self.qtcore and os.path.realpath(os.path.join(self.qtcore, "libQt6Core.so.6")) not in found:
            missing.append("the pooled QtCore")
        return missing


def all_subjects(qtcore, front, libraries):
    """Return all subjects. Stock is the first, because the others are compared with it.

    `libraries` has the peers' libraries by name; None for a missing one.
    """
    subjects = [Subject(STOCK, peer="glibc")]
    subjects += [Subject(f"stock + {peer}", peer=peer, preload=path)
                 for peer, path in libraries.items() if path]
    if front:
        subjects.append(Subject(OURS, preload=front, qtcore=qtcore))
    subjects.append(Subject(QT_ONLY, qtcore=qtcore))
    return subjects
