// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedslabs.h"

QPOOL_BEGIN_NAMESPACE

std::uint32_t SharedSlabs::addSlab(std::uint32_t index) noexcept
{
    const SharedClass &entry = SharedClasses::at(index);
    // The page is not known before it is taken, but the intent must be set before the first store.
    m_header.intent.put(SharedIntent::ofPages(0));
    const std::uint32_t page = SharedBuddy(m_header).takeLast(SharedBuddy::orderFor(entry.pages));
    if (!page)
        return 0;
    m_header.intent.put(SharedIntent::ofPages(page));
    SharedPage &record = m_pages[page];
    for (std::uint32_t word = 0; word < entry.words; ++word)
        record.freeBlocks[word].put(SharedClasses::allOf(entry, word));
    record.freeCount.put(entry.blocks);
    record.state.put(SharedPage::Slab | index);
    link(index, page);
    return page;
}

void SharedSlabs::removeSlab(std::uint32_t index, std::uint32_t page) noexcept
{
    m_header.intent.put(SharedIntent::ofPages(page));
    unlink(index, page);
    m_pages[page].state.put(0);
    SharedBuddy(m_header).give(page, SharedClasses::at(index).pages);
}

bool SharedSlabs::trim() noexcept
{
    bool found = false;
    for (std::uint32_t index = 0; index < SharedClasses::Count; ++index) {
        // There is at most one; the loop is bounded in case the list is damaged.
        std::uint32_t page = m_header.heads[index].get();
        for (std::uint32_t step = 0; page && step < m_header.pageCount; ++step) {
            const std::uint32_t next = m_pages[page].next.get();
            if (m_pages[page].freeCount.get() == SharedClasses::at(index).blocks) {
                removeSlab(index, page);
                found = true;
                break;
            }
            page = next;
        }
    }
    return found;
}

QPOOL_END_NAMESPACE
