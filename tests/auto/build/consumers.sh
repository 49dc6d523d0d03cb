# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# Programs outside of the repository. Each is a new CMake project of tests/auto/build/consumers.

# build_consumer NAME PREFIX
build_consumer()
{
    local folder=$work/consumer-$1
    rm -rf "$folder"
    mkdir "$folder"
    cp -r "$QPOOL_ROOT/tests/auto/build/consumers/$1/." "$folder"
    # Finds only what is installed there, not the distribution's Qt.
    if ! { cmake -G Ninja -S "$folder" -B "$folder/build" "-DCMAKE_PREFIX_PATH=$2" \
        -DCMAKE_BUILD_TYPE=Release && cmake --build "$folder/build"; } >"$work/consumer.log" 2>&1; then
        failed "the program $1 is built: $(tail -n 20 "$work/consumer.log")"
    fi
}

# run_consumer NAME [PROGRAM]
run_consumer() { "$work/consumer-$1/build/${2-$1}"; }

# run_beside NAME PREFIX FOLDER: on PREFIX's QtCore and FOLDER's other libraries.
run_beside()
{
    mkdir -p "$work/mixed"
    ln -sfn "$2/lib/libQt6Core.so.6" "$work/mixed/libQt6Core.so.6"
    # Only an RPATH in the program goes before LD_LIBRARY_PATH.
    local copy=$work/mixed/$1
    cp "$work/consumer-$1/build/$1" "$copy"
    cmake -DFILE="$copy" -P /dev/stdin <<'SCRIPT'
file(RPATH_REMOVE FILE "${FILE}")
SCRIPT
    LD_LIBRARY_PATH=$work/mixed:$3 "$copy"
}
