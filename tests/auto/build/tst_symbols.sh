# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Compares what the pooled library exports with stock. With "stock", also compares what the fork edits,
# compiled with the flag off, with an untouched tree:
#   tst_symbols.sh [stock]

source "$(dirname "$0")/check.sh"

library() { echo "$QPOOL_QT_DIR/$1-runtime/libQt6Core.so.6"; }

# Templates and constants of std that a compiler emits are not part of Qt.
exported()
{
    nm -D --defined-only --with-symbol-versions "$1" | awk '{ print $3 }' | grep -v '^_ZN\?K\?St' | sort -u
}

for variant in on stock; do
    check "$variant is there" test -e "$(library $variant)" || true
    exported "$(library $variant)" >"$work/$variant"
    check "$variant exports something" test -s "$work/$variant"
done

check_equal "both are of one version" "$(basename "$(readlink -f "$(library on)")")" \
    "$(basename "$(readlink -f "$(library stock)")")"
check_equal "the pooled library lacks none of stock's" "$(comm -13 "$work/on" "$work/stock")" ""
check "the pooled library has operators" grep -q '^_ZN6QEventnwEm@' "$work/on"
check_equal "stock has not" "$(grep -c '^_ZN6QEventnwEm@' "$work/stock")" 0

# The start and size of each function.
layout() { readelf --debug-dump=frames "$(library "$1")" 2>/dev/null | sed -n 's/.* pc=//p'; }
for variant in on stock; do
    layout "$variant" >"$work/$variant-layout"
done
check "the layout of the code is known" test -s "$work/stock-layout"
check "the pooled library has another" bash -c "! cmp -s '$work/stock-layout' '$work/on-layout'"

# What the fork adds or edits.
files() { grep -E "^src/.*\.$1\$" "$QPOOL_QT_DIR/source-pool/.qpool-files"; }

object() { echo "$QPOOL_QT_DIR/$1/src/corelib/CMakeFiles/Core.dir/${2#src/corelib/}.o"; }

# The instructions of a source file, with the functions and variables that they refer to.
code() { objdump --disassemble --reloc --no-show-raw-insn "$(object "$1" "$2")" | sed '/file format/d'; }

# As if the two builds had one folder.
without_folders() { sed -E "s,$QPOOL_QT_DIR/(off|stock)/,BUILD/,g; s,/source-pool/,/source/,g"; }

# The command that compiles a source file.
compilation()
{
    ninja -C "$QPOOL_QT_DIR/$1" -t commands "$(object "$1" "$2" | sed "s|^$QPOOL_QT_DIR/$1/||")" |
        tail -n 1 | without_folders
}

# text VARIANT PREPROCESSOR HEADER: what a compiler sees of a header and of all that it includes. It also
# includes qobject.h, without which some refuse to be included. Empty lines are none.
text()
{
    local source=source-pool
    [[ $1 == off ]] || source=source
    (cd "$QPOOL_QT_DIR/$1" && sh -c "$2 -include QtCore/qobject.h -E -P -x c++ $QPOOL_QT_DIR/$source/$3") |
        sed '/^ *$/d' | without_folders
}

# The beginning of the command, without the files that it reads and writes.
preprocessor()
{
    ninja -C "$QPOOL_QT_DIR/$1" -t commands src/corelib/CMakeFiles/Core.dir/kernel/qobject.cpp.o |
        tail -n 1 | sed -E 's| -M[DTF]( [^ -][^ ]*)?||g; s| -o .*||; s| -include [^ ]*||'
}

if [[ ${1-} == stock ]]; then
    compared=0
    for file in $(files cpp); do
        if [[ -e $(object stock "$file") ]]; then
            code off "$file" >"$work/off-code"
            code stock "$file" >"$work/stock-code"
            check "with the flag off, the code of $file is the untouched one" \
                cmp -s "$work/off-code" "$work/stock-code"
            check_equal "and so is its compilation" "$(compilation off "$file")" "$(compilation stock "$file")"
            code on "$file" >"$work/on-code"
            check "with the flag on it is not" bash -c "! cmp -s '$work/on-code' '$work/off-code'"
            compared=$((compared + 1))
        else
            check "with the flag off, $file is not compiled" test ! -e "$(object off "$file")"
        fi
    done
    check "at least ten files were compared" test "$compared" -ge 10

    # All other files of the library differ only if a header does.
    compared=0
    off=$(preprocessor off)
    stock=$(preprocessor stock)
    for file in $(files h); do
        # That of the programs that build Qt contains no code.
        [[ -e $QPOOL_QT_DIR/source/$file && $file != */qconfig-bootstrapped.h ]] || continue
        text off "$off" "$file" >"$work/off-text"
        text stock "$stock" "$file" >"$work/stock-text"
        check "a compiler sees something of $file" test -s "$work/stock-text"
        check "with the flag off, a compiler sees the untouched $file" \
            cmp -s "$work/off-text" "$work/stock-text"
        compared=$((compared + 1))
    done
    check "at least five headers were compared" test "$compared" -ge 5
fi

# Otherwise the program's copy, compiled without the pool, could be used.
check_equal "the pooled library exports no inline class's deleting destructor" \
    "$(nm -D --defined-only "$(library on)" | grep -E ' [VW] _ZN.*D0Ev')" ""
check "the pooled library is bound when it is loaded" bash -c "readelf -d '$(library on)' | grep -q BIND_NOW"
check "the pooled library stays in memory" bash -c "readelf -d '$(library on)' | grep -q NODELETE"

finish
