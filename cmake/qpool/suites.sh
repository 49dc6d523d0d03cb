# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# Qt's own test suites, built twice:
#   suites       as programs are built that QtCore is replaced under: against the distribution's
#                Qt if it is of the version at hand, else against the same tree with the flag off
#   suites-full  against the pooled QtCore's headers

# Whether the distribution's Qt is of the version that is patched.
qt_is_distributions()
{
    [[ ! $qt_checkout && $(qt_number_of "$(installed_qt_package)") == $(qt_number_of "$qt_version") ]]
}

# suite_targets REGEX: the targets of tests/conformance for the suites whose name matches.
suite_targets()
{
    awk '/^[a-z]/ { print $1 }' "$QPOOL_ROOT/tests/conformance/suites.txt" |
        grep -E -e "$1" | sed 's/^/suite_/'
}

# build_dropin_suites TARGET...: the QtCore that the suites are held against, and targets of
# tests/conformance; four steps.
build_dropin_suites()
{
    if qt_is_distributions; then
        build_qt off Core
        build_suites suites "$qt_untouched" '' "$@"
    else
        build_qt off Core Test Network Concurrent
        build_suites suites "$qt_dir/source-pool" "$qt_dir/off" "$@"
    fi
}

# build_full_suites TARGET...: four steps.
build_full_suites()
{
    build_qt on Core Test Network Concurrent
    build_suites suites-full "$qt_dir/source-pool" "$qt_dir/on" "$@"
}

# build_suites FOLDER SOURCE QT TARGET...: two steps. QT is a build of SOURCE; empty, the suites
# are built against the distribution's.
build_suites()
{
    local name=$1 source=$2 build=$qt_dir/$1 launcher=() against=()
    [[ $3 ]] && against=(-DQPOOL_TREE_IS_BUILD=ON "-DCMAKE_PREFIX_PATH=$3")
    shift 3
    if command -v ccache >/dev/null; then
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    # How fast the suites are themselves matters less than how long they compile.
    step "Configuring Qt's own suites ($name, Qt $qt_version)"
    configure_once "$build" "$source ${against[*]}" "$qt_dir/log/$name-configure.log" "Qt's own suites" \
        cmake -S "$QPOOL_ROOT/tests/conformance" -B "$build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
        "-DQPOOL_QT_SOURCE=$source" "${launcher[@]}" "${against[@]}"
    step "Building Qt's own suites ($name)"
    run_ninja "$qt_dir/log/$name-build.log" "building Qt's own suites" "$build" "$@"
    step_done
}

# run_suites VARIANT RUNNER_ARGUMENTS...: the runner's exit code is 0 if all is as on stock.
run_suites()
{
    local variant=$1 without=()
    shift
    # QtGui takes longer to build than all the rest; of another version there is none to be had.
    qt_is_distributions || without=(--without Gui,Widgets)
    release_lock
    /usr/bin/python3 -B "$QPOOL_ROOT/tools/conformance/qpoolconformance.py" \
        --list "$QPOOL_ROOT/tests/conformance/suites.txt" --qt "$(qt_number_of "$qt_version")" \
        --stock "$qt_dir/off-runtime/libQt6Core.so.6" \
        --pooled "$qt_dir/$variant-runtime/libQt6Core.so.6" --programs "$qt_dir/suites" "${without[@]}" "$@"
}
