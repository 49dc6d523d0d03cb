# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# heaptrack sees every object and its allocation site.

source "$(dirname "$0")/../build/check.sh"
source "$(dirname "$0")/lines.sh"

export LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime
unset QT_POOL_ALLOCATOR

# leaks NAME: what a run of the marked program allocated and did not free, by heaptrack_print.
leaks()
{
    # If the program is missing, heaptrack waits for ever.
    "$QPOOL_WATCHED/watched_marked" || failed "the program runs"
    timeout 120 heaptrack -o "$work/$1" "$QPOOL_WATCHED/watched_marked" leak >"$work/log" 2>&1
    local file
    file=$(find "$work" -name "$1.*" | head -n 1)
    [[ $file ]] || failed "heaptrack writes a file: $(<"$work/log")"
    heaptrack_print -p 0 -a 0 -T 0 -l 1 "$file" 2>/dev/null
}

report=$(leaks default)
check_contains "the objects" "$report" "24.00K leaked over 1000 calls from"
check_contains "and where they were made" "$report" "useafterfree.cpp:$(line "object made")"

# The test can fail: with the pool still enabled, heaptrack sees none of it.
check_equal "with the pool kept on" \
    "$(QT_POOL_ALLOCATOR=1 leaks kept | grep -c '24.00K leaked over 1000 calls')" 0

finish
