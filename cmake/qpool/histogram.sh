# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The program of ./qpool demo and ./qpool attach.

# take_histogram_option "$@": understands one option of the histogram, which goes into the caller's
# $arguments, or one that chooses a Qt; sets histogram_taken to the number of arguments it used, 0
# if the first is neither.
histogram_taken=0
take_histogram_option()
{
    take_qt_option "$@"
    histogram_taken=$qt_taken
    ((histogram_taken == 0)) || return 0
    case ${1-} in
    --headless | --text | --tour) histogram_taken=1 ;;
    --seconds | --json | --csv | --png | --frames | --workloads | --view | --scale | --page | --filter | --theme | --size | --open)
        [[ ${2-} ]] || usage_error "$1 needs a value: see ./qpool $qpool_command --help"
        histogram_taken=2
        ;;
    --seconds=* | --json=* | --csv=* | --png=* | --frames=* | --workloads=* | --view=* | --scale=* | --page=* | --filter=* | --theme=* | --size=* | --open=*)
        histogram_taken=1
        ;;
    esac
    arguments+=("${@:1:histogram_taken}")
}

histogram_help_options()
{
    cat <<'HELP'
Options of the histogram:
  --page PAGE    overview, arenas, memory or workloads
  --open FILE    show a snapshot that was saved as JSON
  --headless     no window, even with a display
  --seconds N    end after N seconds
  --json FILE    write the last snapshot
  --csv FILE     write the last snapshot as a table
  --png FILE     write a picture of the window
  --frames FOLDER
                 write ten pictures per second; with --tour, of every page in turn
  --text         print the histogram
  --workloads LIST, --view VIEW, --scale SCALE, --filter TEXT, --theme THEME, --size WxH
                 the initial settings and the look
HELP
}

histogram=$QPOOL_BUILD/demo/examples/histogram/qpool-histogram

# Builds the histogram: seven steps and the one that runs it, and two more for a whole program.
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
    configure_project "$QPOOL_BUILD/demo" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DQPOOL_BUILD_TESTS=OFF "-DQPOOL_QT_DIR=$qt_dir"
    build_project "$QPOOL_BUILD/demo" qpool-histogram
    step "Running the histogram on $on"
}
