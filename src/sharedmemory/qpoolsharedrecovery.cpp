// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// What a survivor does: see SharedHeap. It does not trust the metadata, because a process that was
// killed may have written anywhere before.

#include "qpoolsharedheap.h"

#include "qpoolsharedlayout.h"
#include "qpoolsharedslabs.h"

QPOOL_BEGIN_NAMESPACE

// The lock was taken from a thread that died, or appears to have died.
QPOOL_NEVER_INLINE void SharedHeap::entered(bool fromDead) noexcept
{
    if (fromDead) {
        // If a thread is killed between these, the next counts them again: they are upper bounds.
        deaths.put(deaths.get() + 1);
        possiblyLost.put(possiblyLost.get() + allocatedInLock.get());
        allocatedInLock.put(0);
    }
    if (isBroken())
        return;
    // Freeing the block of a root uses lists that have not been checked yet, so rebuild them first.
    if (intent.get() != 0 || making.get() != 0)
        repair();
    if (making.get() != 0 && !isBroken())
        repairRoots();
}

void SharedHeap::repair() noexcept
{
    repairs.put(repairs.get() + 1);
    const SharedIntent found = SharedIntent::read(intent.get());
    // If no change was in progress, the rebuild itself is one now.
    if (found.kind == SharedIntent::Nothing)
        intent.put(SharedIntent::ofPages(0));
    if (undo(found) && rebuild())
        intent.put(0);
    else
        breakDown();
}

void SharedHeap::breakDown() noexcept
{
    state.put(Broken);
    intent.put(0);
}

// Frees the block in the intent, unless it is free. Returns true also if there was nothing to do;
// false if the block is in a state that no operation here leaves.
bool SharedHeap::undo(SharedIntent found) noexcept
{
    if (found.kind == SharedIntent::Nothing || found.page == 0)
        return found.block == 0;
    if (found.page < metaPages || found.page >= pageCount)
        return false;
    SharedPage &record = pages()[found.page];
    const std::uint32_t kindOf = record.state.get() & SharedPage::KindMask;
    const std::uint32_t value = record.state.get() & ~SharedPage::KindMask;
    if (found.kind == SharedIntent::Block) {
        if (kindOf != SharedPage::Slab || value >= SharedClasses::Count
            || found.block >= SharedClasses::at(value).blocks)
            return false;
        SharedCell<std::uint64_t> &word = record.freeBlocks[found.block / 64];
        word.put(word.get() | std::uint64_t(1) << (found.block % 64));
        return true;
    }
    if (found.kind != SharedIntent::Pages)
        return false;
    if (kindOf == SharedPage::Slab) {
        // The slab or run was being made or given back, and has no block in use.
        if (value >= SharedClasses::Count)
            return false;
        const SharedClass &entry = SharedClasses::at(value);
        for (std::uint32_t word = 0; word < entry.words; ++word) {
            if (record.freeBlocks[word].get() != SharedClasses::allOf(entry, word))
                return false;
        }
    }
    if (kindOf != 0)
        record.state.put(0);
    return true;
}

bool SharedHeap::rebuild() noexcept
{
    for (SharedCell<std::uint32_t> &head : heads)
        head.put(0);
    SharedBuddy buddy(*this);
    buddy.reset();
    usedBytes.put(0);
    usedBlocks.put(0);
    if (pages()[0].state.get() != (SharedPage::Run | metaPages))
        return false;
    std::uint32_t freeFrom = 0; // zero: the page before is in use
    std::uint32_t page = metaPages;
    while (page < pageCount) {
        const std::uint32_t kindOf = pages()[page].state.get() & SharedPage::KindMask;
        const std::uint32_t value = pages()[page].state.get() & ~SharedPage::KindMask;
        if (kindOf == 0 && value == 0) {
            if (!freeFrom)
                freeFrom = page;
            ++page;
            continue;
        }
        if (freeFrom)
            buddy.addFree(freeFrom, page);
        freeFrom = 0;
        if (kindOf == SharedPage::Run) {
            if (value == 0 || value > pageCount - page)
                return false;
            usedBytes.put(usedBytes.get() + (std::uint64_t(value) << SharedClasses::PageShift));
            usedBlocks.put(usedBlocks.get() + 1);
            page += value;
        } else {
            if (kindOf != SharedPage::Slab || !rebuildSlab(page, value))
                return false;
            page += SharedClasses::at(value).pages;
        }
    }
    if (freeFrom)
        buddy.addFree(freeFrom, pageCount);
    return true;
}

bool SharedHeap::rebuildSlab(std::uint32_t page, std::uint32_t index) noexcept
{
    if (index >= SharedClasses::Count)
        return false;
    const SharedClass &entry = SharedClasses::at(index);
    if (entry.pages > pageCount - page || page % entry.pages != 0)
        return false;
    std::uint32_t count = 0;
    for (std::uint32_t word = 0; word < entry.words; ++word) {
        const std::uint64_t bits = pages()[page].freeBlocks[word].get();
        if ((bits & ~SharedClasses::allOf(entry, word)) != 0)
            return false;
        count += SharedBits::count(bits);
    }
    pages()[page].freeCount.put(count);
    if (count)
        SharedSlabs(*this).link(index, page);
    const std::uint32_t used = entry.blocks - count;
    usedBytes.put(usedBytes.get() + std::uint64_t(used) * entry.size);
    usedBlocks.put(usedBlocks.get() + used);
    return true;
}

// No thread knows a root that was being made, and none can complete the removal of one. Memory of
// the object other than its own block is lost.
void SharedHeap::repairRoots() noexcept
{
    while (const std::uint64_t mask = making.get()) {
        const unsigned index = SharedBits::lowest(mask);
        SharedRoot &root = roots[index];
        if (root.state.get() == SharedRoot::Making || root.state.get() == SharedRoot::Destroying) {
            possiblyLost.put(possiblyLost.get() + 1);
            // A root that a damaged segment describes badly loses its block.
            const std::uint64_t offset = SharedLayout::isSound(root, *this) ? root.offset.get() : 0;
            // First, so that the block is lost if this thread is killed between; that is better
            // than freeing it twice.
            root.offset.put(0);
            if (offset)
                tryDeallocate(base() + offset, root.bytes.get(), root.alignment.get());
            root.state.put(SharedRoot::Free);
        }
        making.put(mask & (mask - 1));
    }
}

QPOOL_END_NAMESPACE
