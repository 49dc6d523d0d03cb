// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A program for a small machine: compiled without exceptions and RTTI, linked without the
// allocator's library and without threads. Half of the test is that it links.

#include "pool/qsizedpoolallocator.h"

#include <cstring>

using namespace QPool;

namespace {

using Pages = StaticPages<16 * 1024>;
using Fixed = QPoolAllocator<32, SingleThreaded, Pages>;
using Sized = QSizedPoolAllocator<SingleThreaded, Pages>;

constexpr std::size_t Most = 16 * 1024 / 32;

bool exhaustsAndRecovers()
{
    static void *chunks[Most];
    std::size_t first = 0;
    for (int round = 0; round < 3; ++round) {
        std::size_t count = 0;
        while (void *chunk = Fixed::allocate()) {
            std::memset(chunk, 1, Fixed::chunkSize);
            chunks[count++] = chunk;
        }
        if (count == 0 || (first != 0 && count != first))
            return false;
        first = count;
        if (Fixed::statistics().live() != count)
            return false;
        for (std::size_t i = 0; i < count; ++i)
            Fixed::deallocate(chunks[i]);
    }
    Fixed::trim();
    return Fixed::statistics().live() == 0;
}

bool servesAnySize()
{
    for (std::size_t size = 0; size <= Sized::MaxPooledSize; ++size) {
        void *chunk = Sized::allocate(size);
        if (!chunk || !Sized::sourceContains(chunk))
            return false;
        Sized::deallocate(chunk);
        Sized::trim();
    }
    return Sized::allocate(Sized::MaxPooledSize + 1) == nullptr;
}

} // namespace

int main()
{
    if (!exhaustsAndRecovers())
        return 1;
    if (!servesAnySize())
        return 2;
    return 0;
}
