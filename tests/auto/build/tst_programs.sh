# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The distribution's programs, untouched, on the pooled QtCore.

source "$(dirname "$0")/check.sh"

export QT_QPA_PLATFORM=offscreen QT_QUICK_BACKEND=software
export XDG_RUNTIME_DIR=$work HOME=$work
programs=/usr/lib/qt6/bin

pooled() { LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime "$@"; }

# lives WHAT SECONDS PROGRAM...: the program still runs after this time, and a signal ends it.
lives()
{
    local what=$1 seconds=$2
    shift 2
    if [[ ! -x $1 ]]; then
        failed "$what: there is no $1"
        return
    fi
    pooled timeout "$seconds" "$@" >"$work/out" 2>&1
    check_equal "$what" "$?" 124
}

cat >"$work/scene.qml" <<'QML'
import QtQuick
import QtQuick.Controls

Window {
    width: 200; height: 200; visible: true
    property int shown: 0
    Repeater {
        model: shown % 50
        Rectangle { required property int index; x: index; width: 1; height: index }
    }
    Button { text: "Button" }
    Timer { interval: 5; repeat: true; running: true; onTriggered: if (++shown === 200) Qt.quit() }
}
QML

lives "designer" 10 "$programs/designer"
QT_POOL_ALLOCATOR=0 lives "designer, with the pool disabled" 10 "$programs/designer"
lives "linguist" 5 "$programs/linguist"

pooled timeout 60 "$programs/qml" "$work/scene.qml"
check_equal "qml runs a scene to its end" "$?" 0
QT_POOL_ALLOCATOR=0 pooled timeout 60 "$programs/qml" "$work/scene.qml"
check_equal "qml with the pool disabled" "$?" 0

finish
