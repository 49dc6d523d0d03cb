#!/bin/sh
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Checks the models of the lock-free protocols exhaustively: each must hold, and spin must find each of
# its seeded errors, so that a model that checks nothing is detected.
#
#   run-spin.sh [MODEL.pml ...]
#
# Exit code 77, a skipped test, if spin or a C compiler is missing.

set -u

here=$(cd "$(dirname "$0")" && pwd)
compiler=${CC:-gcc}
for tool in spin "$compiler"; do
    if ! command -v "$tool" >/dev/null 2>&1; then
        echo "SKIPPED: $tool is not installed (Debian: apt-get install spin gcc)"
        exit 77
    fi
done

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

failures=0

fail()
{
    echo "FAILED  $1"
    sed 's/^/        /' "$work/log"
    failures=$((failures + 1))
}

# check MODEL holds|fails [OPTION ...]: spin writes its files to a temporary folder.
check()
{
    model=$1
    expected=$2
    shift 2
    name="$(basename "$model" .pml)${*:+ $*}"
    # The search finds the errors at once; optimising would take longer.
    level=-O2
    [ "$expected" = holds ] || level=-O0
    rm -f "$work"/pan* "$work"/*.trail
    if ! (cd "$work" && spin -a "$@" "$model" && "$compiler" $level -DSAFETY -DCOLLAPSE -w -o pan pan.c) \
            >"$work/log" 2>&1; then
        fail "$name: does not compile"
        return
    fi
    (cd "$work" && timeout 120 ./pan -m1000000) >"$work/log" 2>&1
    code=$?
    errors=$(sed -n 's/.*errors: \([0-9][0-9]*\).*/\1/p' "$work/log")
    states=$(sed -n 's/^ *\([0-9.e+]*\) states, stored.*/\1/p' "$work/log")
    broken=$(sed -n 's/^pan:[0-9]*: \(.*\) (at depth [0-9]*)$/\1/p' "$work/log" | head -n 1)
    if [ $code -ne 0 ] && [ "$expected" = holds ] || [ -z "$errors" ]; then
        fail "$name: the search did not end (exit code $code)"
    elif [ "$expected" = holds ]; then
        if [ "$errors" != 0 ]; then
            fail "$name: $broken"
        elif grep -q -e 'max search depth too small' -e 'Search not completed' -e 'out of memory' \
                "$work/log"; then
            fail "$name: the search was cut short"
        else
            echo "holds   $name: all of $states states"
        fi
    elif [ "$errors" = 0 ]; then
        fail "$name: the seeded error was not found in $states states"
    else
        echo "found   $name: $broken"
    fi
}

# With its seeded errors, which the model itself lists.
checkAll()
{
    model=$here/$1.pml
    mutations=$(tr '\n' ' ' <"$model" \
        | sed 's/.*Seeded errors, each of which must be found:\([^*]*\)\*\/.*/\1/' \
        | sed 's/([^)]*)//g' | grep -o '[A-Z][A-Z_]*_[A-Z_]*')
    if [ -z "$mutations" ]; then
        : >"$work/log"
        fail "$1: names no seeded errors"
    fi
    check "$model" holds
    for mutation in $mutations; do
        if ! grep -q "def $mutation" "$model"; then
            : >"$work/log"
            fail "$1: knows no $mutation"
            continue
        fi
        check "$model" fails "-D$mutation"
    done
    sed -n 's/.*Variant: \([A-Z_]*\), with the seeded error \([A-Z_]*\)\..*/\1 \2/p' "$model" >"$work/variants"
    while read -r variant mutation; do
        check "$model" holds "-D$variant"
        check "$model" fails "-D$variant" "-D$mutation"
    done <"$work/variants"
}

if [ $# -eq 0 ]; then
    set -- backlog hasbacklog remotebatch messages adoption ownership handover wakeups event spscring ring \
        objectstock
fi
for model in "$@"; do
    checkAll "$(basename "$model" .pml)"
done

if [ $failures -ne 0 ]; then
    echo "$failures failed"
    exit 1
fi
echo "All models hold, and every seeded error was found."
