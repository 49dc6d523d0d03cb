# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Checks that the links within the tree have a target. Does not follow links to the web."""

import os
import re

WEB = re.compile(r"^[a-z]+:")


def within(document):
    return [(line, target) for line, target in document.links if not WEB.match(target)]


def count(documents):
    return sum(len(within(document)) for document in documents.values())


def problems(documents, root):
    found = []
    for name, document in documents.items():
        for line, target in within(document):
            path, _, anchor = target.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not os.path.exists(os.path.join(root, there)):
                found.append(f"{name}:{line}: there is no {there}")
            elif anchor and there in documents and anchor not in documents[there].anchors:
                found.append(f"{name}:{line}: {there} has no heading #{anchor}")
    return found
