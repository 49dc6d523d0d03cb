# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""What ./qpool compare runs a program on."""

import os
from dataclasses import dataclass

from preloading import joined, with_preloaded

STOCK, OURS, QT_ONLY = "stock", "ours", "ours, QtCore alone"


@dataclass
class Subject:
    name: str
    peer: str = None  # by its name in the JSON; None for ours
    preload: str = None  # a library
    qtcore: str = None  # a folder

    @property
    def is_ours(self):
        return self.peer is None

    def environment(self, outer):
        """As the user has it, but for what this is about."""
        environment = dict(outer)
        # The pool is not to be disabled, nor to publish its figures.
        environment.pop("QT_POOL_ALLOCATOR", None)
        if self.qtcore:
            environment["LD_LIBRARY_PATH"] = joined(self.qtcore, outer.get("LD_LIBRARY_PATH"))
        return with_preloaded(environment, self.preload) if self.preload else environment

    def missing_in(self, libraries):
        """What the program should have loaded and has not; None if it could not be seen."""
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
    """Stock first: the others are compared to it. `libraries` are the peers', None if missing."""
    subjects = [Subject(STOCK, peer="glibc")]
    subjects += [Subject(f"stock + {peer}", peer=peer, preload=path)
                 for peer, path in libraries.items() if path]
    if front:
        subjects.append(Subject(OURS, preload=front, qtcore=qtcore))
    subjects.append(Subject(QT_ONLY, qtcore=qtcore))
    return subjects
