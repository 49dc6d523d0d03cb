/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A program in plain C is not to have a C++ library because of the front. */

#include "frontcheck.h"

int main(void)
{
    int fronts = 0;
    char *line = NULL;
    size_t room = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    EXPECT(maps);
    while (getline(&line, &room, maps) > 0) {
        fronts += strstr(line, "libqpool-malloc") != NULL;
        EXPECT(!strstr(line, "libstdc++"));
        EXPECT(!strstr(line, "libc++"));
        EXPECT(!strstr(line, "libgcc_s"));
    }
    free(line);
    fclose(maps);
    EXPECT(fronts > 0);
    expectFront();
    churn(1);
    return 0;
}
