/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* What is handed on of LD_PRELOAD to programs that this one starts: children left=EXPECTED. To the front
   it is a program on the pooled QtCore if it exports one of QtCore's functions. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ON_QTCORE
int qt_pool_allocator_idle(void) { return -1; }
#endif

extern char **environ;

int main(int argc, char **argv)
{
    const char *list = getenv("LD_PRELOAD");
    static const char option[] = "left=";
    if (argc != 2 || strncmp(argv[1], option, sizeof option - 1) != 0) {
        fprintf(stderr, "usage: children left=EXPECTED\n");
        return 2;
    }
    const char *expected = argv[1] + sizeof option - 1;
    if (!list || strcmp(list, expected) != 0) {
        fprintf(stderr, "LD_PRELOAD is \"%s\", not \"%s\"\n", list ? list : "(unset)", expected);
        return 1;
    }
    /* The variables around it are as they were. */
    for (char **variable = environ; *variable; ++variable) {
        if (!strchr(*variable, '=')) {
            fprintf(stderr, "the environment has \"%s\"\n", *variable);
            return 1;
        }
    }
    return 0;
}
