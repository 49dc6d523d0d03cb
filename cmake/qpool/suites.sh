# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# Qt's own test suites, built twice:
#   suites       like drop-in programs: against the distribution's Qt if it has the same version,
#                otherwise against the same tree with the flag off; suites-gui also has its QtGui
#   suites-full  against the pooled QtCore's headers; suites-full-gui also has QtGui

# The modules that all suites need, by their names in the tree, and those that only a few need.
suite_modules=(Core Test Network Concurrent)
suite_gui_modules=(Gui Widgets QOffscreenIntegrationPlugin)

# If empty, the suites that need a QtGui other than the distribution's are left out.
suites_gui=yes

# Whether the distribution's Qt has the version that is or will be patched.
qt_is_distributions()
{
    local version=${qt_version:-$qt_wanted}
    [[ ! $qt_checkout ]] || return 1
    [[ ! $version || $(qt_number_of "$(installed_qt_package 2>/dev/null)") == $(qt_number_of "$version") ]]
}

# suite_targets REGEX: the targets of tests/conformance for the suites whose name matches.
suite_targets()
{
    awk '/^[a-z]/ { print $1 }' "$QPOOL_ROOT/tests/conformance/suites.txt" |
        grep -E -e "$1" | sed 's/^/suite_/'
}

# suites_need_gui REGEX: whether one of these suites needs QtGui.
suites_need_gui()
{
    awk '$1 ~ /^[a-z]/ && $3 ~ /Gui/ { print $1 }' "$QPOOL_ROOT/tests/conformance/suites.txt" |
        grep -E -e "$1" >/dev/null
}

# build_dropin_suites TARGET...: builds the QtCore that is the reference for the suites, and targets of
# tests/conformance; four steps.
build_dropin_suites()
{
    if qt_is_distributions; then
        build_qt off Core
        build_suites suites "$qt_untouched" '' "$@"
    elif [[ $suites_gui ]]; then
        build_qt full-off "${suite_modules[@]}" "${suite_gui_modules[@]}"
        build_suites suites-gui "$qt_dir/source-pool" "$qt_dir/full-off" "$@"
    else
        build_qt off "${suite_modules[@]}"
        build_suites suites "$qt_dir/source-pool" "$qt_dir/off" "$@"
    fi
}

# build_full_suites TARGET...: four steps.
build_full_suites()
{
    if [[ $suites_gui ]]; then
        build_qt full "${suite_modules[@]}" "${suite_gui_modules[@]}"
        build_suites suites-full-gui "$qt_dir/source-pool" "$qt_dir/full" "$@"
    else
        build_qt on "${suite_modules[@]}"
        build_suites suites-full "$qt_dir/source-pool" "$qt_dir/on" "$@"
    fi
}

# build_suites FOLDER SOURCE QT TARGET...: two steps. QT is a build of SOURCE; if it is empty, the
# suites are built against the distribution's Qt.
build_suites()
{
    local name=$1 source=$2 build=$qt_dir/$1 against=()
    local launcher=$QPOOL_ROOT/cmake/compiler-launcher
    [[ $3 ]] && against=(-DQPOOL_TREE_IS_BUILD=ON "-DCMAKE_PREFIX_PATH=$3")
    against+=("${qt_target[@]}")
    shift 3
    # A short compile time matters more here than the speed of the suites.
    step "Configuring Qt's own suites ($name, Qt $qt_version)"
    configure_once "$build" "$source ${against[*]}" "$qt_dir/log/$name-configure.log" "Qt's own suites" \
        cmake -S "$QPOOL_ROOT/tests/conformance" -B "$build" -G Ninja \
        -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" \
        "-DQPOOL_QT_SOURCE=$source" "-DCMAKE_C_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" \
        "${against[@]}"
    step "Building Qt's own suites ($name)"
    run_ninja "$qt_dir/log/$name-build.log" "building Qt's own suites" "$build" "$@"
    step_done
}

# run_suites VARIANT DROPIN RUNNER_ARGUMENTS...: the runner's exit code is 0 if all results are as on
# stock. If DROPIN is empty, it also runs the suites built against the pooled QtCore's headers.
run_suites()
{
    local variant=$1 dropin=$2 stock=$qt_dir/off-runtime/libQt6Core.so.6 programs=$qt_dir/suites arguments=()
    shift 2
    if qt_is_distributions; then
        :
    elif [[ $suites_gui ]]; then
        stock=$(built_library "$qt_dir/full-off")
        programs=$qt_dir/suites-gui
        arguments=(--plugins "$qt_dir/full-off/plugins")
    else
        arguments=(--without Gui,Widgets)
    fi
    if [[ ! $dropin && $suites_gui ]]; then
        # Uses the library's own path, because QtGui finds its plugins relative to it.
        arguments+=(--full-programs "$qt_dir/suites-full-gui"
            --full-pooled "$(built_library "$qt_dir/full")")
    elif [[ ! $dropin ]]; then
        # Uses the library's own path, because its folder also contains QtTest.
        arguments+=(--full-programs "$qt_dir/suites-full" --full-without Gui,Widgets
            --full-pooled "$(built_library "$qt_dir/$variant")")
    fi
    release_lock
    /usr/bin/python3 -B "$QPOOL_ROOT/tools/conformance/qpoolconformance.py" \
        --list "$QPOOL_ROOT/tests/conformance/suites.txt" --qt "$(qt_number_of "$qt_version")" \
        --stock "$stock" --pooled "$qt_dir/$variant-runtime/libQt6Core.so.6" --programs "$programs" \
        "${arguments[@]}" "$@"
}
