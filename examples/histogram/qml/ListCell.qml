// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// A number in a ListRow, or a name if it is aligned to the left.
PlainText {
    horizontalAlignment: Text.AlignRight
    verticalAlignment: Text.AlignVCenter
    color: Theme.mutedText
    font.pixelSize: 12
    elide: Text.ElideRight
}
