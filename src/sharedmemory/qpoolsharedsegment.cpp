// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedsegment.h"

#include "qpoolsharedcheck.h"
#include "qpoolsharedlayout.h"
#include "qpoolsharedslabs.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

namespace {

SharedError errorOf(Os::SegmentResult result) noexcept
{
    switch (result) {
    case Os::SegmentResult::Done: return SharedError::None;
    case Os::SegmentResult::Exists: return SharedError::Exists;
    case Os::SegmentResult::NotFound: return SharedError::NotFound;
    case Os::SegmentResult::NoPermission: return SharedError::NoPermission;
    case Os::SegmentResult::NotOurs: return SharedError::NotOurs;
    case Os::SegmentResult::NoSpace: return SharedError::NoSpace;
    case Os::SegmentResult::AddressTaken: return SharedError::AddressTaken;
    case Os::SegmentResult::TooShort: return SharedError::Truncated;
    case Os::SegmentResult::Unsupported: return SharedError::Unsupported;
    case Os::SegmentResult::Failed: break;
    }
    return SharedError::SystemError;
}

// The characters that are valid in file names everywhere, and printable; no slash, so that no name
// leads to another folder.
bool isSegmentName(const char *name) noexcept
{
    if (!name || !*name)
        return false;
    std::size_t length = 0;
    for (; name[length]; ++length) {
        const char c = name[length];
        if (c <= ' ' || c > '~' || c == '/' || c == '\\' || length == SharedSegment::MaxNameLength)
            return false;
    }
    return true;
}

// A copy of a header, which no other process writes to.
class HeaderCopy
{
public:
    SharedError read(const Os::SegmentFile &file) noexcept
    {
        return errorOf(file.read(m_memory, sizeof m_memory));
    }
    SharedHeader &header() noexcept { return *reinterpret_cast<SharedHeader *>(m_memory); }

private:
    alignas(SharedHeader) unsigned char m_memory[sizeof(SharedHeader)];
};

SharedStatistics statisticsOf(const SharedHeader &header) noexcept
{
    SharedStatistics statistics;
    statistics.bytes = header.bytes;
    statistics.usedBytes = header.usedBytes.get();
    statistics.usedBlocks = header.usedBlocks.get();
    statistics.freeBytes = header.freePages.get() << SharedClasses::PageShift;
    if (const std::uint32_t orders = header.freeOrders.get())
        statistics.largestFree = std::uint64_t(SharedClasses::PageBytes)
                                 << SharedBits::highest(orders);
    statistics.deaths = header.deaths.get();
    statistics.repairs = header.repairs.get();
    statistics.possiblyLost = header.possiblyLost.get();
    statistics.badFrees = header.badFrees.get();
    statistics.lock = SharedLockKind(header.lockKind);
    statistics.broken = header.state.get() != SharedHeader::Ready;
    return statistics;
}

} // namespace

bool SharedSegment::fail(SharedError error) noexcept
{
    s_error = error;
    return error != SharedError::None;
}

SharedSegment::SharedSegment(SharedSegment &&other) noexcept
    : m_file(std::move(other.m_file)), m_heap(std::exchange(other.m_heap, nullptr))
{
}

SharedSegment &SharedSegment::operator=(SharedSegment &&other) noexcept
{
    if (this != &other) {
        this->~SharedSegment();
        new (this) SharedSegment(std::move(other));
    }
    return *this;
}

SharedSegment::~SharedSegment()
{
    // The system's mutex must not stay in a list of the thread's when its memory is unmapped.
    if (m_heap)
        m_heap->leaveEntirely();
}

SharedSegment SharedSegment::create(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                    const SharedAbi &abi) noexcept
{
    SharedSegment segment;
    if (!isSegmentName(name)) {
        fail(SharedError::InvalidName);
        return segment;
    }
    if (bytes < MinBytes || bytes > MaxBytes || bytes > SIZE_MAX / 2) {
        fail(SharedError::InvalidSize);
        return segment;
    }
    bytes = (bytes + SharedClasses::PageBytes - 1) & ~std::uint64_t(SharedClasses::PageBytes - 1);
    Os::SegmentFile file;
    {
        // Fails early, before memory is reserved in vain. publish() decides.
        Os::SegmentFile other;
        const Os::SegmentResult found = other.open(name, true);
        if (found != Os::SegmentResult::NotFound && found != Os::SegmentResult::Failed) {
            fail(SharedError::Exists);
            return segment;
        }
    }
    if (fail(errorOf(file.make(name, std::size_t(bytes)))) || fail(errorOf(file.map(nullptr))))
        return segment;
    auto &heap = *static_cast<SharedHeap *>(file.memory());
    if (!SharedLock::create(heap.lock, lock)) {
        fail(SharedError::Unsupported);
        return segment;
    }
    SharedHeap::create(heap, bytes, lock, abi);
    std::atomic_thread_fence(std::memory_order_release);
    std::memcpy(heap.magic, SharedHeader::Magic, sizeof heap.magic);
    if (fail(errorOf(file.publish(name))))
        return segment;
    file.keepOnlyMemory();
    segment.m_file = std::move(file);
    segment.m_heap = &heap;
    return segment;
}

