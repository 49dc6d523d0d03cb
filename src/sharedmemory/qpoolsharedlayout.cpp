// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedlayout.h"

#include "qpoolsharedbits.h"
#include "qpoolsharedlock.h"

#include <cstdio>
#include <cstring>

QPOOL_BEGIN_NAMESPACE

void SharedAbi::write(char (&text)[TextBytes]) const noexcept
{
    std::memset(text, 0, TextBytes);
    std::snprintf(text, TextBytes, "%s %u, %s %u, options %x, words %u and %u, pages %u%s", compiler,
                  compilerVersion, library, libraryVersion, options, unsigned(sizeof(void *)),
                  unsigned(sizeof(long)), unsigned(SharedClasses::PageBytes),
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
                  ", big-endian"
#else
                  ""
#endif
    );
}

namespace SharedLayout {

void compute(SharedHeader &header, std::uint64_t bytes) noexcept
{
    header.bytes = bytes;
    header.pageCount = std::uint32_t(bytes >> SharedClasses::PageShift);
    header.wordsOffset = sizeof(SharedHeader) + std::uint64_t(header.pageCount) * sizeof(SharedPage);
    std::uint32_t words = 0;
    header.orderCount = SharedBits::highest(header.pageCount) + 1;
    for (std::uint32_t order = 0; order < SharedHeader::MaxOrders; ++order) {
        SharedOrder &entry = header.orders[order];
        entry = SharedOrder {};
        if (order >= header.orderCount)
            continue;
        entry.bits = header.pageCount >> order;
        for (std::uint32_t width = entry.bits;;) {
            width = (width + 63) / 64;
            entry.offsets[entry.levels++] = words;
            words += width;
            if (width == 1)
                break;
        }
    }
    header.freeMap = words;
    words += (header.pageCount + 63) / 64;
    const std::uint64_t end = header.wordsOffset + std::uint64_t(words) * sizeof(std::uint64_t);
    header.metaPages = std::uint32_t((end + SharedClasses::PageBytes - 1) >> SharedClasses::PageShift);
}

static bool sameLayout(const SharedHeader &a, const SharedHeader &b) noexcept
{
    return a.bytes == b.bytes && a.pageCount == b.pageCount && a.metaPages == b.metaPages
            && a.orderCount == b.orderCount && a.wordsOffset == b.wordsOffset
            && a.freeMap == b.freeMap
            && std::memcmp(a.orders, b.orders, sizeof a.orders) == 0;
}

bool isSound(const SharedRoot &root, const SharedHeader &header) noexcept
{
    if (root.state.get() == SharedRoot::Free)
        return true;
    const std::uint64_t offset = root.offset.get();
    const std::uint64_t size = root.bytes.get();
    const std::uint64_t alignment = root.alignment.get();
    const std::uint64_t begin = std::uint64_t(header.metaPages) << SharedClasses::PageShift;
    if (root.state.get() > SharedRoot::Destroying || !std::memchr(root.name, 0, sizeof root.name)
        || alignment == 0 || alignment > SharedClasses::PageBytes || (alignment & (alignment - 1)) != 0)
        return false;
    if (offset == 0) // it was about to get its memory
        return root.state.get() != SharedRoot::Ready;
    return offset >= begin && offset < header.bytes && offset % alignment == 0 && size != 0
            && size <= header.bytes - offset;
}

SharedError validate(const SharedHeader &header, std::uint64_t fileBytes, const SharedAbi &abi) noexcept
{
    if (std::memcmp(header.magic, SharedHeader::Magic, sizeof header.magic) != 0)
        return SharedError::WrongMagic;
    if (header.version != SharedHeader::Version)
        return SharedError::OtherVersion;
    char text[SharedAbi::TextBytes];
    abi.write(text);
    if (header.headerBytes != sizeof(SharedHeader) || std::memcmp(header.abi, text, sizeof text) != 0)
        return SharedError::OtherAbi;
    const auto kind = SharedLockKind(header.lockKind);
    if (kind > SharedLockKind::Robust)
        return SharedError::Broken;
    if (kind != SharedLockKind::None && header.surroundings != Os::ThreadIdentity::surroundings())
        return SharedError::OtherNamespace;
    if (header.bytes > fileBytes)
        return SharedError::Truncated;
    if (header.bytes < SharedHeader::MinBytes || header.bytes > SharedHeader::MaxBytes
        || header.bytes % SharedClasses::PageBytes != 0 || header.bytes != fileBytes)
        return SharedError::Broken;

    static_assert(std::is_trivially_destructible_v<SharedHeader>);
    alignas(SharedHeader) unsigned char memory[sizeof(SharedHeader)] = {};
    auto &expected = *reinterpret_cast<SharedHeader *>(memory);
    compute(expected, header.bytes);
    if (!sameLayout(header, expected))
        return SharedError::Broken;

    const std::uint64_t address = header.address;
    if (address == 0 || address % SharedClasses::PageBytes != 0 || address > UINTPTR_MAX - header.bytes)
        return SharedError::Broken;
    if (header.state.get() != SharedHeader::Ready)
        return SharedError::Broken;
    if (header.freePages.get() > header.pageCount
        || header.freeOrders.get() >> header.orderCount != 0
        || !SharedLock::isSound(header.lock, kind))
        return SharedError::Broken;
    for (const SharedCell<std::uint32_t> &head : header.heads) {
        if (head.get() >= header.pageCount)
            return SharedError::Broken;
    }
    return SharedError::None;
}

} // namespace SharedLayout

QPOOL_END_NAMESPACE
