# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Projects outside of this one find the installed allocator or include its source, with no tests,
# GoogleTest or Qt.
#   tst_consumer.sh BUILD HEADERS COMPILER [LIBCXX]

source "$(dirname "$0")/../../build/check.sh"

(($# == 3 || $# == 4)) || { echo "usage: tst_consumer.sh BUILD HEADERS COMPILER [LIBCXX]" >&2; exit 2; }
build=$1 headers=$2 compiler=$3 library=()
# As in QPoolCompiler.cmake: a consumer uses the C++ library with which the pool was built.
if [[ ${4:-OFF} != OFF ]]; then
    library=("-DCMAKE_CXX_FLAGS=-stdlib=libc++" "-DCMAKE_EXE_LINKER_FLAGS=-stdlib=libc++ -static-libstdc++")
fi
cp -r "$(dirname "$0")/." "$work/consumers"

# project NAME FOLDER [CMAKE ARGUMENTS]: configures the project NAME in FOLDER, without packages that it
# must not need, and builds its programs.
project()
{
    local name=$1 folder=$2
    shift 2
    cmake -G Ninja -S "$work/consumers/$name" -B "$folder" -DCMAKE_BUILD_TYPE=Debug \
        "-DCMAKE_CXX_COMPILER=$compiler" "-DHEADERS=$headers" "-DQPOOL_ROOT=$QPOOL_ROOT" \
        -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON -DCMAKE_DISABLE_FIND_PACKAGE_Qt6=ON "${library[@]}" "$@" >"$work/log" 2>&1 &&
        cmake --build "$folder" --parallel 2 --target consumer >>"$work/log" 2>&1 && return 0
    tail -n 30 "$work/log"
    return 1
}

# Prints its output without the C++ standard for which it was compiled.
run() { "$1/consumer" | sed 's/, .*//'; }

# The complete installation.
cmake --install "$build" --prefix "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; failed "installs"; }
check "a project that finds it" project installed "$work/installed" "-DCMAKE_PREFIX_PATH=$work/prefix"
check_equal "runs" "$(run "$work/installed")" "1000 allocated"
output=$(cmake --build "$work/installed" --target outdated 2>&1)
check_contains "a header of another library names the target to link" "$output" "QPool::Pools"
for header in ${headers//,/ }; do
    check "<qpool/$header> is installed" test -f "$work/prefix/include/qpool/$header"
done
mv "$work/prefix" "$work/moved"
check "a project that finds it after a move" \
    project installed "$work/installed-moved" "-DCMAKE_PREFIX_PATH=$work/moved"
check_equal "names no folder of the build" "$(grep -rlF "$build" "$work/moved" --include=*.cmake --include=*.h)" ""

# Component by component.
component() { cmake --install "$build" --prefix "$work/parts" --component "QPool_$1" >"$work/log" 2>&1; }
files() { (cd "$work/parts" && find . -type f -o -type l | sed 's,.*/,,' | grep -E "$1" | sort | xargs); }
check "installs the libraries" component Runtime
check_equal "and nothing else" "$(files '\.(h|a|cmake|so.*)$')" \
    "$(cd "$build/src" && find . -maxdepth 1 -name 'libqpool.so.*' | sed 's,.*/,,' | sort | xargs)"
check "installs the files for development" component Development
check_equal "no part of it the malloc front" "$(files '[Mm]alloc')" ""
check_equal "nor the other libraries" "$(files '(Pools|SharedMemory)|^qtypedpool[.]h|^qpoolsharedsegment[.]h')" ""
check "not if it wants another library" eval \
    "! project installed '$work/no-pools' '-DCMAKE_PREFIX_PATH=$work/parts' '-DCOMPONENTS=COMPONENTS;Pools' >/dev/null"
check "installs the classes for programs" component Pools
check "installs shared memory" component SharedMemory
check "a project that finds these" project installed "$work/parts-build" "-DCMAKE_PREFIX_PATH=$work/parts"
check "not if it wants the malloc front" eval \
    "! project installed '$work/no-front' '-DCMAKE_PREFIX_PATH=$work/parts' '-DCOMPONENTS=COMPONENTS;Malloc' >/dev/null"
check_contains "which is named" "$(tr -s ' \n' ' ' <"$work/log")" "QPool"
if [[ -e $build/src/allocator/malloc/libqpool-malloc.so ]]; then
    check "installs the malloc front" component Malloc
    check "a project that wants it" project installed "$work/front" \
        "-DCMAKE_PREFIX_PATH=$work/parts" "-DCOMPONENTS=COMPONENTS;Malloc"
fi

# Included in another project.
check "a project that adds it" project subdirectory "$work/subdirectory"
check_equal "runs" "$(run "$work/subdirectory")" "1000 allocated"
check_equal "installs nothing of it" "$(cmake --install "$work/subdirectory" --prefix "$work/theirs" |
    sed -n 's/^-- \(Installing\|Up-to-date\): .*theirs//p' | xargs)" "/bin/consumer"
check "a project that fetches it" project fetched "$work/fetched"
check_equal "runs with its own C++ standard" "$("$work/fetched/consumer")" "1000 allocated, standard 202002"

# A public header that does not exist.
mkdir "$work/headers"
sed 's,^    allocator/pool/qpoolallocator.h$,&\n    allocator/pool/nosuch.h,' "$QPOOL_ROOT/src/publicheaders.cmake" \
    >"$work/headers/publicheaders.cmake"
cp -r "$QPOOL_ROOT"/src/{allocator,pools,sharedmemory} "$work/headers"
cat >"$work/headers/call.cmake" <<'SCRIPT'
cmake_minimum_required(VERSION 3.22)
include("${CMAKE_CURRENT_LIST_DIR}/publicheaders.cmake")
qpool_forward_public_headers("${CMAKE_CURRENT_LIST_DIR}" "${CMAKE_CURRENT_LIST_DIR}/include")
SCRIPT
output=$(cmake -P "$work/headers/call.cmake" 2>&1)
check_equal "a public header that is missing" "$?" 1
check_contains "is named" "$(tr -s ' \n' ' ' <<<"$output")" "There is no allocator/pool/nosuch.h in"

finish
