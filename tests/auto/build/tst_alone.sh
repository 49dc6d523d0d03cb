# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# A folder that claims that it can be configured by itself must not search for files below a top-level
# project, which is another one here.

source "$(dirname "$0")/check.sh"

configured=0
configures()
{
    cmake -S "$QPOOL_ROOT/$1" -B "$work/build-$((++configured))" -G Ninja >"$work/log" 2>&1 && return 0
    cat "$work/log"
    return 1
}

check "the histogram alone is configured" configures examples/histogram
check "the programs that grow are configured alone" configures examples/growth
check "the histogram's tests alone are configured" configures tests/auto/histogram

finish
