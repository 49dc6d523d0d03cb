// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// libFuzzer's bytes as a published segment. Whatever they are, the reader stays within them and
// returns plausible statistics.

#include "qpoolsegmentview.h"

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

void requireCount(std::uint64_t count)
{
    require(count < std::uint64_t(1) << 53);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    // Of exactly that size, so that AddressSanitizer detects every access beyond it.
    const std::unique_ptr<char[]> memory(new char[size]);
    std::memcpy(memory.get(), data, size);
    // Fuzzers are slow to guess these, and there is nothing to find behind a wrong one.
    QPool::SegmentHeader header;
    if (size >= sizeof(header)) {
        std::memcpy(&header, memory.get(), sizeof(header));
        if (header.magic[0] == 'Q')
            std::memcpy(header.magic, QPool::SegmentHeader::Magic, sizeof(header.magic));
        std::memcpy(memory.get(), &header, sizeof(header));
    }

    QPool::SegmentView::Error error = QPool::SegmentView::NoError;
    std::string message;
    const auto view = QPool::SegmentView::open(memory.get(), size, &error, &message);
    if (!view) {
        require(error != QPool::SegmentView::NoError && !message.empty());
        return 0;
    }
    const QPool::ProcessStatistics statistics = view->read();
    require(statistics.arenas.size() <= size / 8);
    require(statistics.domains.size() <= QPool::SegmentHeader::MaxDomains);
    requireCount(statistics.memory.reserved);
    requireCount(statistics.memory.committed);
    requireCount(statistics.memory.decommitted);
    for (const QPool::DomainStatistics &domain : statistics.domains) {
        require(!domain.name.empty() && domain.name.size() < 16);
        std::uint32_t previous = 0;
        for (const QPool::ClassStatistics &entry : domain.classes) {
            require(entry.size > previous);
            previous = entry.size;
            requireCount(entry.allocated);
            requireCount(entry.freed);
            requireCount(entry.remote);
        }
    }
    std::uint32_t newest = 0;
    for (const QPool::ArenaStatistics &arena : statistics.arenas) {
        require(arena.id > newest);
        newest = arena.id;
        requireCount(arena.thread);
        requireCount(arena.live);
        requireCount(arena.liveBytes);
        requireCount(arena.backlog);
    }
    return 0;
}
