// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedroots.h"

#include "qpoolsharedlayout.h"

#include <cstring>

QPOOL_BEGIN_NAMESPACE

bool SharedRoots::isName(const char *name) noexcept
{
    return name && *name && std::strlen(name) < SharedRoot::NameBytes;
}

// Searches existing roots; returns -1 if there is none.
int SharedRoots::indexOf(const char *name) const noexcept
{
    for (std::uint32_t i = 0; i < SharedHeader::RootCount; ++i) {
        const SharedRoot &root = m_heap.roots[i];
        if (root.state.get() != SharedRoot::Free && std::strncmp(root.name, name, sizeof root.name) == 0)
            return int(i);
    }
    return -1;
}

int SharedRoots::indexOf(const void *object) const noexcept
{
    const auto offset = std::uint64_t(reinterpret_cast<std::uintptr_t>(object)
                                      - reinterpret_cast<std::uintptr_t>(&m_heap));
    for (std::uint32_t i = 0; i < SharedHeader::RootCount; ++i) {
        const SharedRoot &root = m_heap.roots[i];
        if (root.state.get() != SharedRoot::Free && root.offset.get() == offset)
            return int(i);
    }
    return -1;
}

void *SharedRoots::find(const char *name, const SharedType &type, SharedError &error) const noexcept
{
    error = SharedError::InvalidName;
    if (!isName(name))
        return nullptr;
    error = SharedError::NotFound;
    const int index = indexOf(name);
    if (index < 0)
        return nullptr;
    const SharedRoot &root = m_heap.roots[index];
    // A root that is being made is found only by its own constructor.
    if (root.state.get() != SharedRoot::Ready)
        return nullptr;
    error = SharedError::RootType;
    if (root.bytes.get() != type.bytes || root.alignment.get() != type.alignment
        || root.type.get() != type.hash)
        return nullptr;
    error = SharedError::Broken;
    if (!SharedLayout::isSound(root, m_heap))
        return nullptr;
    error = SharedError::None;
    return m_heap.base() + root.offset.get();
}

void *SharedRoots::begin(const char *name, const SharedType &type, SharedError &error) noexcept
{
    error = SharedError::InvalidName;
    if (!isName(name))
        return nullptr;
    error = SharedError::RootExists;
    if (indexOf(name) >= 0)
        return nullptr;
    error = SharedError::RootsFull;
    std::uint32_t index = 0;
    while (m_heap.roots[index].state.get() != SharedRoot::Free) {
        if (++index == SharedHeader::RootCount)
            return nullptr;
    }
    SharedRoot &root = m_heap.roots[index];
    setMaking(int(index), true);
    std::memset(root.name, 0, sizeof root.name);
    std::memcpy(root.name, name, std::strlen(name));
    root.offset.put(0);
    root.bytes.put(type.bytes);
    root.alignment.put(type.alignment);
    root.type.put(type.hash);
    root.state.put(SharedRoot::Making);
    void *const block = m_heap.allocate(std::size_t(type.bytes), std::size_t(type.alignment));
    if (!block) {
        root.state.put(SharedRoot::Free);
        setMaking(int(index), false);
        error = m_heap.isBroken() ? SharedError::Broken : SharedError::SegmentFull;
        return nullptr;
    }
    root.offset.put(std::uint64_t(static_cast<char *>(block) - m_heap.base()));
    error = SharedError::None;
    return block;
}

void SharedRoots::finish(void *object) noexcept
{
    const int index = indexOf(object);
    if (index < 0)
        return;
    m_heap.roots[index].state.put(SharedRoot::Ready);
    setMaking(index, false);
}

void *SharedRoots::beginRemoval(const char *name, const SharedType &type, SharedError &error) noexcept
{
    void *const object = find(name, type, error);
    if (object) {
        const int index = indexOf(name);
        setMaking(index, true);
        m_heap.roots[index].state.put(SharedRoot::Destroying);
    }
    return object;
}

void SharedRoots::remove(void *object) noexcept
{
    const int index = indexOf(object);
    if (index < 0)
        return;
    SharedRoot &root = m_heap.roots[index];
    // First: if this thread is killed between, the block is lost, and a survivor counts it. In the
    // other order, the survivor would free a free block.
    root.offset.put(0);
    m_heap.deallocate(object, std::size_t(root.bytes.get()), std::size_t(root.alignment.get()));
    root.state.put(SharedRoot::Free);
    setMaking(index, false);
}

void SharedRoots::setMaking(int index, bool making) noexcept
{
    const std::uint64_t bit = std::uint64_t(1) << index;
    const std::uint64_t mask = m_heap.making.get();
    m_heap.making.put(making ? mask | bit : mask & ~bit);
}

QPOOL_END_NAMESPACE
