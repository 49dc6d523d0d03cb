# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Valgrind's memcheck and AddressSanitizer on programs that use an object or an event after its
# deletion, or leak it: the report names the lines where it was created, freed and used.

source "$(dirname "$0")/../build/check.sh"
source "$(dirname "$0")/lines.sh"

export LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime
unset QT_POOL_ALLOCATOR

# names WHAT REPORT LINE...: the report contains these lines of the source, in this order.
names()
{
    local what=$1 rest=$2 part
    shift 2
    for part in "$@"; do
        if [[ $rest != *"useafterfree.cpp:$part"* ]]; then
            failed "$what: useafterfree.cpp:$part is not where it should be in: $2"
            return
        fi
        rest=${rest#*"useafterfree.cpp:$part"}
    done
    passed "$what"
}

for kind in dropin marked; do
    for subject in object event; do
        used=$(line "$subject used") freed=$(line "$subject freed") made=$(line "$subject made")
        report=$(valgrind -q --error-exitcode=7 "$QPOOL_WATCHED/watched_$kind" $subject 2>&1)
        check_equal "memcheck, $kind, $subject: an error" "$?" 7
        check_contains "memcheck, $kind, $subject: which" "$report" "Invalid read of size 4"
        check_contains "memcheck, $kind, $subject: of what" "$report" "inside a block of size 24 free'd"
        names "memcheck, $kind, $subject: used, freed, made" "$report" "$used" "$freed" "$made"
        check_equal "memcheck, $kind, $subject: nothing else" \
            "$(grep -cE 'Invalid|Mismatched|uninitialised' <<<"$report")" 1

        report=$(ASAN_OPTIONS=exitcode=7:detect_leaks=0:fast_unwind_on_malloc=0 "$QPOOL_WATCHED/watched_${kind}_asan" $subject 2>&1)
        check_equal "ASan, $kind, $subject: an error" "$?" 7
        check_contains "ASan, $kind, $subject: which" "$report" "heap-use-after-free"
        check_contains "ASan, $kind, $subject: of what" "$report" "inside of 24-byte region"
        names "ASan, $kind, $subject: used, freed, made" "$report" "$used" "$freed" "$made"
    done

    report=$(valgrind --leak-check=full "$QPOOL_WATCHED/watched_$kind" leak 2>&1)
    check_contains "memcheck, $kind, leak" "$report" "in 1,000 blocks are definitely lost"
    names "memcheck, $kind, leak: made" "${report#*1,000 blocks are definitely lost}" "$(line "object made")"
    report=$(ASAN_OPTIONS=exitcode=7:fast_unwind_on_malloc=0 "$QPOOL_WATCHED/watched_${kind}_asan" leak 2>&1)
    check_contains "ASan, $kind, leak" "$report" "in 1000 object(s) allocated from"
    names "ASan, $kind, leak: made" "$report" "$(line "object made")"
done

# The test can fail: with the pool still enabled, memcheck sees none of it.
report=$(QT_POOL_ALLOCATOR=1 valgrind -q --error-exitcode=7 "$QPOOL_WATCHED/watched_marked" object 2>&1)
check_equal "memcheck with the pool kept on: $report" "$?" 0

finish
