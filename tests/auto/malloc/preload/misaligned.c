// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps memory at an address that only a system of small pages accepts, as largepages.c must notice.

#define _GNU_SOURCE
#include "frontcheck.h"

#include <sys/mman.h>

int main(void)
{
    char *place = (char *) mmap(NULL, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT(place != MAP_FAILED);
    EXPECT(mmap(place + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED);
    return 0;
}
