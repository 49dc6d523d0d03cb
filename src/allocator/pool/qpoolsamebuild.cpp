// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Stops a process in which two libraries that share the process's pool, such as QtCore and the
// malloc front, were built from different versions of the allocator or with different options. The
// dynamic linker merges their variables by name alone: code that expects a variable to be larger,
// or laid out differently, would write past its end or follow an invalid pointer. Disabling the
// pool would not help, because the variables would still be shared.
//
// The variables themselves show a difference. One of them is an arena; its size includes all bins,
// and so depends on the size of a bin and the number of classes. The tables of constants show the
// classes, and processShape the offsets of members, which sizes do not show. The level of hardening,
// the cache line and the version of the ABI are in the names' namespace. Builds that differ in these
// have no variable in common, but each has one of a certain name in its own namespace.
//
// Each library looks for the others before its own constructors run. Libraries loaded at the start
// are therefore compared before any code of QtCore runs, because the front is initialised first
// (see the linker's options), and libraries loaded by dlopen() when they are loaded.

#include "../samples/qpoolheapsamples.h"
#include "qprocesspool.h"

#if QPOOL_PROCESS_COPY && defined(__linux__)

#include "../os/qpoolcopies.h"
#include "../os/qpoolelf.h"
#include "../os/qpoolos.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

QPOOL_BEGIN_NAMESPACE

// The offsets of the members that different libraries access in the same page, bin or arena; the
// sizes of the shared variables show the rest. Inline, so that its name is exported.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
inline constexpr std::uint16_t processShape[] = {
    sizeof(PageHeader), offsetof(PageHeader, owner), offsetof(PageHeader, bin),
    offsetof(PageHeader, free), offsetof(PageHeader, next), offsetof(PageHeader, previous),
    offsetof(PageHeader, used), offsetof(PageHeader, fresh), offsetof(PageHeader, capacity),
    offsetof(PageHeader, chunkSize), offsetof(PageHeader, touched),
    offsetof(PageHeader, reciprocal),
    sizeof(Bin), offsetof(Bin, level), offsetof(Bin, magazine), offsetof(Bin, capacity),
    offsetof(Bin, chunkSize), offsetof(Bin, pages), offsetof(Bin, loaded), offsetof(Bin, batches),
    offsetof(Bin, backlog), offsetof(Bin, chunks), offsetof(Bin, home), offsetof(Bin, inlineSlots),
    sizeof(ArenaBase), offsetof(ArenaBase, emptyPages), offsetof(ArenaBase, watchedBins),
    offsetof(ArenaBase, sampledEvery),
    offsetof(ArenaBase, remoteCache), offsetof(ArenaBase, pendingBytes),
    offsetof(ArenaBase, ownership), offsetof(ArenaBase, changes), offsetof(ArenaBase, isAbandoned),
    sizeof(RemoteBatch), offsetof(RemoteBatch, next), offsetof(RemoteBatch, count), offsetof(RemoteBatch, chunks),
    offsetof(HeapSamplesState, freeSamples), offsetof(HeapSamplesState, missed), offsetof(HeapSamplesState, lock),
    offsetof(HeapSamplesState, taken), offsetof(HeapSamplesState, freshSample),
    sizeof(SampleRecord), sizeof(StackRecord),
};
#pragma GCC diagnostic pop

namespace {

#define QPOOL_TEXT(name) #name
#define QPOOL_TEXT_OF(macro) QPOOL_TEXT(macro)

constexpr char OwnPool[] = QPOOL_TEXT_OF(QPOOL_ABI_NAMESPACE);

// Referenced for the comparison, so that they exist in a library that does not use them otherwise.
__attribute__((used)) const void *const compared[] = {
    &classIndices<SizeClasses>, &classIndices<HeapClasses>, processShape
};

// A module that takes part in a pool has this variable, in the pool's namespace. dlsym() does not suffice:
// for a symbol that is unique in the process it finds only the first one, whichever module it is called
// for.
constexpr char MemberBegin[] = "_ZN5QPool";
constexpr char MemberEnd[] = "17processServesHeapE";

bool hasOwnPool(const ElfReader &module) noexcept
{
    char name[sizeof(MemberBegin) + sizeof(OwnPool) + sizeof(MemberEnd) + 8];
    std::snprintf(name, sizeof(name), "%s%zu%s%s", MemberBegin, std::strlen(OwnPool), OwnPool,
                  MemberEnd);
    ElfReader::Symbol symbol;
    return module.find(name, &symbol);
}

bool isVariable(const ElfReader::Symbol &symbol) noexcept
{
    const unsigned type = symbol.st_info & 0xF;
    return symbol.st_shndx != SHN_UNDEF && (type == STT_OBJECT || type == STT_TLS);
}

// Its value, if nothing can change that; else null.
const char *constant(const ElfReader &module, const ElfReader::Symbol &symbol) noexcept
{
    return (symbol.st_info & 0xF) == STT_OBJECT && module.isConstant(symbol.st_value, symbol.st_size)
            ? module.keep(symbol.st_value, symbol.st_size) : nullptr;
}

// The name of the variable in a module whose pool has another namespace; null if it has none.
const char *findOtherPool(const ElfReader &module) noexcept
{
    const ElfReader::Range range = module.exports();
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        ElfReader::Symbol variable;
        const char *name = module.symbol(i, &variable) ? module.string(variable.st_name) : nullptr;
        if (name && std::strncmp(name, MemberBegin, sizeof(MemberBegin) - 1) == 0
            && std::strstr(name, MemberEnd)) {
            return name;
        }
    }
    return nullptr;
}

