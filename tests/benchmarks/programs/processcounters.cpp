// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "processcounters.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

#include <sys/resource.h>

static qint64 nanoseconds(clockid_t clock)
{
    timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * qint64(1000000000) + time.tv_nsec;
}

ProcessCounters ProcessCounters::now()
{
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return { nanoseconds(CLOCK_PROCESS_CPUTIME_ID), nanoseconds(CLOCK_MONOTONIC),
             qint64(usage.ru_minflt) };
}

// Parses the line "NAME: 123 kB".
static qint64 bytesOf(const char *name, const char *path)
{
    std::FILE *file = std::fopen(path, "r");
    if (!file)
        return 0;
    char line[256];
    long long kilobytes = 0;
    while (std::fgets(line, sizeof line, file)) {
        const std::size_t length = std::strlen(name);
        if (std::strncmp(line, name, length) == 0
            && std::sscanf(line + length, ": %lld kB", &kilobytes) == 1)
            break;
    }
    std::fclose(file);
    return kilobytes * 1024;
}

// The kernel's counters in status are some dozens of pages off; the resident memory can be read
// exactly. The peak is not taken from getrusage(), which is at least that of the process that
// started this one.
Memory Memory::now()
{
    const qint64 resident = bytesOf("Rss", "/proc/self/smaps_rollup");
    return { resident, std::max(resident, bytesOf("VmHWM", "/proc/self/status")) };
}
