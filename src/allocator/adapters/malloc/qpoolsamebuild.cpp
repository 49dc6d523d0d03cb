// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Stops a process whose QtCore was built from another version of the allocator than this library, or
// with other options, before any of QtCore's code runs. The dynamic linker joins their variables by
// name alone: code that takes one for larger than it is, or for laid out otherwise, would write past
// its end or follow what is no pointer. To stand aside would not do, for the variables are shared
// even so.
//
// The variables tell by themselves. One of them is an arena, whose size is that of all bins, and
// so depends on the size of a bin and on how many classes there are; the tables of constants tell
// which classes. The level of hardening is in the names' namespace, and so is the version of the ABI,
// in which two that differ have no variable in common: those are two states, and named as that
// (os/qpoolcopies.h).
//
// Here and not in QtCore, for this library's constructors run first: see the linker's options. What is
// loaded later, by dlopen(), is not looked at.

#include "../../os/qpoolos.h"
#include "../../pool/qprocesspool.h"
#include "qpoolexports.h"

#include <cstdio>
#include <initializer_list>

QPOOL_BEGIN_NAMESPACE

namespace {

#define QPOOL_TEXT(name) #name
#define QPOOL_TEXT_OF(macro) QPOOL_TEXT(macro)

constexpr char OwnPool[] = QPOOL_TEXT_OF(QPOOL_ABI_NAMESPACE);

// A table of QtCore's, which this library has for the comparison only.
__attribute__((used)) const void *const tableOfQtCore = &classIndices<SizeClasses>;

// Whether a module takes part in the pool of that name: whoever does has this variable.
bool hasPool(const Exports &exports, const char *pool) noexcept
{
    char name[80];
    std::snprintf(name, sizeof(name), "_ZN5QPool%zu%s17processServesHeapE", std::strlen(pool), pool);
    return exports.find(name) != nullptr;
}

const char *nameOf(const dl_phdr_info &module) noexcept
{
    return module.dlpi_name && *module.dlpi_name ? module.dlpi_name : "the program";
}

// The difference comes last, for it may be long.
[[noreturn]] void refuse(const dl_phdr_info &other, const dl_phdr_info &own,
                         const char *difference) noexcept
{
    Os::die("%s and %s were built differently, and cannot have one pool: build both from the same "
            "version of QPool with the same options, or leave the malloc front out, as "
            "./qpool run --qt-only does (%s)", nameOf(other), nameOf(own), difference);
}

int findOwn(dl_phdr_info *module, std::size_t, void *argument) noexcept
{
    if (!Exports(*module).contains(OwnPool))
        return 0;
    *static_cast<dl_phdr_info *>(argument) = *module;
    return 1;
}

void compare(const dl_phdr_info &other, const dl_phdr_info &own) noexcept
{
    const Exports theirs(other);
    char difference[200];
    for (const char *level : { "", "hardened1", "hardened2" }) {
        char pool[32];
        std::snprintf(pool, sizeof(pool), "process%u%s", unsigned(QPOOL_ABI_VERSION), level);
        if (std::strcmp(pool, OwnPool) != 0 && hasPool(theirs, pool)) {
            std::snprintf(difference, sizeof(difference), "their pools are %s and %s", pool, OwnPool);
            refuse(other, own, difference);
        }
    }
    if (!hasPool(theirs, OwnPool))
        return;
    const Exports ours(own);
    for (const Exports::Symbol &variable : ours) {
        const char *name = ours.nameOf(variable);
        if (!Exports::isVariable(variable) || !std::strstr(name, OwnPool))
            continue;
        const Exports::Symbol *counterpart = theirs.find(name);
        if (!counterpart || !Exports::isVariable(*counterpart))
            continue;
        if (counterpart->st_size != variable.st_size) {
            std::snprintf(difference, sizeof(difference), "%llu and %llu bytes of %s",
                          static_cast<unsigned long long>(counterpart->st_size),
                          static_cast<unsigned long long>(variable.st_size), name);
            refuse(other, own, difference);
        }
        const void *constant = ours.constant(variable);
        const void *otherConstant = theirs.constant(*counterpart);
        if (constant && otherConstant && std::memcmp(constant, otherConstant, variable.st_size) != 0) {
            std::snprintf(difference, sizeof(difference), "values of %s", name);
            refuse(other, own, difference);
        }
    }
}

int compareWithOwn(dl_phdr_info *module, std::size_t, void *argument) noexcept
{
    const auto &own = *static_cast<const dl_phdr_info *>(argument);
    if (module->dlpi_phdr != own.dlpi_phdr)
        compare(*module, own);
    return 0;
}

__attribute__((constructor)) void checkAllModules() noexcept
{
    dl_phdr_info own {};
    if (dl_iterate_phdr(&findOwn, &own) != 0)
        dl_iterate_phdr(&compareWithOwn, &own);
}

} // namespace

QPOOL_END_NAMESPACE
