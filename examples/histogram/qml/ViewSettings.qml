// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQml

// Display settings that all pages of the window share.
QtObject {
    property int page: 0
    property bool cumulative: false // all allocations since the start or the reset, instead of live chunks
    property bool logarithmic: true
    property bool animated: true
    property int seconds: 60 // time range of the charts
}
