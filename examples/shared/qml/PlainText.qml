// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// All text of this window. Names come from other processes, and Text would interpret what looks like markup:
// <img> would open a file.
Text {
    textFormat: Text.PlainText
}
