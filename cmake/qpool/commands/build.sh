# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_build() { echo "build the pooled QtCore, and nothing else"; }
group_build=build

help_build()
{
    cat <<'HELP'
usage: ./qpool build [--qt VERSION | --source DIR] [--full | --off] [--cc NAME] [--jobs N]

Installs missing packages, fetches Qt's source, applies the edits to a copy and builds QtCore
from it. The result is below build/qt/VERSION: the library, and qtbase.patch to review
the edits.

HELP
    qt_help_options
    compiler_help_options
    cat <<'HELP'
  --full         build all of qtbase, to build programs against it: QtCore, QtGui, QtWidgets,
                 QtNetwork, QtDBus, QtOpenGL, QtXml, QtConcurrent and QtTest. Takes a quarter
                 of an hour or more. ./qpool install --full installs it
  --off          build the same tree with all features off, for comparison
HELP
}

command_build()
{
    local variant=on target=Core operands=()
    take_options "$qt_options $compiler_options --off --full" take_build_option "$@"
    qpool_steps=5
    if [[ $variant == full ]]; then
        target=all
        prepare_source full
    else
        prepare_source
    fi
    build_qt "$variant" "$target"
    say "Built: $(readlink -f "$qt_build-runtime/libQt6Core.so.6")"
}

# Sets $variant.
take_build_option()
{
    [[ $variant == on || $variant == "${1#--}" ]] ||
        usage_error "--off and --full exclude each other: give one of them"
    variant=${1#--}
}
