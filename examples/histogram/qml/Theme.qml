// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

pragma Singleton

import QtQuick

// All colours, sizes and distances of the window.
QtObject {
    id: theme

    property string choice: "system" // or light, dark

    // Qt 6.4 has no property for the colour scheme: a dark window colour means dark.
    readonly property SystemPalette systemPalette: SystemPalette { }
    readonly property bool dark: choice === "dark"
                                 || (choice !== "light" && systemPalette.window.hslLightness < 0.5)

    readonly property color window: dark ? "#0f1318" : "#f3f5f8"
    readonly property color rail: dark ? "#151a21" : "#ffffff"
    readonly property color card: dark ? "#181e26" : "#ffffff"
    readonly property color border: dark ? "#29313c" : "#dfe4eb"
    readonly property color raised: dark ? "#262e39" : "#e9edf3"
    readonly property color text: dark ? "#e8edf4" : "#17202c"
    readonly property color mutedText: dark ? "#9aa6b8" : "#566375"
    readonly property color grid: dark ? "#272e38" : "#e8ecf1"
    readonly property color hover: dark ? "#222a35" : "#eef2f8"
    readonly property color scrim: dark ? "#b0080b0f" : "#8017202c"
    readonly property color accent: dark ? "#6fa3ff" : "#2463d9"
    readonly property color accentText: dark ? "#0b1220" : "#ffffff"
    readonly property color accentFill: dark ? "#1d2f4f" : "#e2ebfc"

    // Blue, orange, green and purple differ in lightness, so that users with any colour vision
    // can distinguish them. Text always repeats their meaning.
    readonly property color events: accent
    readonly property color objects: dark ? "#ffb454" : "#d06a00"
    readonly property color privates: dark ? "#35c7a5" : "#0a7f68"
    readonly property color heap: dark ? "#c65cc8" : "#7b1fa2"

    // The levels of waits, from short to long. Their lightness changes in one direction.
    readonly property var heat: dark
        ? ["#3a2a78", "#6a2c8f", "#9b3a86", "#c94f66", "#ea7345", "#fba83a", "#fbe58a"]
        : ["#ffeeb0", "#fed67a", "#fdb04f", "#f5822f", "#dc4f2b", "#b0203c", "#6a0d3c"]

    readonly property color warning: dark ? "#ff9bb0" : "#a8214a"
    readonly property color warningFill: dark ? "#41212b" : "#fbe6ec"
    readonly property color good: dark ? "#7fd79a" : "#1b6e3c"
    readonly property color goodFill: dark ? "#1a3526" : "#e0f3e6"

    function faint(color: color) : color {
        return Qt.tint(card, Qt.rgba(color.r, color.g, color.b, dark ? 0.34 : 0.26))
    }

    readonly property int tiny: 10
    readonly property int small: 11
    readonly property int normal: 13
    readonly property int large: 15
    readonly property int heading: 20
    readonly property int display: 22
    readonly property int gap: 12
    readonly property int padding: 14
    readonly property int radius: 10
}
