// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

import QtQml

// How the figures are shown, in one place for every page of the window.
QtObject {
    property int page: 0
    property bool cumulative: false // all that was ever allocated, or what is live
    property bool logarithmic: true
    property bool animated: true
    property int seconds: 60 // of the charts over time
}
