#!/bin/bash
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds a project, or some of its tests, for another processor and runs them, in the current folder.
#
#   run-arch.sh ARCH SOURCE [TARGET ...]

set -euo pipefail

arch=$1
source=$2
shift 2
build=$PWD/$arch

if ! cmake -S "$source" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DQPOOL_INSTALL=OFF \
        "-DCMAKE_TOOLCHAIN_FILE=$QPOOL_ROOT/cmake/toolchains/$arch.cmake" >"$arch-configure.log" 2>&1; then
    cat "$arch-configure.log"
    exit 1
fi
[[ ! -e $build/left-out.txt ]] || sed 's/^/left out: /' "$build/left-out.txt"
if ! ninja -C "$build" "${@:-all}" >"$arch-build.log" 2>&1; then
    grep -A 30 -m 1 '^FAILED:' "$arch-build.log" || tail -n 25 "$arch-build.log"
    exit 1
fi
names=
for target in "$@"; do
    names+="${names:+|}$target"
done
# Emulating an instruction takes ten.
QPOOL_TEST_DIVISOR=20 ctest --test-dir "$build" --output-on-failure --no-tests=error ${names:+-R "^($names)\$"}
