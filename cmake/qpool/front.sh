# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# libqpool-malloc.so, the malloc front, under a whole program.

front_name=libqpool-malloc.so.1
front_runtime=$QPOOL_BUILD/malloc-runtime
front_library=$front_runtime/$front_name

# configure_allocator, build_front: the allocator without tests, as ./qpool install has it, and the
# front of it; two steps.
configure_allocator()
{
    configure_project "$QPOOL_BUILD/allocator" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DQPOOL_BUILD_TESTS=OFF -DQPOOL_BUILD_EXAMPLES=OFF
}

build_front()
{
    configure_allocator
    build_project "$QPOOL_BUILD/allocator" QPoolMalloc
    offer_library "$QPOOL_BUILD/allocator/src/allocator/adapters/malloc/$front_name" \
        "$front_runtime" "$front_name"
}

# The dynamic linker takes blanks and colons in LD_PRELOAD for ends of names; then the library is found
# by its name, as others are.
preload_front()
{
    local library=$front_library
    if [[ $library == *[[:space:]:]* ]]; then
        library=$front_name
        LD_LIBRARY_PATH+=:$front_runtime
    fi
    export LD_PRELOAD=$library${LD_PRELOAD:+:$LD_PRELOAD}
}
