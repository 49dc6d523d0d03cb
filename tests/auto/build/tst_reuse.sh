# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool run and compare while another ./qpool builds: they use what is built, and do not wait.
# bash tst_reuse.sh FRONT: the malloc front of the pooled QtCore.

source "$(dirname "$0")/check.sh"
front=${1-}
[[ $front ]] || skip "there is no malloc front that goes with this QtCore"
qpool=$QPOOL_ROOT/qpool
export QPOOL_BUILD_DIR=$work/build
core=$QPOOL_BUILD_DIR/qt/$(basename "$QPOOL_QT_DIR")/on-runtime
mkdir -p "$core" "$QPOOL_BUILD_DIR/malloc-runtime"
ln -s "$QPOOL_QT_DIR"/on-runtime/* "$core"
cp "$front" "$QPOOL_BUILD_DIR/malloc-runtime/libqpool-malloc.so.1"
before=$(find "$QPOOL_BUILD_DIR" | sort)

# The other call. It never ends, so `timeout` ends a call that waits for it.
exec 8>"$QPOOL_BUILD_DIR/.lock"
flock 8

meanwhile()
{
    timeout 200 "$qpool" "$@" >"$work/out" 2>"$work/err" </dev/null 8>&-
    check_equal "qpool $*: exit code" "$?" 0
    check_contains "qpool $* says so" "$(cat "$work/err")" "using the earlier build"
}

meanwhile run -- /usr/lib/qt6/bin/qtpaths --version
check_contains "the program ran" "$(cat "$work/out")" "qtpaths"
meanwhile compare --rounds 1 --timeout 100 -- /usr/lib/qt6/bin/qtpaths --version
check_contains "ours was measured" "$(grep '^ours ' "$work/out")" " s "
rm "$QPOOL_BUILD_DIR/.lock"
check_equal "nothing was built" "$(find "$QPOOL_BUILD_DIR" | sort)" "$before"

finish
