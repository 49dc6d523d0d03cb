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
    Counts the live chunks of the pool by class, and writes the result as one line of JSON in UTF-8 to
    \a buffer; returns its length in bytes without the terminating null byte. If the length is not less
    than \a size, nothing was written, and a larger buffer is needed: add some room, because the number of
    classes changes. \a buffer may be null if \a size is 0. doc/observe.md describes the format.

    Any thread may call it, several at once. Other threads run on without waiting; what they change during
    the count is reported as uncertain. It takes the time to read all live chunks, and takes memory from
    the system, not from the pool. If it fails, the JSON has the member "error" with the reason.
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
