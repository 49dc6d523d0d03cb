# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# The common part of the tests of the live view: a process that publishes.

source "$(dirname "${BASH_SOURCE[0]}")/../build/check.sh"
export LC_ALL=C.UTF-8

publisher=
trap 'end_publisher; rm -rf "$work"' EXIT

# start_publisher [NAME=VALUE...]: sets publisher to its number once it has allocated, and timers to
# the size class of its timers' private parts, which is another in each Qt version.
start_publisher()
{
    mkfifo "$work/orders" "$work/answers"
    env QT_POOL_ALLOCATOR=monitor LD_LIBRARY_PATH="$QPOOL_QT_DIR/on-runtime" "$@" \
        "$QPOOL_PUBLISHER" <"$work/orders" >"$work/answers" &
    publisher=$!
    exec 7>"$work/orders" 8<"$work/answers"
    wait_for_publisher
    timers=$("$QPOOL_TOP" --json "$publisher" | python3 -c '
import json, sys
classes = json.load(sys.stdin)["domains"]["private"]["classes"]
print(max(classes, key=lambda entry: entry["live"])["size"])')
}

wait_for_publisher()
{
    local answer
    read -r -t 60 answer <&8
    check_equal "the publisher answers" "$answer" ready
}

# publish COUNT: so many timers more.
publish()
{
    echo "$1" >&7
    wait_for_publisher
}

end_publisher()
{
    [[ $publisher ]] || return 0
    kill -KILL "$publisher" 2>/dev/null
    wait "$publisher" 2>/dev/null
    publisher=
    exec 7>&- 8<&-
    rm -f "$work/orders" "$work/answers"
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
