# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# Checks for the scripts of this folder. A failed check is reported, and the script fails at its end:
# `finish`.

set -u
export LC_ALL=C
failures=0

# The test's own folder, removed when it ends.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

failed()
{
    failures=$((failures + 1))
    printf 'FAIL   : %s\n' "$*"
}

passed() { printf 'PASS   : %s\n' "$*"; }

# check WHAT COMMAND...: COMMAND succeeds.
check()
{
    local what=$1
    shift
    if "$@"; then passed "$what"; else failed "$what: $*"; fi
}

# check_equal WHAT ACTUAL EXPECTED
check_equal()
{
    if [[ $2 == "$3" ]]; then passed "$1"; else failed "$1: got '$2', expected '$3'"; fi
}

# check_contains WHAT TEXT PART
check_contains()
{
    if [[ $2 == *"$3"* ]]; then passed "$1"; else failed "$1: '$3' is not in '$2'"; fi
}

skip()
{
    printf 'SKIP   : %s\n' "$*"
    exit 77
}

finish()
{
    printf '%d failed\n' "$failures"
    exit $((failures > 0))
}
