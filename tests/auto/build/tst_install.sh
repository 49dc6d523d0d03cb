# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool install: programs outside of this repository build against the installation, and run, also
# after it was moved; folders of others do not change.
#   tst_install.sh [--full]

source "$(dirname "$0")/check.sh"
source "$(dirname "$0")/consumers.sh"

full=${1-}
if [[ $full && ! -e $QPOOL_QT_DIR/full/build.ninja ]]; then
    skip "all of qtbase was not built: ./qpool build --full"
fi
QPOOL_BUILD_DIR=$(dirname "$(dirname "$QPOOL_QT_DIR")")
export QPOOL_BUILD_DIR
version=$(basename "$QPOOL_QT_DIR")
[[ $version =~ ^[0-9.]+$ ]] || skip "$QPOOL_QT_DIR was built from a checkout"

install_to() { "$QPOOL_ROOT/qpool" install --qt "$version" $full --prefix "$@"; }

# refused PART DIR: the call prints one line that contains PART, and changes nothing.
refused()
{
    local before result
    before=$(find "$work/folder" -printf '%P %T@\n' | sort)
    install_to "$2" >"$work/out" 2>"$work/err" </dev/null
    result=$?
    check_equal "--prefix $2: exit code" "$result" 1
    check_equal "--prefix $2: one line" "$(wc -l <"$work/err")" 1
    check_contains "--prefix $2: its cause" "$(<"$work/err")" "$1"
    check_equal "--prefix $2: nothing changed" "$(find "$work/folder" -printf '%P %T@\n' | sort)" "$before"
}

mkdir -p "$work/folder/foreign" "$work/folder/locked"
touch "$work/folder/foreign/file"
refused "is not empty and holds no installation" "$work/folder/foreign"
refused "is not a folder" "$work/folder/foreign/file"
refused "cannot write to $work/folder/foreign/file" "$work/folder/foreign/file/below"
if ((EUID != 0)); then
    chmod a-w "$work/folder/locked"
    refused "cannot write to $work/folder/locked" "$work/folder/locked/below"
fi

# An installation that fails half-way leaves nothing.
mkdir "$work/bin"
cat >"$work/bin/cmake" <<SCRIPT
#!/bin/bash
if [[ \$1 == --install && \$2 == */allocator ]]; then
    mkdir -p "\$DESTDIR\$4/lib"; echo half >"\$DESTDIR\$4/lib/half"; echo "broken" >&2; exit 1
fi
exec $(command -v cmake) "\$@"
SCRIPT
chmod +x "$work/bin/cmake"
PATH=$work/bin:$PATH install_to "$work/failing" >"$work/out" 2>"$work/err" </dev/null
check_equal "a step that fails" "$?" 1
check_contains "says so" "$(tail -n 1 "$work/err")" "installing from"
check "and leaves no folder" test ! -e "$work/failing"

prefix="$work/a prefix"
install_to "$prefix" >"$work/out" 2>&1 </dev/null
check_equal "installs" "$?" 0
tail -n 3 "$work/out"
check "leaves nothing unfinished" test ! -e "$prefix/.qpool-unfinished"
check_equal "names no folder of the build" \
    "$(grep -rlF --include=*.cmake --include=*.pc --include=*.pri --include=*.prl "$QPOOL_BUILD_DIR" "$prefix" | head -n 3)" ""

if [[ ! $full ]]; then
    check_equal "nothing of a QtNetwork without TLS" \
        "$(find "$prefix" -iname '*network*' -name '*.so*' -o -iname 'Qt6Network*')" ""
fi

build_consumer core "$prefix"
check_equal "a program of QtCore" "$(run_consumer core)" "pooled $(readlink -f "$prefix")"
build_consumer allocator "$prefix"
check_equal "a program of the allocator" "$(run_consumer allocator)" "48 bytes"
check_equal "a program of the shared library" "$(run_consumer allocator shared)" "48 bytes"
build_consumer malloc "$prefix"
check_equal "a program in C of the malloc front" "$(run_consumer malloc)" "the pool's"
check_equal "a disabled pool in it" "$(QT_POOL_ALLOCATOR=0 run_consumer malloc)" "the C library's"
check_equal "no header of the malloc front" \
    "$(find "$prefix/include/qpool" -ipath '*malloc*' -o -name qpoolheap.h)" ""
