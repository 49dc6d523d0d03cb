// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program's own heap, which does not know chunks of the pool.

#include <cstdlib>
#include <new>

namespace {

struct Header
{
    std::size_t mark;
    std::size_t padding;
};
constexpr std::size_t OurMark = 0x6f75722068656170;

} // namespace

void *operator new(std::size_t size)
{
    auto *header = static_cast<Header *>(std::malloc(sizeof(Header) + size));
    if (!header)
        throw std::bad_alloc();
    header->mark = OurMark;
    return header + 1;
}

void operator delete(void *pointer) noexcept
{
    if (!pointer)
        return;
    Header *header = static_cast<Header *>(pointer) - 1;
    if (header->mark != OurMark)
        std::abort();
    std::free(header);
}

void operator delete(void *pointer, std::size_t) noexcept { operator delete(pointer); }
