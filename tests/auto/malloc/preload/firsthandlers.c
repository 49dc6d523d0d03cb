/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A library that asks to be initialised before all others, as the front does: the dynamic linker
   listens to the one that it loads last. It registers fork handlers then, as all libraries do; with
   BEFORE_ALL behind the front's back, as only one built for a very old C library would. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

__attribute__((visibility("default"))) void (*firstHandlers[3])(void);

static void prepare(void) { firstHandlers[0](); }
static void inParent(void) { firstHandlers[1](); }
static void inChild(void) { firstHandlers[2](); }

__attribute__((constructor)) static void registerHandlers(void)
{
#ifdef BEFORE_ALL
    int (*function)(void (*)(void), void (*)(void), void (*)(void), void *);
    *(void **) &function = dlsym(RTLD_NEXT, "__register_atfork");
    function(prepare, inParent, inChild, NULL);
#else
    pthread_atfork(prepare, inParent, inChild);
#endif
}
