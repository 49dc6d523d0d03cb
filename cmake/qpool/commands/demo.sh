# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_demo() { echo "show live what a Qt program allocates from the pool"; }
group_demo=use

help_demo()
{
    cat <<'HELP'
usage: ./qpool demo [--without-malloc] [--qt VERSION | --source DIR] [--jobs N] [HISTOGRAM OPTIONS]

HELP
    is_installed || echo "Installs missing packages, and builds the pooled QtCore and the live histogram first."
    cat <<'HELP'
Opens the window of the live histogram, which shows itself. Everything that the program allocates
comes from the pool, as with ./qpool run. Without a display the histogram runs offscreen for a few
seconds, is printed as text and written to qpool-histogram.png.

  --without-malloc
                 run on the pooled QtCore alone: events and objects come from the pool,
                 everything else from the C library
HELP
    qt_help_options
    echo
    histogram_help_options
}

command_demo()
{
    local arguments=() operands=()
    qt_run_whole=yes
    take_options "$qt_options $histogram_options --without-malloc --" take_demo_option "$@"
    arguments+=("${operands[@]}")

    if [[ ! ${DISPLAY-} && ! ${WAYLAND_DISPLAY-} && " ${arguments[*]} " != *" --headless "* ]]; then
        say "No display: the histogram runs offscreen."
        arguments+=(--headless)
        [[ " ${arguments[*]} " == *" --text "* ]] || arguments+=(--text)
        [[ " ${arguments[*]}" == *" --png"* ]] || arguments+=(--png qpool-histogram.png)
    fi
    if [[ " ${arguments[*]} " == *" --headless "* ]]; then
        export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
    fi

    export QT_POOL_ALLOCATOR=${QT_POOL_ALLOCATOR-monitor,latency}
    prepare_histogram
    exec_pooled "$histogram" "${arguments[@]}"
}

# Sets $arguments and $qt_run_whole.
take_demo_option()
{
    case $1 in
    --without-malloc) qt_run_whole= ;;
    *) take_histogram_option "$@" ;;
    esac
}
