// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolmemoryowners.h"

#include <algorithm>
#include <cstring>

namespace QPool {

namespace {

struct Names
{
    const char *key;
    const char *title;
};

constexpr Names OwnerNames[] = {
    { "pool.event", "pool: events" },
    { "pool.object", "pool: objects" },
    { "pool.private", "pool: private parts of objects" },
    { "pool.heap", "pool: other blocks" },
    { "pool.free", "pool: free" },
    { "pool.metadata", "pool: its own records" },
    { "heap", "the rest of malloc: heap" },
    { "anonymous", "the rest of malloc: large blocks; variables, other anonymous memory" },
    { "script.heap", "JavaScript: heap" },
    { "script.stack", "JavaScript: stacks" },
    { "code", "code made at run time, such as JavaScript's (JIT)" },
    { "stacks", "stacks of threads" },
    { "files.shared", "files, as other processes have mapped them, too" },
    { "files.own", "files, mapped here only" },
    { "files.changed", "files, changed copies: variables of programs and libraries" },
    { "sharedMemory", "shared memory" },
    { "graphics", "graphics" },
    { "system", "the system's own" },
};
static_assert(sizeof(OwnerNames) / sizeof(OwnerNames[0]) == MemoryOwnerCount);

bool begins(const std::string &name, const char *with)
{
    return name.compare(0, std::strlen(with), with) == 0;
}

// A memory file has a note that no folder has it.
bool endsInMemory(const std::string &name, const char *with)
{
    const std::string end = std::string(with) + " (deleted)";
    return name.size() >= end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

} // namespace

const char *keyOf(MemoryOwner owner) noexcept
{
    return OwnerNames[std::size_t(owner)].key;
}

const char *titleOf(MemoryOwner owner) noexcept
{
    return OwnerNames[std::size_t(owner)].title;
}

bool MappingName::isMemoryFile(const MemoryMapping &mapping)
{
    // MAP_SHARED memory without a file is one called /dev/zero.
    const std::string &name = mapping.name;
    return begins(name, "/memfd:") || begins(name, "/SYSV") || begins(name, "/dev/shm/")
            || begins(name, "/dev/zero (deleted)") || begins(name, "[anon_shmem:");
}

bool MappingName::isGraphics(const MemoryMapping &mapping)
{
    const std::string &name = mapping.name;
    return begins(name, "/dev/dri/") || begins(name, "/dev/nvidia") || begins(name, "/dev/kgsl")
            || begins(name, "/dev/mali") || begins(name, "/dmabuf:") || name == "/i915 (deleted)"
            || begins(name, "/drm mm object") || begins(name, "anon_inode:i915");
}

bool MappingName::isScript(const MemoryMapping &mapping)
{
    return begins(mapping.name, "/memfd:") && endsInMemory(mapping.name, ":QtQml");
}

bool MappingName::areScriptsAnonymous(const MemoryMap &map)
{
    bool front = false;
    bool engine = false;
    for (const MemoryMapping &mapping : map.mappings()) {
        const std::string file = mapping.name.substr(mapping.name.rfind('/') + 1); // npos + 1 is zero
        front |= begins(file, "libqpool-malloc.so");
        engine |= begins(file, "libQt6Qml.so");
        if (isScript(mapping))
            return false;
    }
    return front && engine;
}

MemoryDivision::MemoryDivision(const PoolPlaces &places, std::vector<std::uintptr_t> stacks, bool anonymousScripts)
    : m_places(places)
    , m_stacks(std::move(stacks))
    , m_anonymousScripts(anonymousScripts && !places.pages.empty())
{
}

std::vector<MemoryDivision::Part> MemoryDivision::divide(const MemoryMapping &mapping) const
{
    const std::string &name = mapping.name;
    const auto all = [&](MemoryOwner owner) { return std::vector<Part> { { owner, mapping.resident } }; };

    if (MappingName::isScript(mapping)) {
        return all(begins(name, "/memfd:JSVMStack")       ? MemoryOwner::ScriptStack
                           : begins(name, "/memfd:JITCode") ? MemoryOwner::MadeCode
                                                            : MemoryOwner::ScriptHeap);
    }
    if (MappingName::isGraphics(mapping))
        return all(MemoryOwner::Graphics);
    // Before the names of memory files: a pool that publishes has its arenas in one.
    if (begins(name, "/memfd:qpool-")
        || (!begins(name, "/") && PoolPlaces::overlaps(m_places.metadata, mapping.begin, mapping.end)))
        return all(MemoryOwner::PoolMetadata);
    if (MappingName::isMemoryFile(mapping))
        return all(MemoryOwner::SharedMemory);
    if (begins(name, "/")) {
        const std::uint64_t changed = std::min(mapping.anonymous, mapping.resident);
        const std::uint64_t rest = mapping.resident - changed;
        const std::uint64_t own = mapping.own > changed ? std::min(mapping.own - changed, rest) : 0;
        return { { MemoryOwner::FilesChanged, changed },
                 { MemoryOwner::FilesOwn, own },
                 { MemoryOwner::FilesShared, rest - own } };
    }
    return all(ownerOfAnonymous(mapping));
}

MemoryOwner MemoryDivision::ownerOfAnonymous(const MemoryMapping &mapping) const
{
    const std::string &name = mapping.name;
    if (PoolPlaces::overlaps(m_places.pages, mapping.begin, mapping.end))
        return MemoryOwner::PoolFree;
    if (name == "[heap]")
        return MemoryOwner::Heap;
    if (begins(name, "[stack") || begins(name, "[anon: glibc: pthread stack"))
        return MemoryOwner::Stacks;
    const bool isNamed = begins(name, "[anon:");
    if (!name.empty() && !isNamed)
        return MemoryOwner::System;
    if (mapping.executable)
        return MemoryOwner::MadeCode;
    if (m_anonymousScripts && !isNamed && mapping.unreserved)
        return MemoryOwner::ScriptHeap;
    const auto stack = std::lower_bound(m_stacks.begin(), m_stacks.end(), mapping.begin);
    return stack != m_stacks.end() && *stack < mapping.end && mapping.writable ? MemoryOwner::Stacks
                                                                              : MemoryOwner::Anonymous;
}

void MemoryDivision::setLive(Named &named, std::array<std::uint64_t, 4> live)
{
    for (auto free = named.lower_bound({ MemoryOwner::PoolFree, "" });
         free != named.end() && free->first.first == MemoryOwner::PoolFree; ++free) {
        for (std::size_t i = 0; i < live.size(); ++i) {
            const std::uint64_t bytes = std::min(live[i], free->second);
            named[{ MemoryOwner(std::size_t(MemoryOwner::PoolEvents) + i), free->first.second }] += bytes;
            live[i] -= bytes;
            free->second -= bytes;
        }
    }
}

} // namespace QPool
