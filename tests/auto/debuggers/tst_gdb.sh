# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# tools/gdb/qpool.py, on a stopped process and on its core file, with a QtCore without debug
# information.

source "$(dirname "$0")/../build/check.sh"

export LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime
unset QT_POOL_ALLOCATOR
program=$QPOOL_WATCHED/watched_chunks

# The system's own gdb, without the user's settings and without downloads.
debug() { gdb -nx -batch -iex "set debuginfod enabled off" -iex "set auto-load safe-path /" "$@" 2>&1; }

script=(-ex "source $QPOOL_ROOT/tools/gdb/qpool.py")

# The expectation for each pointer, in the order in which the program printed them. Addresses are
# the same in the next run, because gdb disables their randomisation.
debug "$program" -ex "run >$work/expected" -ex "generate-core-file $work/core" >"$work/log"
if [[ ! -s $work/expected || ! -s $work/core ]]; then
    grep -qE 'Operation not permitted|ptrace' "$work/log" && skip "gdb may not trace processes here"
    failed "the program runs in gdb: $(<"$work/log")"
    finish
fi

# check_pointers WHAT GDB-ARGUMENTS...: each pointer is described correctly.
check_pointers()
{
    local what=$1 pointer expected commands=() answers answer part
    shift
    while read -r pointer expected; do
        [[ $pointer == "(nil)" ]] && pointer=0x0
        commands+=(-ex "echo ---- pointer\\n" -ex "info qpool $pointer")
    done <"$work/expected"
    commands+=(-ex "echo ---- pointer\\n")
    answers=$(debug "$@" "${script[@]}" "${commands[@]}")
    answers=${answers#*---- pointer}
    while read -r pointer expected; do
        answer=${answers%%---- pointer*}
        answers=${answers#*---- pointer}
        while read -r part; do
            case $part in
            class*)
                read -r _ size domain <<<"$part"
                part="$size bytes, $domain"
                ;;
            inside) part="bytes into the chunk" ;;
            live) part="state:  live" ;;
            esac
            check_contains "$what: $part" "$answer" "$part"
        done < <(sed 's/; /\n/g' <<<"$expected")
    done <"$work/expected"
}

check_pointers "process" "$program" -ex "run >$work/again"
check_equal "the second run has the same addresses" "$(diff "$work/expected" "$work/again")" ""
check_pointers "core file" "$program" "$work/core"

pointer=$(awk '/live; class 224 object/ { print $1 }' "$work/expected")
answers=$(debug "$program" "$work/core" "${script[@]}" -ex "qpool owns $pointer" \
    -ex "qpool owns &environ" -ex "qpool arenas")
check_contains "qpool owns, and does not" "$answers" $'yes\nno\n'
# The live objects are five events and an object of the main thread, and QtCore's own object for that
# thread. Both objects have private parts, the latter with a wait condition. The other thread has none.
check_equal "qpool arenas" \
    "$(awk '$1 ~ /^[0-9]+$/ && NF == 10 { print $1, $3, $4, $7, $9, $10 }' <<<"$answers")" \
    $'1 in use 10 0 0\n2 in use 0 64 1'

check_contains "a process without the pool" \
    "$(debug /bin/true -ex "break main" -ex run "${script[@]}" -ex "qpool arenas")" \
    "no QtCore with a pool"
check_contains "a disabled pool" \
    "$(QT_POOL_ALLOCATOR=0 debug "$program" -ex "run >/dev/null" "${script[@]}" -ex "qpool arenas")" \
    "the pool is not in use"
check_contains "no pointer" "$(debug "$program" "$work/core" "${script[@]}" -ex "info qpool")" \
    "usage: info qpool POINTER"

finish