SharedSegment SharedSegment::attach(const char *name, const SharedAbi &abi) noexcept
{
    SharedSegment segment;
    if (!isSegmentName(name)) {
        fail(SharedError::InvalidName);
        return segment;
    }
    Os::SegmentFile file;
    HeaderCopy copy;
    if (fail(errorOf(file.open(name))) || fail(copy.read(file)))
        return segment;
    const SharedHeader &header = copy.header();
    if (fail(SharedLayout::validate(header, file.bytes(), abi)))
        return segment;
    // A hole in the file would end the process when memory runs out.
    if (fail(errorOf(file.fill()))
        || fail(errorOf(file.map(reinterpret_cast<void *>(std::uintptr_t(header.address))))))
        return segment;
    auto &heap = *static_cast<SharedHeap *>(file.memory());
    if (std::memcmp(&heap, &header, offsetof(SharedHeader, lock)) != 0) {
        fail(SharedError::Broken); // it was changed since it was read
        return segment;
    }
    heap.endBeforeExec();
    file.keepOnlyMemory();
    segment.m_file = std::move(file);
    segment.m_heap = &heap;
    return segment;
}

SharedSegment SharedSegment::openOrCreate(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                          const SharedAbi &abi) noexcept
{
    SharedSegment segment;
    // Another process may create the segment, or remove its name, between the two calls.
    for (int attempt = 0; attempt < 100; ++attempt) {
        segment = attach(name, abi);
        if (segment || s_error != SharedError::NotFound)
            break;
        segment = create(name, bytes, lock, abi);
        if (segment || s_error != SharedError::Exists)
            break;
    }
    return segment;
}

bool SharedSegment::unlink(const char *name) noexcept
{
    if (!isSegmentName(name))
        return !fail(SharedError::InvalidName);
    return !fail(errorOf(Os::SegmentFile::remove(name)));
}

std::vector<SharedListing> SharedSegment::list(const SharedAbi &abi)
{
    std::vector<SharedListing> result;
    Os::SegmentFile::list(
            [](const char *name, void *context) {
                // Other users may make files, too, with names that no segment has.
                if (isSegmentName(name))
                    static_cast<std::vector<SharedListing> *>(context)->emplace_back().name = name;
            },
            &result);
    for (SharedListing &listing : result) {
        Os::SegmentFile file;
        HeaderCopy copy;
        listing.error = errorOf(file.open(listing.name.c_str(), true));
        if (listing.error == SharedError::None)
            listing.error = copy.read(file);
        if (listing.error == SharedError::None)
            listing.error = SharedLayout::validate(copy.header(), file.bytes(), abi);
        if (listing.error == SharedError::None) {
            listing.creator = copy.header().creator;
            listing.statistics = statisticsOf(copy.header());
        }
    }
    return result;
}

bool SharedSegment::tryLockFor(std::int64_t milliseconds) noexcept
{
    const bool locked = m_heap->enter(milliseconds < 0 ? SharedLock::Forever : milliseconds);
    if (!locked)
        fail(SharedError::Busy);
    return locked;
}

void *SharedSegment::allocate(std::size_t bytes, std::size_t alignment) noexcept
{
    void *const block = m_heap->allocate(bytes, alignment);
    if (!block)
        fail(m_heap->isBroken() ? SharedError::Broken : SharedError::SegmentFull);
    return block;
}

std::vector<SharedRootListing> SharedSegment::roots() const
{
    std::vector<SharedRootListing> result;
    const SharedHeapLocker locker(*m_heap);
    for (const SharedRoot &root : m_heap->roots) {
        if (root.state.get() == SharedRoot::Ready && SharedLayout::isSound(root, *m_heap))
            result.push_back({ root.name, root.bytes.get() });
    }
    return result;
}

SharedStatistics SharedSegment::statistics() const noexcept
{
    return statisticsOf(*m_heap);
}

const char *SharedSegment::check(std::int64_t milliseconds, const SharedAbi &abi) noexcept
{
    if (!tryLockFor(milliseconds))
        return errorText(SharedError::Busy);
    const char *problem = errorText(SharedError::Broken);
    if (!m_heap->isBroken()
        && SharedLayout::validate(*m_heap, m_file.bytes(), abi) == SharedError::None)
        problem = SharedCheck(*m_heap).problem();
    m_heap->leave();
    return problem;
}

bool SharedSegment::repair() noexcept
{
    const SharedHeapLocker locker(*m_heap);
    if (!m_heap->isBroken())
        m_heap->repair();
    return !fail(m_heap->isBroken() ? SharedError::Broken : SharedError::None);
}

QPOOL_END_NAMESPACE
