// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_CHILDREN_H
#define BENCH_CHILDREN_H

#include "measure.h"

#include <sys/wait.h>
#include <unistd.h>

namespace Bench {

using Measurement = double (*)();

inline bool countsProcessorTime()
{
    static const bool counts = Wanted::fromEnvironment().processorTime;
    return counts;
}

// The least of what \a measurement is in a number of children.
inline double inChildren(Measurement measurement)
{
    constexpr int children = 5;
    double least = 0;
    for (int i = 0; i < children; ++i) {
        int ends[2];
        if (pipe(ends) != 0)
            qFatal("no pipe to measure through");
        const pid_t child = fork();
        if (child == 0) {
            const double result = measurement();
            _exit(write(ends[1], &result, sizeof(result)) == sizeof(result) ? 0 : 1);
        }
        close(ends[1]);
        double result = 0;
        const bool read = ::read(ends[0], &result, sizeof(result)) == sizeof(result);
        close(ends[0]);
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child || status != 0 || !read)
            qFatal("a child that measures failed");
        if (i == 0 || result < least)
            least = result;
    }
    return least;
}

} // namespace Bench

#endif // BENCH_CHILDREN_H
