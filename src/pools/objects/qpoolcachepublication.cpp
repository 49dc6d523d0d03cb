// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcachepublication.h"
#include "../../allocator/os/qpoolenvironment.h"
#include "../../allocator/os/qpoollock.h"
#include "../../allocator/os/qpoolos.h"
#include "../../allocator/os/qpoolwishes.h"
#include "../../allocator/stats/qpoolsegment.h"
#include "qobjectdepot.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

QPOOL_BEGIN_NAMESPACE

namespace {

// Both are whole cache lines.
constexpr std::size_t LargestObject = sizeof(ObjectDepot) > sizeof(ObjectStock)
        ? sizeof(ObjectDepot) : sizeof(ObjectStock);
static_assert(LargestObject % CacheLineSize == 0);

bool isContinuation(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; // a continuation byte in UTF-8
}

} // namespace

CacheSegmentLive &CachePublication::live() noexcept
{
    char *header = reinterpret_cast<char *>(s_header.load(std::memory_order_relaxed));
    return *reinterpret_cast<CacheSegmentLive *>(header + LiveAt);
}

bool CachePublication::begin() noexcept
{
    Locker locker(s_lock);
    const bool begun = beginLocked();
    s_isSettled.store(true, std::memory_order_release);
    return begun;
}

void CachePublication::settle() noexcept
{
    Locker locker(s_lock);
    if (s_isSettled.load(std::memory_order_relaxed))
        return;
    const char *wishes = Os::environment("QT_POOL_ALLOCATOR");
    if (wishes && hasWish(wishes, "monitor"))
        beginLocked();
    s_isSettled.store(true, std::memory_order_release);
}

bool CachePublication::beginLocked() noexcept
{
    if (isPublishing() || s_isOver)
        return isPublishing();
    const int saved = errno;
    const std::uint64_t pid = Os::processId();
    char name[64];
    std::snprintf(name, sizeof(name), "%s%llu", CacheSegmentHeader::NamePrefix,
                  static_cast<unsigned long long>(pid));
    char *memory = s_memory.create(name, SegmentBytes);
    const char *refusal = nullptr;
    if (!memory)
        refusal = "shared memory is refused";
    else if (!s_memory.makeUsable(RecordsAt))
        refusal = "there is no room";
    if (refusal) {
        Os::warn("the object caches are not published: %s: %s", refusal, Os::errorText());
        s_memory.discard();
        s_isOver = true;
        errno = saved;
        return false;
    }
    auto *header = reinterpret_cast<CacheSegmentHeader *>(memory);
    beginHeader(header, SegmentBytes, pid);
    header->recordsAt = std::uint32_t(RecordsAt);
    header->recordStride = std::uint32_t(HeadBytes + LargestObject);
    header->recordCountAt = std::uint32_t(LiveAt + offsetof(CacheSegmentLive, recordCount));
    header->missingAt = std::uint32_t(LiveAt + offsetof(CacheSegmentLive, missing));
    s_start.store(memory + RecordsAt, std::memory_order_relaxed);
    completeHeader(header);
    s_header.store(header, std::memory_order_release);
    errno = saved;
    return true;
}

void *CachePublication::allocateRecord(std::size_t bytes) noexcept
{
    if (bytes > LargestObject)
        return nullptr;
    Locker locker(s_lock);
    const CacheSegmentHeader *header = s_header.load(std::memory_order_relaxed);
    if (!header)
        return nullptr;
    if (CacheRecord *record = s_free) {
        char *place = reinterpret_cast<char *>(record) + HeadBytes;
        std::memcpy(&s_free, place, sizeof(s_free));
        return place;
    }
    const std::uint32_t count = live().recordCount.load(std::memory_order_relaxed);
    const std::size_t at = header->recordsAt + std::size_t(count) * header->recordStride;
    if (!s_memory.makeUsable(at + header->recordStride))
        return nullptr;
    // All zero: the record is free, and readers skip it.
    live().recordCount.store(count + 1, std::memory_order_release);
    return s_start.load(std::memory_order_relaxed) + std::size_t(count) * header->recordStride
            + HeadBytes;
}

void CachePublication::release(CacheRecord &record) noexcept
{
    Locker locker(s_lock);
    std::memcpy(reinterpret_cast<char *>(&record) + HeadBytes, &s_free, sizeof(s_free));
    s_free = &record;
}

void CachePublication::show(CacheRecord &record, CacheRecord::Kind kind) noexcept
{
    const std::uint32_t use = record.state.load(std::memory_order_relaxed) & ~CacheRecord::KindMask;
    record.state.store(use | kind, std::memory_order_release);
}

void CachePublication::hide(CacheRecord &record) noexcept
{
    const std::uint32_t state = record.state.load(std::memory_order_relaxed);
    if ((state & CacheRecord::KindMask) == CacheRecord::Free)
        return;
    const std::uint32_t use = (state & ~CacheRecord::KindMask) + CacheRecord::KindMask + 1;
    // Acquires, so that no later content of the record is written earlier.
    record.state.exchange(use | CacheRecord::Free, std::memory_order_acq_rel);
}

void CachePublication::copyText(char *to, std::size_t room, std::string_view text) noexcept
{
    constexpr std::string_view dots = "...";
    std::size_t length = text.size();
    const bool isCut = length >= room;
    if (isCut) {
        length = room - 1 - dots.size();
        while (length > 0 && isContinuation(text[length]))
            --length;
    }
    std::memcpy(to, text.data(), length);
    if (isCut) {
        std::memcpy(to + length, dots.data(), dots.size());
        length += dots.size();
    }
    to[length] = '\0';
}

void CachePublication::countMissingCategories(std::size_t number) noexcept
{
    Locker locker(s_lock);
    if (s_header.load(std::memory_order_relaxed))
        live().missing.fetch_add(std::uint32_t(number), std::memory_order_relaxed);
}

void CachePublication::beforeFork() noexcept
{
    lockToFork(s_lock);
    s_memory.beforeFork();
}

void CachePublication::inParent() noexcept
{
    s_memory.inParent();
    unlockAfterFork(s_lock);
}

void CachePublication::inChild() noexcept
{
    s_memory.inChild();
    s_isOver = s_isOver || isPublishing();
    s_header.store(nullptr, std::memory_order_relaxed);
    unlockAfterFork(s_lock);
}

QPOOL_END_NAMESPACE