if [[ $full ]]; then
    build_consumer widgets "$prefix"
    check_equal "a program with windows" "$(QT_QPA_PLATFORM=offscreen run_consumer widgets)" \
        "pooled offscreen $(readlink -f "$prefix")"
    stock=$(dirname "$(ldconfig -p | awk '/libQt6Gui\.so\.6 / { print $NF; exit }')")
    check_contains "which says so when it finds the distribution's libraries" \
        "$(run_beside widgets "$prefix" "$stock" 2>&1)" "is compiled for a Qt with the pool allocator"
fi

moved=$work/moved
mv "$prefix" "$moved"
build_consumer core "$moved"
check_equal "a program of QtCore, after a move" "$(run_consumer core)" "pooled $(readlink -f "$moved")"
build_consumer allocator "$moved"
check_equal "a program of the allocator, after a move" "$(run_consumer allocator)" "48 bytes"
check_equal "a program of the shared library, after a move" "$(run_consumer allocator shared)" "48 bytes"
build_consumer malloc "$moved"
check_equal "a program in C of the malloc front, after a move" "$(run_consumer malloc)" "the pool's"
if [[ $full ]]; then
    build_consumer widgets "$moved"
    check_equal "a program with windows, after a move" \
        "$(QT_QPA_PLATFORM=offscreen run_consumer widgets)" "pooled offscreen $(readlink -f "$moved")"
fi
# The distribution's program, which is linked to QtCore.
maps=$("$moved/bin/qpool-run" env LD_TRACE_LOADED_OBJECTS=1 /usr/lib/qt6/bin/qtpaths)
check_contains "qpool-run's QtCore" "$maps" "$(readlink -f "$moved")/lib"
check_contains "qpool-run's malloc front" "$maps" libqpool-malloc.so.1
"$moved/bin/qpool-run" "$work/nothing" 2>"$work/err"
check_equal "qpool-run without a program" "$?" 127
mv "$moved/lib" "$moved/away"
"$moved/bin/qpool-run" true 2>"$work/err"
check_equal "qpool-run without its libraries" "$? $(wc -l <"$work/err")" "125 1"
mv "$moved/away" "$moved/lib"
qmake=$(find "$moved" -name qmake | head -n 1)
check_equal "its qmake knows where it is" "$("$qmake" -query QT_INSTALL_PREFIX)" "$(readlink -f "$moved")"
check "and where its headers are" test -e "$("$qmake" -query QT_INSTALL_HEADERS)/QtCore/qpooloperators.h"
plugins=$("$qmake" -query QT_INSTALL_PLUGINS)
if [[ $full ]]; then
    check_equal "its plugins are its own" "$plugins" "$(readlink -f "$moved")/plugins"
else
    check_equal "its plugins are the distribution's" "$plugins" "$(/usr/lib/qt6/bin/qtpaths --plugin-dir)"
fi

# Installs over the first one: files of others stay, and former files of ours are removed.
mkdir "$moved/lib/others"
touch "$moved/lib/others/file" "$moved/share/qpool/former"
echo share/qpool/former >>"$moved/share/qpool/installed-files"
install_to "$moved" >"$work/out" 2>&1 </dev/null
check_equal "installs over itself" "$?" 0
check "others' files stay" test -e "$moved/lib/others/file"
check "former files go" test ! -e "$moved/share/qpool/former"
build_consumer core "$moved"
check_equal "a program of QtCore, after that" "$(run_consumer core)" "pooled $(readlink -f "$moved")"

check "uninstalls" "$QPOOL_ROOT/qpool" uninstall --prefix "$moved" >"$work/out"
check_equal "what others put there stays, and no folder of ours" "$(find "$moved" -mindepth 1 -printf '%P\n' | sort | xargs)" \
    "lib lib/others lib/others/file"

finish
