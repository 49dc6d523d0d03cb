/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A library that asks to be initialised before all others, as the front does: the dynamic linker
   listens to the one that it loads last. So its fork handlers are registered before the front's. */

#include <pthread.h>

__attribute__((visibility("default"))) void (*firstHandlers[3])(void);

static void prepare(void) { firstHandlers[0](); }
static void inParent(void) { firstHandlers[1](); }
static void inChild(void) { firstHandlers[2](); }

__attribute__((constructor)) static void registerHandlers(void)
{
    pthread_atfork(prepare, inParent, inChild);
}
