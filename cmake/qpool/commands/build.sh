# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_build() { echo "build the pooled QtCore, and nothing else"; }

help_build()
{
    cat <<'HELP'
usage: ./qpool build [--qt VERSION | --source DIR] [--off] [--jobs N]

Installs what is missing, gets Qt's source, applies the edits to a copy and builds QtCore
from it. The result is below build/qt/VERSION: the library, and qtbase.patch to review
the edits.

HELP
    qt_help_options
    cat <<'HELP'
  --off          build the same tree with both features off, for comparison
HELP
}

command_build()
{
    local off=
    while (($#)); do
        take_qt_option "$@"
        if ((qt_taken)); then
            shift "$qt_taken"
            continue
        fi
        case $1 in
        --off) off=yes ;;
        *) usage_error "unknown option $1: see ./qpool build --help" ;;
        esac
        shift
    done
    qpool_steps=5
    local variant=${off:+off}
    prepare_source
    build_qt "${variant:-on}" Core
    say "Built: $(readlink "$qt_dir/${variant:-on}-runtime/libQt6Core.so.6")"
}
