// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SAMPLESEGMENT_H
#define SAMPLESEGMENT_H

#include "stats/qpoolsegment.h"

#include <cstring>
#include <utility>
#include <vector>

// A small segment made by hand, not by the allocator: two domains of two classes, two arenas,
// words of four or eight bytes. Each number is another one.
class SampleSegment
{
public:
    static constexpr unsigned ArenaCount = 2;
    static constexpr unsigned BinCount = 4;
    static constexpr std::uint32_t Sizes[BinCount] = { 16, 24, 16, 1024 };

    explicit SampleSegment(std::uint32_t wordBytes = 8)
    {
        QPool::SegmentHeader &h = header;
        std::memset(&h, 0, sizeof(h));
        std::memcpy(h.magic, QPool::SegmentHeader::Magic, sizeof(h.magic));
        h.byteOrder = QPool::SegmentHeader::ByteOrder;
        h.version = QPool::SegmentHeader::Version;
        h.headerBytes = sizeof(h);
        h.wordBytes = wordBytes;
        h.pid = 4321;
        h.since = 1700000000000u;
        std::strcpy(h.library, "6.7.8");
        h.enabled = 1;
        h.domainCount = 2;
        h.domains[0] = { "event", 0, 2 };
        h.domains[1] = { "private", 2, 2 };
        h.binCount = BinCount;
        std::uint32_t at = sizeof(h);
        auto place = [&at](std::uint32_t size) {
            at = (at + size - 1) / size * size;
            return std::exchange(at, at + size);
        };
        h.sizesAt = place(4);
        at += 4 * (BinCount - 1);
        h.arenaCountAt = place(4);
        h.arenasMissingAt = place(4);
        h.reservedAt = place(wordBytes);
        h.committedAt = place(wordBytes);
        h.decommittedAt = place(wordBytes);
        h.arenasAt = place(8);
        at = 0;
        h.orphanedAt = place(1);
        h.idAt = place(4);
        h.threadAt = place(8);
        h.adoptionsAt = place(4);
        h.pagesAt = place(4);
        h.binsAt = (at + 7) / 8 * 8;
        at = 0;
        h.takenAt = place(wordBytes);
        h.pushedAt = place(wordBytes);
        h.loadedAt = place(wordBytes);
        h.heldAt = place(wordBytes);
        // Like the allocator: in one word if it is large enough for both.
        h.heldMask = 0xffff;
        h.poppedAt = wordBytes == 8 ? h.heldAt : place(wordBytes);
        h.poppedShift = wordBytes == 8 ? 16 : 0;
        h.binStride = (at + 7) / 8 * 8;
        h.arenaStride = h.binsAt + BinCount * h.binStride;
        h.segmentBytes = h.arenasAt + ArenaCount * h.arenaStride;
    }

    // On the heap and of just that size, so that tools see every step beyond.
    std::vector<std::uint64_t> memory() const
    {
        std::vector<std::uint64_t> words(header.segmentBytes / 8);
        char *base = reinterpret_cast<char *>(words.data());
        const QPool::SegmentHeader &h = header;
        std::memcpy(base, &h, sizeof(h));
        std::memcpy(base + h.sizesAt, Sizes, sizeof(Sizes));
        put(base + h.arenaCountAt, ArenaCount, 4);
        put(base + h.arenasMissingAt, 3, 4);
        put(base + h.reservedAt, 1000000, h.wordBytes);
        put(base + h.committedAt, 100000, h.wordBytes);
        put(base + h.decommittedAt, 10000, h.wordBytes);
        for (unsigned a = 0; a < ArenaCount; ++a) {
            char *arena = base + h.arenasAt + a * h.arenaStride;
            put(arena + h.idAt, a + 1, 4);
            put(arena + h.threadAt, 5000 + a, 8);
            put(arena + h.adoptionsAt, 60 + a, 4);
            put(arena + h.orphanedAt, a, 1);
            put(arena + h.pagesAt, 70 + a, 4);
            for (unsigned b = 0; b < BinCount; ++b) {
                char *bin = arena + h.binsAt + b * h.binStride;
                put(bin + h.loadedAt, loaded(a, b), h.wordBytes);
                put(bin + h.pushedAt, 30 + b, h.wordBytes);
                put(bin + h.takenAt, 20 + b, h.wordBytes);
                const std::uint64_t level = popped(a, b) << h.poppedShift;
                put(bin + h.poppedAt, level, h.wordBytes);
                put(bin + h.heldAt, h.poppedAt == h.heldAt ? level | Held : Held, h.wordBytes);
            }
        }
        return words;
    }

    static constexpr std::uint64_t Held = 7;
    static std::uint64_t loaded(unsigned arena, unsigned bin)
    {
        return 1000 * (arena + 1) + 100 * bin;
    }
    static std::uint64_t popped(unsigned arena, unsigned bin)
    {
        return 10 * loaded(arena, bin);
    }

    static void put(char *place, std::uint64_t value, std::size_t size)
    {
        std::memcpy(place, &value, size); // the low bytes come first here
    }

    QPool::SegmentHeader header;
};

#endif // SAMPLESEGMENT_H
