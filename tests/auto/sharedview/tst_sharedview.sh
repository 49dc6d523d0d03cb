#!/bin/sh
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# tst_sharedview.sh WRITER VIEWER PNG: two writers fill a map; the window, without a display, shows
# their changes as they arrive, and saves a picture.

set -eu
writer=$1
viewer=$2
png=$3
name=test-sharedview-$$
rm -f "$png"
trap '"$writer" --segment "$name" --remove' EXIT

# The map exists before the window opens; the window is notified of later changes.
"$writer" --segment "$name" --interval 0 --turns 50
"$viewer" --segment "$name" --headless --changes 1500 --png "$png" &
window=$!
"$writer" --segment "$name" --interval 1 --turns 1000 &
first=$!
"$writer" --segment "$name" --interval 1 --turns 1000 &
second=$!
# The writers make twice as many changes as the window waits for, because it may miss those made before
# it listens.
wait "$first"
wait "$second"
# Makes more changes, in case the window has missed all others.
"$writer" --segment "$name" --interval 50 --turns 20
wait "$window"
test -s "$png"
