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
    // The room for a page, by the size of the window: what a layout makes smaller when it has less room must not
    // follow from the size that the layout gives it, or the layout has no end.
    property real pageWidth: 0
    property real pageHeight: 0
    readonly property bool compact: pageWidth < 880 || pageHeight < 540
    property bool wholeMemory: true // the memory of the process, instead of its pool
}
