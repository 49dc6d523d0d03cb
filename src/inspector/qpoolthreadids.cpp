// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolthreadids.h"

#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

namespace QPool {

namespace {

constexpr std::size_t MostThreads = 256 * 1024;
constexpr std::uintptr_t RecordBytes = 4096; // the C library's is smaller

} // namespace

ThreadIds::ThreadIds(const ProcFolder &process)
{
    process.list("task", MostThreads, [this](const char *name) {
        const long thread = std::strtol(name, nullptr, 10);
        void *list = nullptr;
        std::size_t bytes = 0;
        if (thread > 0 && syscall(SYS_get_robust_list, thread, &list, &bytes) == 0 && list)
            m_threads[reinterpret_cast<std::uintptr_t>(list)] = thread;
    });
}

std::vector<std::uintptr_t> ThreadIds::stacks(std::int64_t pid) const
{
    std::vector<std::uintptr_t> result;
    for (const auto &entry : m_threads) {
        if (entry.second != pid)
            result.push_back(entry.first);
    }
    return result;
}

std::int64_t ThreadIds::of(std::uintptr_t self) const
{
    const auto found = m_threads.lower_bound(self);
    return self != 0 && found != m_threads.end() && found->first - self < RecordBytes ? found->second : 0;
}

} // namespace QPool
