// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

// What a card is about.
PlainText {
    color: Theme.text
    font.pixelSize: Theme.large
    font.weight: Font.DemiBold
}
