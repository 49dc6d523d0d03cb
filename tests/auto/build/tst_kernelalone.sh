# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The allocator without the libraries that are built on it: with their folders deleted, it is configured with
# all of its tests, built, and some of the tests run.

source "$(dirname "$0")/check.sh"

tree=$work/tree build=$work/build
mkdir "$tree"
cp -r "$QPOOL_ROOT"/{CMakeLists.txt,cmake,examples,src,tests,LICENSES} "$tree"
rm -r "$tree"/{src,tests/auto,examples}/{pools,sharedmemory} "$tree/tests/auto/libraries"

check "it is configured" cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Debug \
    -DQPOOL_BUILD_EXAMPLES=OFF -DCMAKE_CXX_FLAGS=-O0 --log-level=WARNING
check "it is built, with tests of each layer" cmake --build "$build" --parallel 2 --target \
    QPoolAllocator QPoolShared QPoolMalloc tst_pagerange tst_backlog tst_registry example_multithreaded
check "they pass" ctest --test-dir "$build" --output-on-failure --no-tests=error \
    -R '^(tst_pagerange|tst_backlog|tst_registry|example_multithreaded)$'
check "there is no header of another library" test ! -e "$build/src/include/qpool/qtypedpool.h"
check_equal "no test of the allocator needs another library" \
    "$(grep -rlE '#include "(pools|sharedmemory)/' "$tree/tests/auto/allocator" "$tree/tests/auto/malloc")" ""
finish
