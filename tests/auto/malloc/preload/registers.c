/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A disabled front registers no fork handlers, and passes on those of others. Run with
   countedhandlers.c. */

#include "frontcheck.h"

#include <pthread.h>

extern int countedHandlers __attribute__((weak));

static void nothing(void) { }

int main(void)
{
    const char *wish = getenv("QT_POOL_ALLOCATOR");
    const int isDisabled = wish && strcmp(wish, "0") == 0;
    expectFront();
    churn(1);
    EXPECT(&countedHandlers);
    EXPECT((countedHandlers == 0) == isDisabled);
    const int before = countedHandlers;
    EXPECT(pthread_atfork(nothing, nothing, nothing) == 0);
    EXPECT(countedHandlers == before + 1);
    return 0;
}
