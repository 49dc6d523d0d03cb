// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QRESOURCECHECKS_H
#define QRESOURCECHECKS_H

#include "../../allocator/core/qpoolarena.h"
#include "../../allocator/core/qpoolchunk.h"
#include "../../allocator/os/qpoolos.h"
#include "../../allocator/pages/qpoolpage.h"

QPOOL_BEGIN_NAMESPACE

/*
    What hardened builds, at both levels, check in a PoolResource: that a freed pointer is the start
    of a chunk of this resource, of the size with which it is freed, and not already free. Errors
    are reported on stderr, and the process aborts. The resource's pages have the resource as their
    owner, so that other pools refuse them, and have no bin.
*/
template <bool Checks>
class ResourceChecks
{
public:
    static constexpr const char *Name = "PoolResource";

    void own(PageHeader *) noexcept { }
    static void disown(PageHeader *) noexcept { }
    static void allocated(void *) noexcept { }
    template <class Source>
    void freed(void *, std::size_t) noexcept { }
};

template <>
class ResourceChecks<true>
{
public:
    static constexpr const char *Name = "PoolResource";

    void own(PageHeader *page) noexcept { page->owner = &m_owner; }
    static void disown(PageHeader *page) noexcept { page->owner = nullptr; }
    static void allocated(void *chunk) noexcept { Mark::clear(chunk); }

    // \a chunkSize is that of the class to which the chunk is freed.
    template <class Source>
    void freed(void *chunk, std::size_t chunkSize) noexcept
    {
        const unsigned long long thread = Os::threadId();
        PageHeader *page = Source::findUsedHeader(chunk);
        if (!page || page->owner != &m_owner) {
            Os::die("%s: %p, freed by thread %llu, is not from this resource", Name, chunk, thread);
        }
        const auto offset = static_cast<const char *>(chunk) - Source::pageOf(page);
        if (!page->isChunkStart(std::size_t(offset))) {
            Os::die("%s: %p, freed by thread %llu, is not the start of a chunk of %u bytes", Name,
                    chunk, thread, unsigned(page->chunkSize));
        }
        if (page->chunkSize != chunkSize) {
            Os::die("%s: %p, freed by thread %llu with a size of chunks of %llu bytes, is one of "
                    "%u bytes", Name, chunk, thread,
                    static_cast<unsigned long long>(chunkSize), unsigned(page->chunkSize));
        }
        if (Mark::isSet(chunk, page)) {
            Os::die("%s: %p, freed by thread %llu, is free already (a chunk of %u bytes)", Name,
                    chunk, thread, unsigned(page->chunkSize));
        }
        Mark::set(chunk, page);
    }

private:
    ArenaBase m_owner { Name, nullptr, 0 };
};

QPOOL_END_NAMESPACE

#endif // QRESOURCECHECKS_H
