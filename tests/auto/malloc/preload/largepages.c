// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Preloaded before the front: makes the calls for memory behave as on a system whose pages have QPOOL_TEST_PAGE
// bytes. Addresses and offsets must be multiples of it, lengths are rounded up to it, and what the system places
// starts at one.

#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static uintptr_t s_refused; // calls with an address that such a system refuses
static uintptr_t s_page;

static uintptr_t page(void)
{
    if (!s_page) {
        const char *wanted = environ ? getenv("QPOOL_TEST_PAGE") : NULL;
        if (!wanted)
            return 65536; // before the C library is initialised
        s_page = strtoul(wanted, NULL, 10);
    }
    return s_page;
}

static size_t rounded(size_t bytes)
{
    return (bytes + page() - 1) / page() * page();
}

static int isAligned(const void *address)
{
    if ((uintptr_t)address % page() == 0)
        return 1;
    ++s_refused;
    errno = EINVAL;
    return 0;
}

__attribute__((destructor)) static void report(void)
{
    static const char text[] = "largepages: an address is not at the beginning of a page\n";
    if (s_refused > 0 && write(STDERR_FILENO, text, sizeof(text) - 1) > 0)
        _exit(99);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    bytes = rounded(bytes);
    const int isFixed = flags & (MAP_FIXED | MAP_FIXED_NOREPLACE);
    if ((isFixed && !isAligned(address)) || !isAligned((void *)(uintptr_t)offset))
        return MAP_FAILED;
    if (isFixed)
        return (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    char *start = (char *)syscall(SYS_mmap, NULL, bytes + page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return MAP_FAILED;
    char *place = (char *)rounded((uintptr_t)start);
    if (place > start)
        syscall(SYS_munmap, start, place - start);
    if (place < start + page())
        syscall(SYS_munmap, place + bytes, start + page() - place);
    void *mapped = (void *)syscall(SYS_mmap, place, bytes, protection, flags | MAP_FIXED, file, offset);
    if (mapped == MAP_FAILED) {
        const int error = errno;
        syscall(SYS_munmap, place, bytes);
        errno = error;
    }
    return mapped;
}

int munmap(void *address, size_t bytes)
{
    return isAligned(address) ? (int)syscall(SYS_munmap, address, rounded(bytes)) : -1;
}

int madvise(void *address, size_t bytes, int advice)
{
    return isAligned(address) ? (int)syscall(SYS_madvise, address, rounded(bytes), advice) : -1;
}

void *mremap(void *address, size_t before, size_t bytes, int flags, ...)
{
    void *to = NULL;
    if (flags & MREMAP_FIXED) {
        va_list rest;
        va_start(rest, flags);
        to = va_arg(rest, void *);
        va_end(rest);
    }
    if (!isAligned(address) || !isAligned(to))
        return MAP_FAILED;
    return (void *)syscall(SYS_mremap, address, rounded(before), rounded(bytes), flags, to);
}

// The dynamic linker placed the libraries by the system's own pages: a larger one may hold parts of two.
int mprotect(void *address, size_t bytes, int protection)
{
    (void)bytes, (void)protection;
    errno = isAligned(address) ? EACCES : EINVAL;
    return -1;
}

extern long __sysconf(int name);
long sysconf(int name)
{
    return name == _SC_PAGESIZE ? (long)page() : __sysconf(name);
}

int getpagesize(void)
{
    return (int)page();
}
