# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# QPool's own CMake project: the allocator, the examples, the tests.

# The arguments for a Qt other than the distribution's. The distribution's QtGui and programs need a
# QtCore of their own version, so the project is built against the tree with the flag off.
against_flag_off()
{
    against=(-DQPOOL_WITH_PROGRAMS=OFF "-DCMAKE_PREFIX_PATH=$qt_dir/off")
}

# The allocator without tests or Qt, for ./qpool install and the malloc front; one step.
allocator_build=$QPOOL_BUILD/allocator
configure_allocator()
{
    configure_project "$allocator_build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DQPOOL_BUILD_TESTS=OFF -DQPOOL_BUILD_EXAMPLES=OFF
}

# configure_project FOLDER CMAKE_ARGUMENTS...: one step.
configure_project()
{
    local build=$1
    shift
    step "Configuring QPool"
    configure_once "$build" "$*" "$QPOOL_BUILD/log/$(basename "$build")-configure.log" "QPool" \
        cmake -S "$QPOOL_ROOT" -B "$build" "$@"
}

# build_project FOLDER TARGET...: one step.
build_project()
{
    local build=$1 what
    shift
    what=$*
    (($# <= 3)) || what="$# targets"
    step "Building $what"
    run_ninja "$QPOOL_BUILD/log/$(basename "$build")-build.log" "building $what" "$build" "$@"
    step_done
}

# build_tool NAME FOLDER PACKAGES...: builds tools/NAME alone; three steps, with the lock. Callers
# redirect its output, because standard output must contain only what the tool itself prints.
build_tool()
{
    local name=$1 build=$2
    shift 2
    install_packages "$@"
    configure_project "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DQPOOL_BUILD_TESTS=OFF \
        -DQPOOL_BUILD_EXAMPLES=OFF "-DQPOOL_BUILD_${name^^}=ON"
    build_project "$build" "qpool-$name"
    note_current "$build/tools/$name/qpool-$name"
    release_lock
}

# take_process NAME [VALUE]: sets the caller's $pid to the process that a tool looks at. The tool itself
# handles the other options.
take_process()
{
    [[ $1 == OPERAND ]] || return 0
    [[ $2 =~ ^[1-9][0-9]*$ ]] ||
        usage_error "$2 is not the number of a process: see ./qpool $qpool_command --help"
    pid=$2
}
