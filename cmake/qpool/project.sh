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
    # As in build_in_qt(). Elsewhere, debug information must not name the folder of another clone.
    [[ ${CI-} != true ]] || export CCACHE_BASEDIR=$QPOOL_ROOT CCACHE_NOHASHDIR=1
    run_ninja "$QPOOL_BUILD/log/$(basename "$build")-build.log" "building $what" "$build" "$@"
    step_done
}

# prepare_tool NAME: sets $tool to the program of tools/NAME, and builds it unless an earlier call did. It does not wait
# for another ./qpool if there is an earlier build. Reports on standard error, because standard output must contain
# only what the tool itself prints.
prepare_tool()
{
    local name=$1 build=$QPOOL_BUILD/tools
    tool=$build/tools/$name/qpool-$name
    qpool_steps=3
    qpool_quiet=yes
    ! is_current "$tool" || return 0
    if ! try_lock && [[ -e $tool ]]; then
        release_lock
        say "Another ./qpool is at work in $QPOOL_BUILD: using the earlier build."
        return 0
    fi
    take_lock
    install_packages build qt tools
    # Together, because most of what they are built of is the same.
    configure_project "$build" --preset default -B "$build" -DQPOOL_BUILD_TESTS=OFF \
        -DQPOOL_BUILD_EXAMPLES=OFF -DQPOOL_BUILD_TOOLS=ON
    build_project "$build" "qpool-$name"
    note_current "$tool"
    release_lock
} >&2

histogram=$QPOOL_BUILD/demo/examples/histogram/qpool-histogram

# Builds the histogram: seven steps, one more to run it, and two more for a whole program.
prepare_histogram()
{
    local on="the pooled QtCore"
    qpool_steps=8
    if [[ $qt_run_whole ]]; then
        qpool_steps=10
        on="the pool, whole"
        prepare_whole view
    else
        prepare_qt view
    fi
    # With the options of the tests, so that on CI ccache has for one what was compiled for the other.
    configure_project "$QPOOL_BUILD/demo" --preset default -B "$QPOOL_BUILD/demo" \
        -DQPOOL_BUILD_TESTS=OFF "-DQPOOL_QT_DIR=$qt_dir"
    build_project "$QPOOL_BUILD/demo" qpool-histogram
    step "Running the histogram on $on"
}

# prepare_view: the same, unless an earlier call did.
prepare_view()
{
    use_built_qt "$histogram" || {
        prepare_histogram
        note_current "$pooled_library" "$histogram"
    }
}
