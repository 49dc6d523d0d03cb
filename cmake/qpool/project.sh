# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# QPool's own CMake project: the allocator, the examples, the tests.

# configure_project FOLDER CMAKE_ARGUMENTS...: one step.
configure_project()
{
    local build=$1 stamp=$1/.qpool-configured signature
    shift
    step "Configuring QPool"
    signature="$*"
    if [[ -e $build/build.ninja && -e $stamp && $(<"$stamp") == "$signature" ]]; then
        step_done "done before"
        return 0
    fi
    rm -rf "$build/CMakeCache.txt" "$stamp"
    logged "$QPOOL_BUILD/log/$(basename "$build")-configure.log" "configuring QPool" \
        cmake -S "$QPOOL_ROOT" -B "$build" "$@"
    printf '%s\n' "$signature" >"$stamp"
    step_done
}

# build_project FOLDER TARGET...: one step.
build_project()
{
    local build=$1
    shift
    step "Building $*"
    run_ninja "$QPOOL_BUILD/log/$(basename "$build")-build.log" "building $*" "$build" "$@"
    step_done
}
