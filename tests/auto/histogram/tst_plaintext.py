# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""No text in the windows is interpreted as markup, because names come from other processes: each is a
PlainText."""

import os
import re
import unittest

FOLDERS = ("examples/histogram/qml", "examples/shared/qml")

# Types of Qt Quick whose text is interpreted unless it is forbidden, and the tip that views share.
_INTERPRETING = re.compile(r"(?<![\w.])(Text|Label|ToolTip)\s*\{|ToolTip\s*\.\s*(text|show)|textFormat")


def interpreted(name, source):
    """Return the lines of a QML file that could interpret a text."""
    code = [line.partition("//")[0] for line in source.splitlines()]
    found = [line.strip() for line in code if _INTERPRETING.search(line)]
    if name == "PlainText.qml":
        return [line for line in found if line not in ("Text {", "textFormat: Text.PlainText")]
    if name == "PlainTip.qml":  # its content is a PlainText
        return [line for line in found if line != "ToolTip {" or "contentItem: PlainText {" not in source]
    return found


class PlainTextTest(unittest.TestCase):
    def test_every_text_is_plain(self):
        for folder in FOLDERS:
            path = os.path.join(os.environ["QPOOL_ROOT"], folder)
            names = [name for name in os.listdir(path) if name.endswith(".qml")]
            self.assertIn("PlainText.qml", names)
            for name in names:
                with self.subTest(file=f"{folder}/{name}"), \
                        open(os.path.join(path, name), encoding="utf-8") as file:
                    self.assertEqual(interpreted(name, file.read()), [])

    def test_finds_what_is_not(self):
        for source in ("Text { text: name }", "    contentItem: Text{", "component Cell: Text {",
                       "Label {", "ToolTip { text: a }", "ToolTip.text: tip", "ToolTip.show(a)",
                       "PlainText { textFormat: Text.RichText }", "Text\u0020 {"):
            self.assertEqual(len(interpreted("Card.qml", source)), 1, source)
        self.assertEqual(interpreted("PlainText.qml", "Text {\ntextFormat: Text.AutoText\n}"),
                         ["textFormat: Text.AutoText"])
        self.assertEqual(interpreted("PlainTip.qml", "ToolTip {\n}"), ["ToolTip {"])
        for source in ("PlainText { elide: Text.ElideRight }", "// Text { }", "TextEdit {", "PlainTip {"):
            self.assertEqual(interpreted("Card.qml", source), [], source)


if __name__ == "__main__":
    unittest.main()