const char *nameOf(const dl_phdr_info &module) noexcept
{
    return module.dlpi_name && *module.dlpi_name ? module.dlpi_name : "the program";
}

// The difference comes last, because it may be long.
[[noreturn]] void refuse(const dl_phdr_info &other, const dl_phdr_info &own,
                         const char *difference) noexcept
{
    Os::die("%s and %s were built differently, and cannot have one pool: build both from the same "
            "version of QPool with the same options, or leave the malloc front out, as "
            "./qpool run --without-malloc does (%s)", nameOf(other), nameOf(own), difference);
}

int findOwn(dl_phdr_info *module, std::size_t, void *argument) noexcept
{
    const ElfReader reader(*module);
    const std::uintptr_t address = reinterpret_cast<std::uintptr_t>(OwnPool) - reader.bias();
    if (reader.room(address) == 0)
        return 0;
    *static_cast<dl_phdr_info *>(argument) = *module;
    return 1;
}

void compare(const dl_phdr_info &other, const dl_phdr_info &own) noexcept
{
    const ElfReader theirs(other);
    char difference[200];
    if (!hasOwnPool(theirs)) {
        if (const char *pool = findOtherPool(theirs)) {
            pool += sizeof(MemberBegin) - 1; // the length of its name follows, then the name
            const int length = std::atoi(pool);
            pool += std::strspn(pool, "0123456789");
            std::snprintf(difference, sizeof(difference), "their pools are %.*s and %s", length, pool,
                          OwnPool);
            refuse(other, own, difference);
        }
        return;
    }
    // QtCore exports thousands of symbols, the front about a hundred.
    const ElfReader ours(own);
    const ElfReader::Range ourRange = ours.exports();
    const ElfReader::Range theirRange = theirs.exports();
    const bool weHaveFewer = ourRange.end - ourRange.begin < theirRange.end - theirRange.begin;
    const ElfReader &fewer = weHaveFewer ? ours : theirs;
    const ElfReader &more = weHaveFewer ? theirs : ours;
    const ElfReader::Range range = weHaveFewer ? ourRange : theirRange;
    for (std::uint32_t i = range.begin; i < range.end; ++i) {
        ElfReader::Symbol variable;
        ElfReader::Symbol counterpart;
        const char *name = fewer.symbol(i, &variable) && isVariable(variable)
                ? fewer.string(variable.st_name) : nullptr;
        if (!name || !std::strstr(name, OwnPool) || !more.find(name, &counterpart)
            || !isVariable(counterpart)) {
            continue;
        }
        if (counterpart.st_size != variable.st_size) {
            const ElfReader::Symbol &oursOfTwo = weHaveFewer ? variable : counterpart;
            const ElfReader::Symbol &theirsOfTwo = weHaveFewer ? counterpart : variable;
            std::snprintf(difference, sizeof(difference), "%llu and %llu bytes of %s",
                          static_cast<unsigned long long>(theirsOfTwo.st_size),
                          static_cast<unsigned long long>(oursOfTwo.st_size), name);
            refuse(other, own, difference);
        }
        const char *value = constant(fewer, variable);
        const char *otherValue = constant(more, counterpart);
        if (value && otherValue && std::memcmp(value, otherValue, variable.st_size) != 0) {
            std::snprintf(difference, sizeof(difference), "values of %s", name);
            refuse(other, own, difference);
        }
    }
}

int compareWithOwn(dl_phdr_info *module, std::size_t, void *argument) noexcept
{
    const auto &own = *static_cast<const dl_phdr_info *>(argument);
    if (module->dlpi_phdr != own.dlpi_phdr && StateCopy::isIn(*module))
        compare(*module, own);
    return 0;
}

// Runs before constructors without a priority; the first hundred priorities are reserved for the
// system.
__attribute__((constructor(101))) void checkAllModules() noexcept
{
    dl_phdr_info own {};
    if (dl_iterate_phdr(&findOwn, &own) != 0)
        dl_iterate_phdr(&compareWithOwn, &own);
}

} // namespace

QPOOL_END_NAMESPACE

#endif // QPOOL_PROCESS_COPY && __linux__
