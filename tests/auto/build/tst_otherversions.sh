# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The edits fit other versions of Qt, too. Their sources are fetched once, into the build folder, and
# not built.

source "$(dirname "$0")/check.sh"

sources=$PWD/other-versions
mkdir -p "$sources"
tried=0

for version in 6.8.2 6.11.2; do
    if [[ ! -d $sources/$version ]]; then
        rm -f "$work/failure"
        if ! cmake "-DVERSION=$version" "-DDESTINATION=$sources/$version" \
            "-DSTATE=$sources/apt" "-DQPOOL_FAILURE_FILE=$work/failure" \
            -P "$QPOOL_ROOT/cmake/FetchQtSource.cmake" >"$work/log" 2>&1; then
            echo "SKIP   : Qt $version is not to be had: $(cat "$work/failure")"
            continue
        fi
    fi
    tried=$((tried + 1))
    rm -f "$work/failure"
    cmake "-DSOURCE=$sources/$version" "-DDESTINATION=$work/$version" \
        "-DPATCH=$work/$version.patch" "-DQPOOL_FAILURE_FILE=$work/failure" \
        -P "$QPOOL_ROOT/cmake/EditQtSource.cmake" >"$work/log" 2>&1
    result=$?
    check_equal "the edits fit Qt $version" "$result" 0
    cat "$work/failure" 2>/dev/null
    check "its patch applies" patch -s -p1 --dry-run -d "$sources/$version" -i "$work/$version.patch"
done

((tried)) || skip "no other version's source could be fetched"
finish
