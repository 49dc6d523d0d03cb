# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# libqpool-malloc.so, the malloc front, for a whole program.

front_name=libqpool-malloc.so.1
front_runtime=$QPOOL_BUILD/malloc-runtime
front_library=$front_runtime/$front_name

# build_front: two steps.
build_front()
{
    configure_allocator
    build_project "$allocator_build" QPoolMalloc
    offer_library "$allocator_build/src/allocator/malloc/$front_name" \
        "$front_runtime" "$front_name"
}

# prepare_whole GROUP...: builds what a program needs to allocate everything from the pool; seven steps.
prepare_whole()
{
    prepare_qt "$@"
    build_front
}

# prepare_program GROUP...: the same, or what it needs for QtCore alone, as the options say. Reports on standard
# error, because standard output must contain only what the program, or a command's tool, prints.
prepare_program()
{
    qpool_quiet=yes
    if [[ $qt_run_whole ]]; then
        qpool_steps=7
        use_built_qt "$front_library" || {
            prepare_whole "$@"
            note_current "$pooled_library" "$front_library"
        }
    else
        qpool_steps=5
        use_built_qt || {
            prepare_qt "$@"
            note_current "$pooled_library"
        }
    fi >&2
}
