# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# The common part of the tests of the live view: a process that publishes.

source "$(dirname "${BASH_SOURCE[0]}")/../build/check.sh"
source "$(dirname "${BASH_SOURCE[0]}")/../shared/orders.sh"
export LC_ALL=C.UTF-8

# start_publisher [NAME=VALUE...]: sets publisher to its process ID once it has allocated, and timers to
# the size class of its timers' private parts, which differs between Qt versions.
start_publisher()
{
    start_program "$QPOOL_PUBLISHER" QT_POOL_ALLOCATOR=monitor "$@"
    publisher=$program
    timers=$("$QPOOL_TOP" --json "$publisher" | python3 -c '
import json, sys
classes = json.load(sys.stdin)["domains"]["private"]["classes"]
print(max(classes, key=lambda entry: entry["live"])["size"])')
}

# publish COUNT: creates COUNT more timers.
publish() { order "$1"; }

# start_caches: sets caches to the process ID of a program with object caches that publishes no pool.
start_caches()
{
    local answer=
    mkfifo "$work/caches-in" "$work/caches-out"
    QT_POOL_ALLOCATOR=monitor "$QPOOL_CACHES" --wait <"$work/caches-in" >"$work/caches-out" &
    caches=$!
    exec 5>"$work/caches-in" 4<"$work/caches-out"
    until [[ $answer == "Press Enter"* ]]; do
        read -r -t 60 answer <&4 || break
    done
    check_equal "the program with caches waits" "$answer" "Press Enter to continue"
}

end_caches()
{
    echo >&5
    exec 5>&-
    cat <&4 >/dev/null
    exec 4<&-
    wait "$caches"
    check_equal "the program with caches ends" "$?" 0
}

# refused CODE MESSAGE-PART ARGUMENTS...: the view ends with CODE and one line on stderr.
refused()
{
    local code=$1 part=$2 result
    shift 2
    "$QPOOL_TOP" "$@" >"$work/out" 2>"$work/err" </dev/null
    result=$?
    check_equal "top $*: exit code" "$result" "$code"
    check_equal "top $*: one line" "$(wc -l <"$work/err")" 1
    check_contains "top $*: its cause" "$(cat "$work/err")" "$part"
    check_equal "top $*: nothing on stdout" "$(cat "$work/out")" ""
}
