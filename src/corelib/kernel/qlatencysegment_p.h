// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QLATENCYSEGMENT_P_H
#define QLATENCYSEGMENT_P_H

//
//  W A R N I N G
//  -------------
//
// This file is not part of the API. It may change from version to version without notice.
//

// The segment in which a process publishes its statistics of event latency. Plain C++17, because the
// reader in other processes has no QtCore.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>

namespace QPool {

/*
    The segment begins with this header, whose first members are those of a pool's header (SegmentHeader).
    It holds the last two texts that were published. Each is JSON, as qt_pool_allocator_latency() writes it,
    and divided into blocks; the blocks of both alternate, so that the memory in use is about twice the
    size of a text. The first text has the number 1, and text number n is in half n % 2.

    Offsets are in bytes, from the start of the segment. Numbers marked "changes" have 32 bits and change
    while they are read; all other members are constant once the magic is written.
*/
struct QPoolLatencySegmentHeader
{
    static constexpr char Magic[8] = { 'Q', 'P', 'o', 'o', 'l', 'L', 'a', 't' };
    static constexpr std::uint32_t ByteOrder = 0x01020304;
    // Raised whenever a reader of an older format would misread a newer one.
    static constexpr std::uint32_t Version = 1;
    // In the system's lists, the segment has this name followed by the number of the process.
    static constexpr char NamePrefix[] = "qpool-latency-";

    char magic[8]; // written last
    std::uint32_t byteOrder;
    std::uint32_t version;
    std::uint32_t headerBytes;
    std::uint32_t wordBytes; // 4 or 8
    std::uint64_t segmentBytes;
    std::uint64_t pid; // of the process that writes; its child has no segment
    std::uint64_t since; // milliseconds since 1970, UTC

    std::uint32_t numberAt; // changes: of the last text; 0 if there is none yet
    std::uint32_t halvesAt; // two times QPoolLatencySegmentHalf
    std::uint32_t blocksAt;
    std::uint32_t blockBytes;
    std::uint32_t blockCount; // of each half
    std::uint32_t reserved; // 0
};
// The same size for writers and readers of any word size.
static_assert(sizeof(QPoolLatencySegmentHeader) == 72);

/*
    Invariants
    - A thread that sees a word of text n, or its length, sees that begun is n or more: all these are stored
      with release after begun.
    - A thread that sees that done is n sees all words of text n, or of a later one: done is stored with
      release after them.
    So what was read (acquire) belongs to text n if done was n before and begun is n afterwards.
*/
struct QPoolLatencySegmentHalf
{
    std::atomic<std::uint32_t> begun; // changes: the number of the text that is written
    std::atomic<std::uint32_t> done; // changes: the number of the text that is complete
    std::atomic<std::uint32_t> bytes; // changes: of the text
};
static_assert(sizeof(QPoolLatencySegmentHalf) == 12);

// Writes the segment. One thread at a time.
class QPoolLatencySegmentWriter
{
public:
    static constexpr std::size_t BlockBytes = 4096;
    static constexpr std::size_t BlocksAt = BlockBytes;
    // Addresses, without memory until there is a text of that size.
    static constexpr std::size_t BlockCount = 1024;
    static constexpr std::size_t LargestText = BlockCount * BlockBytes;
    static constexpr std::size_t SegmentBytes = BlocksAt + 2 * LargestText;

    // How much of the segment texts of up to \a bytes bytes need, from the start.
    static constexpr std::size_t bytesInUse(std::size_t bytes) noexcept
    {
        return BlocksAt + 2 * ((bytes + BlockBytes - 1) / BlockBytes) * BlockBytes;
    }

    // \a memory has SegmentBytes bytes, of which bytesInUse(0) are usable and zero.
    void begin(char *memory, std::uint64_t pid, std::uint64_t since) noexcept
    {
        m_memory = memory;
        auto *header = new (memory) QPoolLatencySegmentHeader {};
        header->byteOrder = QPoolLatencySegmentHeader::ByteOrder;
        header->version = QPoolLatencySegmentHeader::Version;
        header->headerBytes = sizeof(QPoolLatencySegmentHeader);
        header->wordBytes = sizeof(std::size_t);
        header->segmentBytes = SegmentBytes;
        header->pid = pid;
        header->since = since;
        header->numberAt = NumberAt;
        header->halvesAt = HalvesAt;
        header->blocksAt = BlocksAt;
        header->blockBytes = BlockBytes;
        header->blockCount = BlockCount;
        // In halves, because 32-bit machines may have no larger atomics; the store of the first half
        // releases the rest.
        std::uint32_t halves[2];
        static_assert(sizeof(halves) == sizeof(QPoolLatencySegmentHeader::Magic));
        std::memcpy(halves, QPoolLatencySegmentHeader::Magic, sizeof(halves));
        place<std::atomic<std::uint32_t>>(4)->store(halves[1], std::memory_order_relaxed);
        place<std::atomic<std::uint32_t>>(0)->store(halves[0], std::memory_order_release);
    }

    // \a text has at most LargestText bytes, for which the memory is usable.
    void publish(std::string_view text) noexcept
    {
        const std::uint32_t number = m_number + 1 ? m_number + 1 : 2; // 0 means none
        const std::uint32_t which = number % 2;
        auto *half = place<QPoolLatencySegmentHalf>(HalvesAt + which * sizeof(QPoolLatencySegmentHalf));
        half->begun.store(number, std::memory_order_relaxed);
        half->bytes.store(std::uint32_t(text.size()), std::memory_order_release);
        for (std::size_t at = 0; at < text.size(); at += sizeof(std::uint32_t)) {
            std::uint32_t word = 0;
            const std::size_t left = text.size() - at;
            std::memcpy(&word, text.data() + at, left < sizeof(word) ? left : sizeof(word));
            const std::size_t block = 2 * (at / BlockBytes) + which;
            place<std::atomic<std::uint32_t>>(BlocksAt + block * BlockBytes + at % BlockBytes)
                    ->store(word, std::memory_order_release);
        }
        half->done.store(number, std::memory_order_release);
        place<std::atomic<std::uint32_t>>(NumberAt)->store(number, std::memory_order_release);
        m_number = number;
    }

private:
    static constexpr std::size_t NumberAt = 128;
    static constexpr std::size_t HalvesAt = 192;

    template <class Type>
    Type *place(std::size_t at) const noexcept
    {
        return reinterpret_cast<Type *>(m_memory + at);
    }

    char *m_memory = nullptr;
    std::uint32_t m_number = 0;
};

} // namespace QPool

#endif // QLATENCYSEGMENT_P_H
