// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQuick

Rectangle {
    radius: Theme.radius
    color: Theme.card
    border.color: Theme.border
}
