# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Mistakes of a program that was not rebuilt, on the hardened QtCore: the report names the class, or the
# destructor that freed the object, and the program ends. A correct program prints nothing.

source "$(dirname "$0")/../build/check.sh"

[[ -e $QPOOL_QT_DIR/hardened-runtime/libQt6Core.so.6 ]] ||
    skip "there is no hardened QtCore: ./qpool run --hardened true builds one"
export LD_LIBRARY_PATH=$QPOOL_QT_DIR/hardened-runtime
export QT_QPA_PLATFORM=offscreen
unset QT_POOL_ALLOCATOR LD_PRELOAD

# check_mistake NAME TEXT...: SIGABRT ends the program, after it printed all of these texts.
check_mistake()
{
    local name=$1 code=0 text
    shift
    "$QPOOL_MISTAKES" "$name" >"$work/out" 2>"$work/errors" || code=$?
    check_equal "$name: aborts" "$code" 134
    for text; do
        check_contains "$name: $text" "$(<"$work/errors")" "$text"
    done
}

check_equal "a sound program" "$("$QPOOL_MISTAKES" nothing 2>&1)" "sound"
check_mistake second-delete "a virtual function of 0x" "but the object was freed" \
    "it was a QEvent, freed by thread" "QTimerEvent::~QTimerEvent"
check_mistake call-after-free "a virtual function of 0x" "but the object was freed" \
    "QTimerEvent::~QTimerEvent"
check_mistake use-after-free "a chunk of 24 bytes, was written to after it was freed, at byte 17" \
    "freed by thread" "QTimerEvent::~QTimerEvent"
check_mistake overrun "was written to past its end, at byte 24 (a chunk of 24 bytes)" \
    "QTimerEvent::~QTimerEvent"

finish
