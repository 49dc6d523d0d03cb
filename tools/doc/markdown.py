# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""The parts of a Markdown document: headings, links, inline code, fenced blocks."""

import os
import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^ {0,3}```+\s*(\w*)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
# The text of a link or picture. It may not contain a bracket.
LINK = re.compile(r"\[[^\]\[]*\]\(\s*<?([^)\s>]+)>?\s*\)")
CODE = re.compile(r"(`+)(.+?)\1")
# The code that a snippet needs but does not show, in a comment before it.
CONTEXT = re.compile(r"^<!-- snippet:(.*?)-->$")


@dataclass
class Block:
    language: str
    line: int
    text: str
    context: str


@dataclass
class Document:
    name: str
    anchors: set = field(default_factory=set)
    links: list = field(default_factory=list)  # (line, target)
    code: list = field(default_factory=list)  # (line, text)
    blocks: list = field(default_factory=list)


def anchor_of(heading):
    """Return the anchor that GitHub gives to a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def add_anchor(anchors, heading):
    anchor = name = anchor_of(heading)
    number = 0
    while name in anchors:
        number += 1
        name = f"{anchor}-{number}"
    anchors.add(name)


def parse(name, text):
    document = Document(name)
    block = None
    context = ""
    for number, line in enumerate(text.split("\n"), 1):
        if block is not None:
            if FENCE.match(line):
                document.blocks.append(block)
                block = None
            else:
                block.text += line + "\n"
            continue
        if fence := FENCE.match(line):
            block = Block(fence.group(1), number, "", context)
            context = ""
            continue
        if hidden := CONTEXT.match(line):
            context += hidden.group(1).strip() + "\n"
            continue
        if heading := HEADING.match(line):
            add_anchor(document.anchors, heading.group(2))
        document.code += [(number, match.group(2).strip()) for match in CODE.finditer(line)]
        plain = CODE.sub("", line)
        document.links += [(number, target) for target in LINK.findall(plain)]
    if block is not None:
        raise OSError(f"{name}:{block.line}: this code block has no end")
    return document


def read_documents(root, names):
    documents = {}
    for name in names:
        with open(os.path.join(root, name), encoding="utf-8") as file:
            documents[name] = parse(name, file.read())
    return documents
