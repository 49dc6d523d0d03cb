# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# A program that a test controls: it reads a line, executes it, and answers "ready", first when it has
# started. So nothing depends on time. Source this file after check.sh.

program=
trap 'end_program; rm -rf "$work"' EXIT

# start_program FILE [NAME=VALUE...]: starts it on the pooled QtCore, and sets program to its process ID
# once it is ready.
start_program()
{
    local file=$1
    shift
    mkfifo "$work/orders" "$work/answers"
    env LD_LIBRARY_PATH="$QPOOL_QT_DIR/on-runtime" "$@" "$file" <"$work/orders" >"$work/answers" &
    program=$!
    exec 7>"$work/orders" 8<"$work/answers"
    wait_until_ready
}

wait_until_ready()
{
    local answer
    read -r -t 120 answer <&8
    check_equal "the program answers" "$answer" ready
}

# order LINE: returns when the program has executed it.
order()
{
    echo "$1" >&7
    wait_until_ready
}

end_program()
{
    [[ $program ]] || return 0
    kill -KILL "$program" 2>/dev/null
    wait "$program" 2>/dev/null
    program=
    exec 7>&- 8<&-
    rm -f "$work/orders" "$work/answers"
}
