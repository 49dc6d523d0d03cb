/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* A system that lets nobody change the C library's memory. This program's mprotect() is found before
   the C library's, by the front, too. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/lib-names.h>
#include <gnu/libc-version.h>
#include <locale.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int mprotect(void *place, size_t size, int protection)
{
    Dl_info library;
    Dl_info changed;
    EXPECT(dladdr((void *) &gnu_get_libc_version, &library));
    if (dladdr(place, &changed) && changed.dli_fbase == library.dli_fbase) {
        errno = EACCES;
        return -1;
    }
    return (int) syscall(SYS_mprotect, place, size, protection);
}

int main(void)
{
    /* The first call of malloc() is within a lock of the C library, in which a translated message would wait. */
    for (int i = 0; i < 4; ++i)
        EXPECT(setlocale(LC_ALL, i % 2 == 0 ? "C.UTF-8" : "C"));
    void *library = dlopen(LIBC_SO, RTLD_NOW);
    EXPECT(library);
    EXPECT(dlsym(library, "free") != dlsym(RTLD_DEFAULT, "free"));
    for (size_t size = 1; size < 3000; size += 37)
        free(malloc(size));
    puts("The program goes on.");
    return 0;
}
