# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Checks that the C++ snippets of the documents compile.

A snippet without a main() is compiled as the body of a function, except for includes and declarations of
templates, types and aliases. A comment before it, <!-- snippet: ... -->, contains the code that the snippet
needs but does not show. "..." stands for a statement."""

import os
import re
import subprocess
import tempfile

DECLARATION = re.compile(r"^(template|using|struct|class|namespace|enum|extern)\b")


def blocks_of(document):
    return [block for block in document.blocks if block.language == "cpp"]


def count(documents):
    return sum(len(blocks_of(document)) for document in documents.values())


def paragraphs(lines):
    """Yield whether it is a declaration, and the lines: each declaration whole, other lines one by one."""
    index = 0
    while index < len(lines):
        begin = index
        if DECLARATION.match(lines[index]):
            depth = 0
            while index < len(lines):
                depth += lines[index].count("{") - lines[index].count("}")
                index += 1
                if depth <= 0 and lines[index - 1].rstrip().endswith((";", "}")):
                    break
        else:
            index += 1
        yield DECLARATION.match(lines[begin]) is not None, lines[begin:index]


def program_of(block):
    text = re.sub(r"^(\s*)\.\.\.$", r"\1;", block.text, flags=re.MULTILINE)
    context = block.context.replace("\\n", "\n")
    if re.search(r"^int main\(", text, re.MULTILINE):
        return context + text
    outside, inside = [], []
    for declares, lines in paragraphs(text.split("\n")):
        if declares or lines[0].startswith("#include"):
            outside += lines
        else:
            inside += lines
    includes = [line for line in outside if line.startswith("#include")]
    declarations = [line for line in outside if not line.startswith("#include")]
    return "\n".join(includes + [context] + declarations + ["[[maybe_unused]] static void snippet()", "{"]
                     + inside + ["}", ""])


def compile_error(compiler, flags, text):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "snippet.cpp")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        result = subprocess.run([compiler, "-std=c++17", "-fsyntax-only", "-w", *flags, path],
                                capture_output=True, text=True)
    if result.returncode == 0:
        return None
    errors = [line for line in result.stderr.split("\n") if "error:" in line]
    return (errors or [f"exit code {result.returncode}"])[0].split("error:")[-1].strip()


def problems(documents, compiler, flags):
    found = []
    for name, document in documents.items():
        for block in blocks_of(document):
            if error := compile_error(compiler, flags, program_of(block)):
                found.append(f"{name}:{block.line}: this snippet does not compile: {error}")
    return found
