// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoollargeblock.h"
#include "qpoolhugememory.h"

#include <new>

QPOOL_BEGIN_NAMESPACE

LargeBlock *LargeBlock::make(std::size_t bytes, std::size_t alignment, bool mayMap) noexcept
{
    if (alignment < LeastAlignment)
        alignment = LeastAlignment;
    const std::size_t total = totalFor(bytes, alignment);
    if (total == 0)
        return nullptr;
    Source source = Source::Mapping;
    void *base = nullptr;
    if (mayMap && total >= HugeMemory::PageBytes / 2 && alignment <= HugeMemory::PageBytes)
        base = HugeMemory::map(total).address;
    // The number of mappings is limited, too, so fall back to the heap.
    if (!base) {
        source = Source::Heap;
        base = ::operator new(total, std::align_val_t(alignment), std::nothrow);
    }
    if (!base)
        return nullptr;
    void *place = static_cast<char *>(base) + offsetFor(alignment) - sizeof(LargeBlock);
    auto *block = new (place) LargeBlock { };
    block->total = total;
    block->asked = bytes;
    block->alignment = std::uint32_t(alignment);
    block->source = source;
    block->state = State::InUse;
    return block;
}

void LargeBlock::destroy(LargeBlock *block) noexcept
{
    const std::size_t total = block->total;
    const std::size_t alignment = block->alignment;
    void *base = static_cast<char *>(block->memory()) - offsetFor(alignment);
    block->state = State::Free;
    if (block->source == Source::Mapping)
        HugeMemory::unmap(base, total);
    else
        ::operator delete(base, std::align_val_t(alignment));
}

QPOOL_END_NAMESPACE
