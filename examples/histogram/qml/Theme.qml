// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

pragma Singleton

import QtQuick

// Every colour, size and distance of the window.
QtObject {
    id: theme

    property string choice: "system" // or light, dark

    // Qt 6.4 has no colour scheme to ask for: a dark window colour tells.
    readonly property SystemPalette systemPalette: SystemPalette { }
    readonly property bool dark: choice === "dark"
                                 || (choice !== "light" && systemPalette.window.hslLightness < 0.5)

    readonly property color window: dark ? "#101318" : "#f3f5f8"
    readonly property color card: dark ? "#191e26" : "#ffffff"
    readonly property color border: dark ? "#2b323d" : "#dfe4eb"
    readonly property color raised: dark ? "#2a313c" : "#e9edf3"
    readonly property color text: dark ? "#e9edf4" : "#18202c"
    readonly property color mutedText: dark ? "#98a4b6" : "#5a6779"
    readonly property color grid: dark ? "#2a303a" : "#e6eaf0"
    readonly property color hover: dark ? "#242b36" : "#eef2f8"
    readonly property color accent: dark ? "#6c9eff" : "#2b66e0"
    readonly property color accentText: dark ? "#0c1320" : "#ffffff"

    readonly property color events: accent
    readonly property color objects: dark ? "#3ecfa4" : "#0b8f6c"
    readonly property color privates: dark ? "#bb96ff" : "#7a45d8"
    readonly property color warning: dark ? "#ffbd5c" : "#9a5800"
    readonly property color warningFill: dark ? "#3a2d16" : "#fdf0da"
    readonly property color goodFill: dark ? "#17352d" : "#dff4ed"

    function faint(color: color) : color {
        return Qt.tint(card, Qt.rgba(color.r, color.g, color.b, dark ? 0.34 : 0.26))
    }

    readonly property int small: 11
    readonly property int normal: 13
    readonly property int large: 15
    readonly property int figure: 22
    readonly property int gap: 12
    readonly property int radius: 10
}
