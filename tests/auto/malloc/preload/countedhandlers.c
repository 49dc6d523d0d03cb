/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* Between the front and the C library: counts the fork handlers that the front registers, its own and
   those that it passes on. */

#define _GNU_SOURCE
#include <dlfcn.h>

__attribute__((visibility("default"))) int countedHandlers;

int __register_atfork(void (*before)(void), void (*inParent)(void), void (*inChild)(void), void *library);

int __register_atfork(void (*before)(void), void (*inParent)(void), void (*inChild)(void), void *library)
{
    int (*function)(void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **) &function = dlsym(RTLD_NEXT, "__register_atfork");
    ++countedHandlers;
    return function(before, inParent, inChild, library);
}
