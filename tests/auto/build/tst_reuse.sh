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
# Apart from notes of what is up to date, and of dpkg's answer.
everything_built() { find "$QPOOL_BUILD_DIR" ! -name .qt-package ! -name '.current-*' | sort; }
before=$(everything_built)

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
# If they are up to date, nothing is said and no lock is taken.
touch "$core/.current-libQt6Core.so.6" "$QPOOL_BUILD_DIR/malloc-runtime/.current-libqpool-malloc.so.1"
timeout 60 "$qpool" run -- /usr/lib/qt6/bin/qtpaths --version >"$work/out" 2>"$work/err" </dev/null 8>&-
check_equal "what is up to date runs" "$?" 0
check_contains "it is the program" "$(cat "$work/out")" "qtpaths"
check_equal "nothing is said" "$(cat "$work/err")" ""
touch -d 2000-01-01 "$QPOOL_BUILD_DIR/malloc-runtime/.current-libqpool-malloc.so.1"
meanwhile run -- /usr/lib/qt6/bin/qtpaths --version

rm "$QPOOL_BUILD_DIR/.lock"
check_equal "nothing was built" "$(everything_built)" "$before"

finish
