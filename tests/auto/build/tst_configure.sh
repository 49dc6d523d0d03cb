# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The edited tree's own configure knows the features, with the same kinds of names and options as Qt's.
# It ends before it starts CMake, because the generator does not exist.

source "$(dirname "$0")/check.sh"

configure=$QPOOL_QT_DIR/source-pool/configure

# The variables that configure passes to CMake for these arguments.
told()
{
    cd "$work" && "$configure" "$@" -cmake-generator None 2>&1 | grep -m 1 "^'.*cmake'"
}

listed=$(cd "$work" && "$configure" -list-features 2>&1)
for feature in pool-allocator object-fast-paths economical-wakeup nested-loop-wakeup event-latency; do
    variable=${feature//-/_}
    check_contains "$feature is listed" "$listed" "$feature ."
    # Versions of Qt differ in how they pass it on.
    check "-feature-$feature" grep -qE "'-D(INPUT_$variable=yes|FEATURE_$variable=ON)'" <<<"$(told "-feature-$feature")"
    check "-no-feature-$feature" grep -qE "'-D(INPUT_$variable=no|FEATURE_$variable=OFF)'" <<<"$(told "-no-feature-$feature")"
    check "CMake knows it by that name" grep -q "^QT_FEATURE_$variable:INTERNAL=ON" \
        "$QPOOL_QT_DIR/on/CMakeCache.txt"
    check "and has it off without" grep -q "^QT_FEATURE_$variable:INTERNAL=OFF" \
        "$QPOOL_QT_DIR/off/CMakeCache.txt"
done
check "they are features apart" test "$(told -feature-pool-allocator)" != "$(told -feature-economical-wakeup)"

finish
