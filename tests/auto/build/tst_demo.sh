# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# ./qpool demo: the libraries with which it starts the program, and the number of steps and the time that it
# announces. Nothing is built; a script that replaces the histogram reports its environment.

source "$(dirname "$0")/check.sh"

# with_all_built COMMAND ARGUMENTS...: runs COMMAND as if everything had been built below "$build".
with_all_built()
{
    local qt=$build/qt/6.4.2 program=$build/demo/examples/histogram/qpool-histogram
    mkdir -p "$qt/source" "$qt/source-pool" "$(dirname "$program")"
    touch "$qt/source-pool/.qpool-files"
    # shellcheck disable=SC2016 # for the script
    printf '%s\n' '#!/bin/sh' 'echo "preloaded: $LD_PRELOAD"' 'echo "libraries: $LD_LIBRARY_PATH"' \
        'echo "arguments: $*"' >"$program"
    chmod +x "$program"
    (
        set -euo pipefail
        QPOOL_BUILD=$build
        for part in "$QPOOL_ROOT"/cmake/qpool/*.sh "$QPOOL_ROOT"/cmake/qpool/commands/*.sh; do
            source "$part"
        done
        find_qt_package() { qt_package_version=6.4.2+dfsg-10; }
        missing_packages() { :; }
        cmake_script() { :; }
        configure_once() { step_done; }
        run_ninja() { printf 'built: %s\n' "${*:4}"; }
        offer_library() { :; }
        qpool_command=$1
        unset LD_PRELOAD LD_LIBRARY_PATH DISPLAY WAYLAND_DISPLAY
        "command_$1" "${@:2}"
    ) >"$work/out" 2>"$work/err" </dev/null
}

# told NAME: the value that the program reported.
told() { sed -n "s/^$1: //p" "$work/out"; }

# check_steps WHAT NUMBER: the steps are counted from 1 to the announced number.
check_steps()
{
    check_equal "$1: its steps" "$(sed -n 's|^\[\([0-9]*/[0-9]*\)\].*|\1|p' "$work/out" | tr '\n' ' ')" \
        "$(for ((i = 1; i <= $2; ++i)); do printf '%d/%d ' "$i" "$2"; done)"
}

front=malloc-runtime/libqpool-malloc.so.1
build=$work/build
with_all_built demo --headless --seconds 5
check_equal "demo" "$?" 0
check_equal "demo runs a whole program" "$(told preloaded)" "$build/$front"
check_equal "on the pooled QtCore" "$(told libraries)" "$build/qt/6.4.2/on-runtime"
check_equal "with its options" "$(told arguments)" "--headless --seconds=5"
check_equal "nothing else is built" "$(told built | tr '\n' ' ')" "Core QPoolMalloc qpool-histogram "
check_steps demo 10

with_all_built demo --without-malloc --headless
check_equal "demo --without-malloc" "$(told preloaded)" ""
check_equal "on the pooled QtCore all the same" "$(told libraries)" "$build/qt/6.4.2/on-runtime"
check_equal "and is not told the option" "$(told arguments)" "--headless"
check_equal "then there is no front" "$(told built | tr '\n' ' ')" "Core qpool-histogram "
check_steps "demo --without-malloc" 8

with_all_built demo --headless -- --without-malloc
check_equal "options behind -- are the program's" "$(told arguments)" "--headless --without-malloc"
check_equal "and it is a whole program" "$(told preloaded)" "$build/$front"

build="$work/a build"
with_all_built demo --headless
check_equal "a folder with a blank: by its name" "$(told preloaded)" "$(basename "$front")"
check_equal "which is looked for there" "$(told libraries)" \
    "$build/qt/6.4.2/on-runtime:$build/$(dirname "$front")"

build=$work/build
with_all_built attach --headless
check_equal "attach" "$?" 0
check_equal "attach looks at others, and is no whole program" "$(told preloaded)" ""
check_steps attach 8

# announced STEPS: the time that a build of so many steps is said to take on two processors.
announced()
{
    # shellcheck disable=SC2016 # for the inner shell
    QPOOL_ROOT=$QPOOL_ROOT QPOOL_BUILD=$build bash -c '
        for part in "$QPOOL_ROOT"/cmake/qpool/*.sh; do source "$part"; done
        qt_jobs=2 && announce_time "$0"' "$1" | xargs
}
check_equal "a short build is not announced" "$(announced 7)" ""
check_equal "a longer one is" "$(announced 13)" "takes about 10 s"
check_equal "of QtCore, too" "$(announced 430)" "takes about 6 min"

finish
