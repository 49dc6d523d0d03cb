// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolcopies.h"
#include "qpoolelf.h"
#include "qpoolos.h"

#if defined(__linux__) && !QPOOL_PRIVATE_COPY && !defined(QPOOL_FREESTANDING)

#include <cstring>

#include <link.h>

namespace {

// The structure that a module's note points to. Later versions may add to it; these members stay.
struct StateClaim
{
    std::uint32_t abiVersion;
    std::uint32_t hardening; // the level
    const void *state; // null until the module is initialised
};

} // namespace

// Hidden, so that each module finds its own.
extern "C" {
__attribute__((visibility("hidden"), used)) StateClaim qpool_state_claim = {
    QPOOL_ABI_VERSION, QPOOL_HARDENED, nullptr
};
}

// The pool of the process is a separate state from the program's own pools and may exist beside it.
#if QPOOL_PROCESS_COPY
#  define QPOOL_STATE_NAME "QPoolWhole"
#else
#  define QPOOL_STATE_NAME "QPoolState"
#endif

// The note's content is the distance from the note to the claim. The note's name differs from that
// of the mark in programs compiled against the pooled QtCore.
__asm__(".pushsection .note.qpoolstate, \"a\", %note\n"
        ".balign 4\n"
        ".4byte 11, 4, 1\n"
        ".asciz \"" QPOOL_STATE_NAME "\"\n"
        ".balign 4\n"
        ".4byte qpool_state_claim - .\n"
        ".popsection\n");

namespace {

struct Search
{
    const void *state;
    const StateClaim *other;
    char ownName[160];
    char otherName[160];
};

void copyName(char (&to)[160], const dl_phdr_info &module) noexcept
{
    const char *name = module.dlpi_name && *module.dlpi_name ? module.dlpi_name : "the program";
    std::strncpy(to, name, sizeof(to) - 1);
    to[sizeof(to) - 1] = '\0';
}

const StateClaim *findClaim(const dl_phdr_info &module) noexcept
{
    using namespace QPool;
    const ElfReader reader(module);
    std::int32_t distance;
    const std::uintptr_t content = reader.findNote(QPOOL_STATE_NAME, sizeof(distance));
    if (!content || !reader.read(content, &distance))
        return nullptr;
    const char *claim = reader.keep(content + std::uintptr_t(distance), sizeof(StateClaim));
    return reinterpret_cast<const StateClaim *>(claim);
}

int visitModule(dl_phdr_info *module, std::size_t, void *argument) noexcept
{
    auto *search = static_cast<Search *>(argument);
    const StateClaim *claim = findClaim(*module);
    if (!claim)
        return 0;
    if (claim == &qpool_state_claim) {
        copyName(search->ownName, *module);
    } else if (!search->other && claim->state && claim->state != search->state) {
        search->other = claim;
        copyName(search->otherName, *module);
    }
    return 0;
}

} // namespace

QPOOL_BEGIN_NAMESPACE

StateCopy::StateCopy(const void *state) noexcept
{
    qpool_state_claim.state = state;
    Search search = { state, nullptr, "a library", "" };
    dl_iterate_phdr(&visitModule, &search);
    if (!search.other)
        return;
    Os::die("two copies of the pools' state in one process: %s (ABI %u, level %u of hardening) and "
            "%s (ABI %u, level %u); link both with libqpool.so, or define QPOOL_PRIVATE_COPY in one "
            "whose blocks never leave it", search.otherName, search.other->abiVersion,
            search.other->hardening, search.ownName, unsigned(QPOOL_ABI_VERSION),
            unsigned(QPOOL_HARDENED));
}

bool StateCopy::isIn(const dl_phdr_info &module) noexcept
{
    return findClaim(module) != nullptr;
}

QPOOL_END_NAMESPACE

#endif
