# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The program of ./qpool demo and ./qpool attach.

# For take_options; ./qpool passes them on to the histogram.
histogram_options="--headless --text --tour --seconds= --json= --csv= --png= --frames= \
--workloads= --view= --scale= --page= --filter= --theme= --size= --open="

# take_histogram_option NAME [VALUE]: adds the option to the caller's $arguments.
take_histogram_option() { arguments+=("$1${2+=$2}"); }

histogram_help_options()
{
    cat <<'HELP'
Options of the histogram:
  --page PAGE    overview, arenas, memory, workloads, classes, latency or sites
  --open FILE    show a snapshot that was saved as JSON
  --headless     no window, even with a display
  --seconds N    end after N seconds
  --json FILE    write the last snapshot
  --csv FILE     write the last snapshot as a table
  --png FILE     write a picture of the window
  --frames FOLDER
                 write ten pictures per second; with --tour, of every page in turn
  --tour         show every page in turn
  --text         print the histogram
  --workloads LIST, --view VIEW, --scale SCALE, --filter TEXT, --theme THEME, --size WxH
                 the initial settings and the look
HELP
}
