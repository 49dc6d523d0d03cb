# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool test --qt VERSION builds fewer programs and tests than for the distribution's Qt: without the distribution's
# QtGui and its programs. Configuring that needs no other Qt.

source "$(dirname "$0")/check.sh"

configured()
{
    cmake -S "$QPOOL_ROOT" --preset default -B "$work/build" "-DQPOOL_QT_DIR=$QPOOL_QT_DIR" -DQPOOL_WITH_PROGRAMS=OFF \
        >"$work/log" 2>&1 || { cat "$work/log"; return 1; }
}

check "the project is configured without the distribution's programs" configured
check "it has tests of QtCore" grep -q tst_whole "$work/build/tests/auto/dropin/whole/CTestTestfile.cmake"

finish
