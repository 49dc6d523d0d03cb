// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolinspection_p.h"

#include <cstring>
#include <string>

#ifdef Q_OS_LINUX
#  include "census/qpoolcensusjson.h"
#  include "census/qpoolcensusreader.h"

#  include <exception>
#endif

namespace {

std::string failure(const std::string &why)
{
    return "{\"version\":1,\"error\":\"" + why + "\"}";
}

#ifdef Q_OS_LINUX
std::string currentCensus()
{
    QPool::CensusReader::Error error;
    std::string message;
    const auto reader = QPool::CensusReader::ofOwnProcess(&qt_pool_allocator_facts, &error, &message);
    QPool::Census census;
    if (!reader || !reader->take(&census, &error, &message))
        return failure(message);
    return QPool::toJson(census);
}
#else
std::string currentCensus()
{
    return failure("a census can be taken on Linux only");
}
#endif

} // namespace

/*!
    Counts what is alive in the pool, by class, and writes it as one line of JSON in UTF-8 to \a buffer;
    returns its length in bytes without the null byte that ends it. When that is not less than \a size
    nothing was written, and a larger buffer is needed: leave some room, for what is alive changes.
    \a buffer may be null when \a size is 0. doc/census.md tells the form.

    Any thread may call it, several at once. Other threads go on meanwhile, and wait for nothing; what
    they change while it is counted is told as uncertain. It takes the time to read all that is alive,
    and memory of the system's, not the pool's. Where it can't be had the JSON has the member "error",
    which says why.
*/
std::size_t qt_pool_allocator_census(char *buffer, std::size_t size)
{
    std::string json;
#ifdef Q_OS_LINUX
    try {
        json = currentCensus();
    } catch (const std::exception &) {
        json = failure("there is no memory for it");
    }
#else
    json = currentCensus();
#endif
    if (json.size() < size)
        std::memcpy(buffer, json.c_str(), json.size() + 1);
    return json.size();
}
