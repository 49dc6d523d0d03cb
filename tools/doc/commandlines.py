# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Checks that ./qpool knows the commands and the options that the documents show."""

import functools
import os
import re
import subprocess

CALL = re.compile(r"(?:^|\s)\./qpool((?:\s+[^|;&>]+)?)")
OPTION = re.compile(r"^--?[a-zA-Z][-a-zA-Z]*")


def lines_of(document):
    """Yield (line number, words) of each call, without comments."""
    texts = list(document.code)
    for block in document.blocks:
        if block.language in ("", "sh", "bash"):
            texts += [(block.line + 1 + i, line) for i, line in enumerate(block.text.split("\n"))]
    for line, text in texts:
        for call in CALL.finditer(re.sub(r"(^|\s)#\s.*", "", text)):
            yield line, call.group(1).split()


def count(documents):
    return sum(1 for document in documents.values() for _ in lines_of(document))


def own_options(words):
    """Yield the options of ./qpool; those behind -- belong to the program that it runs."""
    for word in words:
        if word == "--":
            return
        if option := OPTION.match(word):
            yield option.group(0)


def problems(documents, root):
    @functools.lru_cache(maxsize=None)
    def help_of(command):
        result = subprocess.run([os.path.join(root, "qpool"), *([command] if command else []), "--help"],
                                capture_output=True, text=True)
        return result.stdout if result.returncode == 0 else None

    found = []
    for name, document in documents.items():
        for line, words in lines_of(document):
            command = ""
            if words and not words[0].startswith("-"):
                command = words.pop(0)
            if not re.match(r"^[a-z]*$", command):
                continue  # a placeholder such as COMMAND
            text = help_of(command)
            if text is None:
                found.append(f"{name}:{line}: ./qpool has no command {command}")
                continue
            for option in own_options(words):
                # A short option may belong to the program that receives the other arguments.
                if len(option) == 2 and "ARGUMENTS]" in text:
                    continue
                if option not in ("--help", "-h") and not re.search(
                        rf"(?<![-\w]){re.escape(option)}(?![-\w])", text):
                    found.append(f"{name}:{line}: ./qpool {command} --help does not know {option}")
    return found
