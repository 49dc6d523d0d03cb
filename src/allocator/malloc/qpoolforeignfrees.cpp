// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// Code that finds the C library's functions before the front's: a plugin opened with RTLD_DEEPBIND
// looks in the libraries that it needs first; an interpreter's foreign functions look in a handle of
// libc.so.6. What it allocates there is the C library's, which the front can free. But what it frees
// may be the pool's: strdup() calls the front's malloc() whoever calls it. The C library would abort.
//
// So the C library's table of symbols, in which the dynamic linker looks for free(), is changed in
// this process's memory to lead to the front's, which takes blocks of both. Not to the one that everything else finds:
// that may be a wrapper's, which has asked the C library for the one that it calls. Only the
// functions that are given a block are changed; anything else that such a plugin finds in its own
// libraries, it still finds there. To take RTLD_DEEPBIND away from dlopen() would change that, and
// would not help who asks dlsym().
//
// The C library of another namespace (dlmopen()) is another library, whose blocks never leave it.

#include "qpoollibc.h"

#include "../os/qpoolelf.h"
#include "../os/qpoolos.h"
#include "../os/qpoolunix.h"

QPOOL_BEGIN_NAMESPACE

namespace {

using Symbol = ElfReader::Symbol;

struct Redirection
{
    const char *name;
    const void *function;
    Symbol *symbol; // in the C library's table
};

std::uintptr_t addressOf(const void *pointer) noexcept
{
    return reinterpret_cast<std::uintptr_t>(pointer);
}

int protectionOf(const dl_phdr_info &module, std::uintptr_t address) noexcept
{
    for (unsigned i = 0; i < module.dlpi_phnum; ++i) {
        const ElfW(Phdr) &segment = module.dlpi_phdr[i];
        if (segment.p_type == PT_LOAD && address - module.dlpi_addr - segment.p_vaddr < segment.p_memsz) {
            return (segment.p_flags & PF_R ? PROT_READ : 0) | (segment.p_flags & PF_W ? PROT_WRITE : 0)
                    | (segment.p_flags & PF_X ? PROT_EXEC : 0);
        }
    }
    return PROT_NONE;
}

// If the system does not permit it, the table stays as it was. There is no code in its pages, which are
// therefore not executable meanwhile: some systems forbid to change what is.
template <std::size_t Count>
void redirect(const dl_phdr_info &module, const Redirection (&all)[Count]) noexcept
{
    std::uintptr_t low = UINTPTR_MAX;
    std::uintptr_t high = 0;
    for (const Redirection &one : all) {
        const std::uintptr_t at = addressOf(one.symbol);
        low = at < low ? at : low;
        high = at + sizeof(Symbol) > high ? at + sizeof(Symbol) : high;
    }
    const int protection = protectionOf(module, low);
    const std::uintptr_t start = low & ~std::uintptr_t(Os::pageBytes() - 1);
    void *place = reinterpret_cast<void *>(start);
    if (protection == PROT_NONE)
        return;
    if (mprotect(place, high - start, PROT_READ | PROT_WRITE) != 0) {
        Os::warn("the C library's table of symbols cannot be changed: %s: a plugin that is opened with "
                 "RTLD_DEEPBIND and frees a block of the pool aborts; QT_POOL_ALLOCATOR=0 helps",
                 Os::errorText());
        return;
    }
    for (const Redirection &one : all) // the difference wraps if the front is below
        one.symbol->st_value = ElfW(Addr)(addressOf(one.function) - module.dlpi_addr);
    mprotect(place, high - start, protection);
}

int visitModule(dl_phdr_info *module, std::size_t, void *) noexcept
{
    const ElfReader reader(*module);
    const std::uintptr_t own = addressOf(reinterpret_cast<const void *>(&LibC::__libc_free));
    if (reader.room(own - reader.bias()) == 0)
        return 0;
    Redirection all[] = {
        { "free", reinterpret_cast<const void *>(&qpool_free), nullptr },
        { "realloc", reinterpret_cast<const void *>(&qpool_realloc), nullptr },
        { "malloc_usable_size", reinterpret_cast<const void *>(&qpool_usable_size), nullptr },
    };
    auto *table = reinterpret_cast<Symbol *>(reader.bias() + reader.address(DT_SYMTAB));
    const ElfReader::Range range = reader.exports();
    for (Redirection &one : all) {
        Symbol found;
        if (!reader.find(one.name, &found))
            return 1;
        for (std::uint32_t i = range.begin; i < range.end && !one.symbol; ++i) {
            Symbol symbol;
            if (reader.symbol(i, &symbol) && symbol.st_name == found.st_name)
                one.symbol = table + i;
        }
        if (!one.symbol)
            return 1;
    }
    redirect(*module, all);
    return 1;
}

} // namespace

void LibC::takeForeignFrees() noexcept
{
    usableSize(nullptr); // finds the C library's, while it can be found
    const Os::KeptErrno kept;
    dl_iterate_phdr(&visitModule, nullptr);
}

QPOOL_END_NAMESPACE
