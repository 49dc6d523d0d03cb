#!/usr/bin/env python3
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Writes source files for qdoc from the documentation in our headers.

qdoc reads documentation only in source files, but the public classes are templates, documented where they
are declared. For each documentation comment, this writes one with a \\fn, \\class, \\variable, \\typedef or
\\enum of its own, into one file per header."""

import os
import re
import sys
from dataclasses import dataclass

COMMENT = re.compile(r"/\*!(?P<block>.*?)\*/|//!(?P<side><)? ?(?P<line>[^\n]*)"
                     r"|/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'", re.DOTALL)
NOT_IN_TOPIC = re.compile(r"\bQPOOL_[A-Z_]+(?:\([^)]*\))?|\[\[.*?\]\]|\balignas\([^)]*\)"
                          r"|\b(?:static|explicit|constexpr|inline|virtual|override|friend|mutable)\b")
TEMPLATE = re.compile(r"^template\s*<")


@dataclass
class Scope:
    kind: str  # namespace, class, enum or other
    name: str = ""
    parameters: str = ""  # of a template, without their defaults
    documented: bool = True


def closing(text, begin, pair="<>"):
    """Return the position behind the bracket that closes the one at `begin`."""
    depth = 0
    for at in range(begin, len(text)):
        if text[at] == pair[0]:
            depth += 1
        elif text[at] == pair[1]:
            depth -= 1
            if depth == 0:
                return at + 1
    raise ValueError(f"no {pair[1]} in {text!r}")


def split(text):
    """Split at the commas that are outside of all brackets."""
    parts, depth, begin = [], 0, 0
    for at, char in enumerate(text):
        depth += (char in "<({[") - (char in ">)}]")
        if char == "," and depth == 0:
            parts.append(text[begin:at])
            begin = at + 1
    return [part.strip() for part in parts + [text[begin:]] if part.strip()]


def without_default(parameter):
    depth = 0
    for at, char in enumerate(parameter):
        depth += (char in "<({") - (char in ">)}")
        if char == "=" and depth == 0:
            return parameter[:at].strip()
    return parameter


def take_templates(text):
    """Return the template parameter lists of a declaration, without defaults, and the rest of it."""
    lists = []
    while TEMPLATE.match(text):
        end = closing(text, text.index("<"))
        inside = text[text.index("<") + 1:end - 1]
        lists.append(", ".join(without_default(part) for part in split(inside)))
        text = text[end:].strip()
    return lists, text


def names_of(parameters):
    names = []
    for part in split(parameters):
        name = re.search(r"(\w+)\s*$", part).group(1)
        names.append(name + "..." if "..." in part else name)
    return ", ".join(names)


class Header:
    def __init__(self, text):
        self.text = text
        self.scopes = []
        self.out = []

    def topic(self, topic, doc):
        self.out.append("/*!\n    " + topic + "\n\n" + doc.rstrip() + "\n*/\n")

    def path(self, arguments=True):
        parts = ["QPool"]
        for scope in self.scopes:
            if scope.kind == "class":
                parts.append(scope.name + (f"<{names_of(scope.parameters)}>"
                                           if arguments and scope.parameters else ""))
        return "::".join(parts)

    def function(self, text, doc):
        lists, text = take_templates(text)
        text = re.sub(r"\s+", " ", NOT_IN_TOPIC.sub("", text)).strip()
        open_at = re.search(r"operator\(\)\(|\(", text).end() - 1
        end = closing(text, open_at, "()")
        head, tail = text[:open_at].strip(), text[end:]
        tail = " ".join(re.findall(r"\b(?:const|noexcept)\b(?!\s*\()", tail.split("{")[0].split(" : ")[0]))
        parameters = ", ".join(without_default(part) for part in split(text[open_at + 1:end - 1]))
        name = re.search(r"(operator.*|~?\w+)$", head).group(1)
        result = head[:len(head) - len(name)].strip()
        outer = [scope.parameters for scope in self.scopes if scope.kind == "class" and scope.parameters]
        template = "".join(f"template <{one}> " for one in outer + lists)
        self.topic(f"\\fn {template}{result} {self.path()}::{name}({parameters}) {tail}".rstrip(), doc)

    def declaration(self, text, doc, opens):
        """Add a declaration, documented or not, and return the scope of its body."""
        text = re.sub(r"^\s*#[^\n]*\n", "", text, flags=re.MULTILINE)
        text = re.sub(r"\b(?:public|protected|private|Q_SIGNALS):(?!:)", "", text).strip()
        plain = NOT_IN_TOPIC.sub("", text).strip()
        lists, rest = take_templates(plain)
        if re.match(r"^(QPOOL_BEGIN_NAMESPACE|namespace\b)", text) or rest.startswith("namespace"):
            return Scope("namespace")
        if named := re.match(r"^(class|struct)\s+(\w+)(?!\s*[;<\w])", rest):
            if opens and doc is not None and "\\class" not in doc:
                self.topic(f"\\class {self.path(False)}::{named.group(2)}\n    \\inmodule QPool\n    \\brief "
                           + doc.strip(), "")
            elif opens and doc is not None:
                self.topic("\\inmodule QPool", doc)
            return Scope("class", named.group(2), lists[0] if lists else "")
        if named := re.match(r"^enum(?:\s+class)?\s+(\w+)", rest):
            return Scope("enum", named.group(1), documented=doc is not None)
        if doc is None:
            return Scope("other")
        if re.search(r"\\(class|enum|namespace)\b", doc):
            self.topic("\\inmodule QPool" if "\\enum" not in doc else "", doc)
        elif named := re.match(r"^using\s+(\w+)\s*=", rest):
            self.topic(f"\\typedef {self.path(False)}::{named.group(1)}", doc)
        elif "(" in rest.split("=")[0]:
            self.function(text, doc)
        elif named := re.match(r"^.*?(\w+)\s*(?:=.*)?$", rest, re.DOTALL):
            self.topic(f"\\variable {self.path(False)}::{named.group(1)}", doc)
        return Scope("other")

    def enumeration(self, scope, body, doc):
        values = re.findall(r"^\s*(\w+)[^,\n]*,?\s*(?://!< ?(.*))?$", body, re.MULTILINE)
        lines = "\n".join(f"    \\value {name} {text}" for name, text in values)
        doc = doc if "\\enum" in doc else f"    \\enum {self.path(False)}::{scope.name}\n" + doc
        self.out.append("/*!\n" + doc.rstrip() + "\n\n" + lines + "\n*/\n")

    def convert(self):
        at, begin, doc = 0, 0, None
        text = self.text
        depth = 0  # of parentheses
        code = ""
        last = ""  # the previous declaration, for comments behind it
        while at < len(text):
            if match := COMMENT.match(text, at):
                at = match.end()
                if match.group("side"):
                    if last.strip() and all(scope.kind in ("namespace", "class") for scope in self.scopes):
                        self.declaration(last, match.group("line"), False)
                elif match.group("block") is not None:
                    doc, code = match.group("block"), ""
                elif match.group("line") is not None:
                    doc = (doc + "\n" if doc and not code.strip() else "") + match.group("line")
                    code = ""
                elif match.group(0)[0] in "\"'":
                    code += match.group(0)
                continue
            char = text[at]
            at += 1
            depth += (char == "(") - (char == ")")
            if char == ";" and depth == 0:
                if all(scope.kind in ("namespace", "class") for scope in self.scopes):
                    self.declaration(code, doc, False)
                    last, doc = code, None
                code = ""
            elif char == "{" and depth == 0:
                visible = all(scope.kind in ("namespace", "class") for scope in self.scopes)
                scope = self.declaration(code, doc, True) if visible else Scope("other")
                if scope.kind == "enum" and scope.documented:
                    end = closing(text, at - 1, "{}")
                    self.enumeration(scope, text[at:end - 1], doc)
                    at = end
                elif scope.kind in ("enum", "other"):
                    at = closing(text, at - 1, "{}")
                else:
                    self.scopes.append(scope)
                last, doc, code = "", None, ""
            elif char == "}" and depth == 0:
                if self.scopes:
                    self.scopes.pop()
                doc, code, last = None, "", ""
            else:
                code += char
        return "\n".join(self.out)


def main(arguments):
    to, *headers = arguments
    os.makedirs(to, exist_ok=True)
    for header in headers:
        with open(header, encoding="utf-8") as file:
            text = re.sub(r"\bQPOOL_(BEGIN|END)_NAMESPACE\b", "", file.read())
        # This takes the first branch of preprocessor conditions, which is the usual one.
        result = Header(text).convert()
        if result:
            name = os.path.splitext(os.path.basename(header))[0]
            with open(os.path.join(to, name + ".cpp"), "w", encoding="utf-8") as file:
                file.write(result)


if __name__ == "__main__":
    main(sys.argv[1:])
