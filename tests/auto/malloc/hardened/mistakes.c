/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* What is to be named and to end the program, each alone. */

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ctest takes a program that a signal ended for one that failed, whatever it said. */
static void aborted(int signal)
{
    (void) signal;
    _exit(0);
}

int main(int argc, char **argv)
{
    signal(SIGABRT, aborted);
    char *volatile block = malloc(64);
    if (argc != 2)
        return 2;
    if (strcmp(argv[1], "overrun") == 0)
        block[64] = 1;
    else if (strcmp(argv[1], "secondfree") == 0)
        free(block);
    else if (strcmp(argv[1], "interior") == 0)
        block += 16;
    else if (strcmp(argv[1], "reallocfreed") == 0) {
        free(block);
        block = realloc(block, 64);
        return 3;
    } else if (strcmp(argv[1], "reallocinterior") == 0) {
        block = malloc(100000);
        block = realloc(block + 64, 131072);
        return 3;
    }
    free(block);
    return 3;
}
