// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// Small text that explains.
PlainText {
    color: Theme.mutedText
    font.pixelSize: Theme.small
}
