// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolpublication.h"
#include "../os/qpoolos.h"

#include <cerrno>
#include <cstdio>

QPOOL_BEGIN_NAMESPACE

namespace {

// Address space only; memory follows with the arenas. Room for 1300 threads at once.
constexpr std::size_t SegmentBytes = std::size_t(sizeof(void *) == 8 ? 64 : 8) << 20;

constexpr std::size_t roundUp(std::size_t bytes, std::size_t to)
{
    return (bytes + to - 1) / to * to;
}

SegmentLive &liveOf(SegmentHeader *header) noexcept
{
    return *reinterpret_cast<SegmentLive *>(reinterpret_cast<char *>(header) + roundUp(sizeof(*header), CacheLineSize));
}

void copyText(char *to, std::size_t room, const char *from)
{
    std::size_t length = 0;
    for (; length + 1 < room && from[length]; ++length)
        to[length] = from[length];
    to[length] = '\0';
}

} // namespace

SegmentLive &Publication::live() noexcept { return liveOf(s_header); }

SegmentHeader *Publication::create(const PublishedPool &pool, unsigned binCount, std::size_t arenaBytes) noexcept
{
    if (s_header)
        return nullptr; // the process publishes another pool already
    const int saved = errno;
    const std::uint64_t pid = Os::processId();
    char name[64];
    std::snprintf(name, sizeof(name), "%s%llu", SegmentHeader::NamePrefix,
                  static_cast<unsigned long long>(pid));
    void *memory = s_memory.create(name, SegmentBytes);
    s_header = static_cast<SegmentHeader *>(memory);
    s_arenaBytes = arenaBytes;
    const auto sizesAt = roundUp(sizeof(SegmentHeader), CacheLineSize) + roundUp(sizeof(SegmentLive), CacheLineSize);
    const std::size_t arenasAt = roundUp(sizesAt + binCount * sizeof(std::uint32_t), CacheLineSize);
    const char *refusal = nullptr;
    if (!memory)
        refusal = "shared memory is refused";
    else if (!s_memory.makeUsable(arenasAt + arenaBytes))
        refusal = "there is no room";
    if (refusal) {
        Os::warn("the pool's statistics are not published: %s: %s", refusal, Os::errorText());
        s_memory.discard();
        s_header = nullptr;
    } else {
        SegmentHeader &header = *s_header;
        beginHeader(&header, SegmentBytes, pid);
        copyText(header.library, sizeof(header.library), pool.library);
        header.enabled = pool.enabled;
        header.domainCount = pool.domainCount;
        for (unsigned i = 0; i < pool.domainCount; ++i) {
            SegmentHeader::Domain &domain = header.domains[i];
            copyText(domain.name, sizeof(domain.name), pool.domains[i].name);
            domain.firstBin = pool.domains[i].firstBin;
            domain.binCount = pool.domains[i].binCount;
        }
        header.binCount = binCount;
        header.sizesAt = std::uint32_t(sizesAt);
        header.arenasAt = std::uint32_t(arenasAt);
        header.arenaStride = std::uint32_t(roundUp(arenaBytes, CacheLineSize));
        header.arenaCountAt = distance(s_header, &live().arenaCount);
        header.arenasMissingAt = distance(s_header, &live().arenasMissing);
        header.reservedAt = distance(s_header, &live().memory.reserved);
        header.committedAt = distance(s_header, &live().memory.committed);
        header.decommittedAt = distance(s_header, &live().memory.decommitted);
    }
    errno = saved;
    return s_header;
}

void Publication::complete() noexcept
{
    SystemPages::publishMemory(&live().memory);
    completeHeader(s_header);
}

void Publication::rename(const char *library) noexcept
{
    if (s_header)
        copyText(s_header->library, sizeof(s_header->library), library);
}

void Publication::surviveFork() noexcept
{
    static std::atomic<bool> done { false };
    if (done.exchange(true, std::memory_order_relaxed))
        return;
    Os::aroundFork([] { s_memory.beforeFork(); }, [] { s_memory.inParent(); },
                   [] {
                       s_memory.inChild();
                       s_header = nullptr;
                   });
}

void *Publication::allocateArena(std::size_t bytes) noexcept
{
    SegmentHeader *const header = s_header;
    if (QPOOL_LIKELY(!header) || bytes != s_arenaBytes)
        return nullptr;
    // A signal handler may fork() here, and the child goes on with a copy of what was usable.
    SegmentLive &live = liveOf(header);
    const std::uint32_t count = live.arenaCount.load(std::memory_order_relaxed);
    const std::size_t end = header->arenasAt + (count + std::size_t(1)) * header->arenaStride;
    const bool hasRoom = s_memory.makeUsable(end);
    if (QPOOL_UNLIKELY(s_header != header))
        return nullptr;
    if (!hasRoom) {
        live.arenasMissing.store(live.arenasMissing.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        return nullptr;
    }
    // The arena has no id yet; readers skip it until it has one.
    live.arenaCount.store(count + 1, std::memory_order_release);
    return reinterpret_cast<char *>(header) + end - header->arenaStride;
}

QPOOL_END_NAMESPACE
