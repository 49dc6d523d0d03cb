/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A program in C that loads a module in C++, as interpreters do: the C++ library comes with the
   module, long after the front, and its symbols are for the module alone. */

#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2 || dlsym(RTLD_DEFAULT, "__cxa_throw")) {
        fputs("there is a C++ library already\n", stderr);
        return 2;
    }
    void *module = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    const char *(*missing)(void) = (const char *(*)(void)) dlsym(module, "missingOfCPlusPlus");
    const char *what = missing ? missing() : "the module's function";
    if (what)
        fprintf(stderr, "FAIL: %s\n", what);
    return what ? 1 : 0;
}
