# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool doc --check on the tree as it is.

source "$(dirname "$0")/../build/check.sh"
export QPOOL_BUILD_DIR=$work/build

if ! git -C "$QPOOL_ROOT" rev-parse HEAD >"$work/out" 2>&1; then
    echo "this tree has no git, which lists the documents: skipped"
    exit 77
fi
"$QPOOL_ROOT/qpool" doc --check >"$work/out" 2>&1
result=$?
cat "$work/out"
check_equal "the documents hold" "$result" 0
finish
