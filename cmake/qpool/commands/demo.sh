# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_demo() { echo "show, live, what a Qt program allocates from the pools"; }

help_demo()
{
    cat <<'HELP'
usage: ./qpool demo [--qt VERSION | --source DIR] [--jobs N] [HISTOGRAM OPTIONS]

Installs what is missing, builds the pooled QtCore and the live histogram, and opens its
window. Without a display the histogram runs offscreen for a few seconds, is printed as
text and written to qpool-histogram.png.

HELP
    qt_help_options
    cat <<'HELP'

Options of the histogram:
  --headless     no window, even with a display
  --seconds N    end after N seconds
  --json FILE    write the last snapshot
  --png FILE     write a picture of the window
  --text         print the histogram
  --workloads LIST, --view VIEW, --theme THEME, --size WxH
                 what it starts with and looks like
HELP
}

command_demo()
{
    local arguments=()
    while (($#)); do
        take_qt_option "$@"
        if ((qt_taken)); then
            shift "$qt_taken"
            continue
        fi
        case $1 in
        --headless | --text) ;;
        --seconds | --json | --png | --workloads | --view | --theme | --size)
            [[ ${2-} ]] || usage_error "$1 needs a value: see ./qpool demo --help"
            arguments+=("$1")
            shift
            ;;
        --seconds=* | --json=* | --png=* | --workloads=* | --view=* | --theme=* | --size=*) ;;
        --)
            shift
            arguments+=("$@")
            break
            ;;
        *) usage_error "unknown option $1: see ./qpool demo --help" ;;
        esac
        arguments+=("$1")
        shift
    done

    if [[ ! ${DISPLAY-} && ! ${WAYLAND_DISPLAY-} && " ${arguments[*]} " != *" --headless "* ]]; then
        say "No display: the histogram runs offscreen."
        arguments+=(--headless)
        [[ " ${arguments[*]} " == *" --text "* ]] || arguments+=(--text)
        [[ " ${arguments[*]}" == *" --png"* ]] || arguments+=(--png qpool-histogram.png)
    fi
    if [[ " ${arguments[*]} " == *" --headless "* ]]; then
        export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}
    fi

    qpool_steps=8
    prepare_qt view
    configure_project "$QPOOL_BUILD/demo" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DQPOOL_BUILD_TESTS=OFF "-DQPOOL_QT_DIR=$qt_dir"
    build_project "$QPOOL_BUILD/demo" qpool-histogram
    step "Running the histogram on the pooled QtCore"
    exec_pooled "$QPOOL_BUILD/demo/examples/histogram/qpool-histogram" "${arguments[@]}"
}
