# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool run, compare and the tools: what they start for it if everything is built, and what they do while another
# ./qpool builds. Programs wait for it, because what it has built so far may not go together; tools do not.
# bash tst_reuse.sh FRONT: the malloc front of the pooled QtCore.

source "$(dirname "$0")/check.sh"
front=${1-}
[[ $front ]] || skip "there is no malloc front that goes with this QtCore"
qpool=$QPOOL_ROOT/qpool
export QPOOL_BUILD_DIR=$work/build
core=$QPOOL_BUILD_DIR/qt/$(basename "$QPOOL_QT_DIR")/on-runtime
tool=$QPOOL_BUILD_DIR/tools/tools/top
mkdir -p "$core" "$tool" "$QPOOL_BUILD_DIR/malloc-runtime" "$work/bin"
ln -s "$QPOOL_QT_DIR"/on-runtime/* "$core"
cp "$front" "$QPOOL_BUILD_DIR/malloc-runtime/libqpool-malloc.so.1"
printf '#!/bin/sh\necho the tool\n' >"$tool/qpool-top"
chmod +x "$tool/qpool-top"
program=/usr/lib/qt6/bin/qtpaths

# Apart from notes of what is up to date, and of dpkg's answer.
everything_built() { find "$QPOOL_BUILD_DIR" ! -name .qt-package ! -name '.current-*' | sort; }
before=$(everything_built)
up_to_date() { touch "$core/.current-libQt6Core.so.6" "$QPOOL_BUILD_DIR/malloc-runtime/.current-libqpool-malloc.so.1"; }

# What another call has locked.
exec 8>"$QPOOL_BUILD_DIR/.lock"
flock 8

# meanwhile ARGUMENTS...: a call that does not wait. The other call never ends, so `timeout` ends one that does.
meanwhile()
{
    timeout 200 "$qpool" "$@" >"$work/out" 2>"$work/err" </dev/null 8>&-
    check_equal "qpool $*: exit code" "$?" 0
}

up_to_date
meanwhile run -- "$program" --version
check_contains "what is up to date runs" "$(cat "$work/out")" "qtpaths"
check_equal "nothing is said" "$(cat "$work/err")" ""
meanwhile compare --rounds 1 --timeout 100 -- "$program" --version
check_contains "and is measured" "$(grep '^ours ' "$work/out")" " s "

meanwhile top
check_equal "a tool runs as it was built earlier" "$(cat "$work/out")" "the tool"
check_contains "and says so" "$(cat "$work/err")" "using the earlier build"

# A process costs more than all that bash does for a start. The trace has two plus signs in front of what runs in one,
# and of the variables in files that are read.
for name in find readlink true; do
    ln -s "$(type -P "$name")" "$work/bin/$name"
done
PATH=$work/bin /bin/bash -x "$qpool" run -- true >"$work/out" 2>"$work/trace" </dev/null 8>&-
check_equal "a start needs no other program than find and readlink" "$?" 0
check_equal "and few processes" "$(sed -n '/^+ main/,$p' "$work/trace" | grep -oE '^\+\+ [a-z_]+( |$)' | tr -d '+\n')" \
    " type  qt_number_of  local  echo  exec "

# Not up to date: the call waits until the other one has ended, which brings everything up to date here.
touch -d 2000-01-01 "$QPOOL_BUILD_DIR/malloc-runtime/.current-libqpool-malloc.so.1"
exec 7< <(exec timeout 200 "$qpool" run -- "$program" --version 2>&1 </dev/null 8>&-)
read -r said <&7
check_contains "a program waits for the other call, and says so" "$said" "Waiting for another ./qpool"
up_to_date
flock -u 8
check_contains "then it starts, and nothing else is said" "$(cat <&7)" "qtpaths"
exec 7<&- 8>&-

rm "$QPOOL_BUILD_DIR/.lock"
check_equal "nothing was built" "$(everything_built)" "$before"

finish
