# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_attach() { echo "show live in a window what another process allocates"; }
group_attach=observe

help_attach()
{
    cat <<'HELP'
usage: ./qpool attach [--qt VERSION | --source DIR] [--jobs N] [PID] [HISTOGRAM OPTIONS]

Opens the window of ./qpool demo on the process PID. The process must publish its statistics,
as programs started by ./qpool run do. Without PID the window starts with the list of such
processes. The process is neither stopped nor changed. Without a display, use ./qpool top, or
add --headless.

HELP
    qt_help_options
    echo
    histogram_help_options
}

command_attach()
{
    local arguments=() operands=() pid=''
    take_options "$qt_options $histogram_options OPERAND" take_attach_option "$@"
    # Checked before anything is built.
    [[ ! $pid || -d /proc/$pid ]] || usage_error "there is no process $pid: ./qpool attach without a number lists those that can be watched"

    if [[ " ${arguments[*]} " == *" --headless "* ]]; then
        export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
    elif [[ ! ${DISPLAY-} && ! ${WAYLAND_DISPLAY-} && ! ${QT_QPA_PLATFORM-} ]]; then
        fail "there is no display: use ./qpool top${pid:+ $pid}, or add --headless"
    fi
    prepare_view
    if [[ $pid ]]; then
        exec_pooled "$histogram" --attach "$pid" "${arguments[@]}"
    fi
    exec_pooled "$histogram" --choose "${arguments[@]}"
}

# Sets $arguments and $pid.
take_attach_option()
{
    if [[ $1 != OPERAND ]]; then
        take_histogram_option "$@"
        return
    fi
    [[ ! $pid ]] || usage_error "attach takes one process, not $pid and $2"
    [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "$2 is not the number of a process: see ./qpool attach --help"
    pid=$2
}
