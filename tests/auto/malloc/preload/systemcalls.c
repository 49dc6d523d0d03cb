/* Copyright (C) 2026 The QPool authors
   SPDX-License-Identifier: BSD-3-Clause */

/* syscall() refuses the files in memory that QtQml asks for, and passes on everything else: six arguments, the
   result, errno. "behind" is the argument if answeredcalls.c is preloaded, too. */

#define _GNU_SOURCE
#include "frontcheck.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { Kept = 4711 }; /* no error of any system */

/* The result of a call that succeeds and leaves errno as it was. */
static long done(long result)
{
    EXPECT(result >= 0);
    EXPECT(errno == Kept);
    return result;
}

static void passesArguments(void)
{
    char text[4] = "";
    errno = Kept;
    EXPECT(done(syscall(SYS_getpid)) == getpid());
    EXPECT(done(syscall(SYS_getrandom, text, 3, 0)) == 3);
    EXPECT(syscall(SYS_close, -1) == -1 && errno == EBADF);
    EXPECT(syscall(-1) == -1 && errno == ENOSYS);
}

/* On 32 bits these calls have other numbers, and their arguments are divided. */
static void passesSixArguments(int file)
{
#if __SIZEOF_LONG__ == 8
    const long page = sysconf(_SC_PAGESIZE);
    struct timespec none = { 0, 0 };
    int word = 1;
    sigset_t all;
    struct { const sigset_t *set; size_t bytes; } mask = { &all, 8 }; /* pselect6()'s sixth argument */

    errno = Kept;
    EXPECT(done(syscall(SYS_ftruncate, file, 3 * page)) == 0);
    EXPECT(done(syscall(SYS_pwrite64, file, "two", 3, 2 * page)) == 3);
    const char *third = (const char *) done(syscall(SYS_mmap, NULL, page, PROT_READ, MAP_SHARED, file, 2 * page));
    EXPECT(memcmp(third, "two", 3) == 0);
    EXPECT(done(syscall(SYS_munmap, third, page)) == 0);

    sigfillset(&all);
    EXPECT(done(syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, &mask)) == 0);
    mask.bytes = 3;
    EXPECT(syscall(SYS_pselect6, 0, NULL, NULL, NULL, &none, &mask) == -1 && errno == EINVAL);
    EXPECT(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 2, &none, NULL, 1) == -1 && errno == EAGAIN);
    EXPECT(syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 2, &none, NULL, 0) == -1 && errno == EINVAL);
#else
    (void) file;
#endif
}

static int request(const char *name, unsigned flags)
{
    errno = Kept;
    const int file = (int) syscall(SYS_memfd_create, name, flags);
    EXPECT(file >= 0 ? errno == Kept : file == -1);
    if (file >= 0)
        close(file);
    return file >= 0 ? 0 : errno;
}

static void refusesFilesOfScripts(void)
{
    const char *pool = getenv("QT_POOL_ALLOCATOR");
    const char *files = getenv("QT_POOL_ALLOCATOR_QML");
    const int refused = (pool && strcmp(pool, "0") == 0) || (files && strcmp(files, "0") == 0) ? 0 : ENOSYS;
    EXPECT(request("JSGCHeap:QtQml", MFD_CLOEXEC) == refused);
    EXPECT(request("JSVMStack:QtQml", MFD_CLOEXEC) == refused);
    EXPECT(request("JITCode:QtQml", MFD_CLOEXEC) == refused);
    EXPECT(request("JSGCHeap:QtQml", MFD_CLOEXEC | MFD_ALLOW_SEALING) == 0);
    EXPECT(request("JSGCHeap:QtQml", 0) == 0);
    EXPECT(request("JSGCHeap:QtQm", MFD_CLOEXEC) == 0);
    EXPECT(request("JSGCHeap:QtQmlx", MFD_CLOEXEC) == 0);
    EXPECT(request(":QtQml", MFD_CLOEXEC) == 0);
    EXPECT(request("", MFD_CLOEXEC) == 0);
    EXPECT(request(NULL, MFD_CLOEXEC) == EFAULT);
    EXPECT(request((const char *) 16, MFD_CLOEXEC) == EFAULT);
    EXPECT(close(memfd_create("JSGCHeap:QtQml", MFD_CLOEXEC)) == 0); /* QtQml does not call this one */
}

int main(int argc, char **argv)
{
    Dl_info library;
    const int file = memfd_create("numbers", MFD_CLOEXEC);

    expectFront();
    EXPECT(dladdr(dlsym(RTLD_DEFAULT, "syscall"), &library) && strstr(library.dli_fname, "libqpool-malloc"));
    passesArguments();
    passesSixArguments(file);
    refusesFilesOfScripts();
    if (argc > 1 && strcmp(argv[1], "behind") == 0)
        EXPECT(syscall(-4711, -1L, 2L, 3L, 4L, 5L, 6L) == 23456 - 100000);
    return 0;
}
