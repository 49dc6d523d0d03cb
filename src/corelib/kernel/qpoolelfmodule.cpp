// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelfmodule_p.h"

#if defined(__ELF__) && !defined(QT_STATIC)

#include <algorithm>
#include <cstring>

#include <unistd.h>

std::uintptr_t QPoolElfModule::value(ElfW(Sxword) tag) const
{
    for (const ElfW(Dyn) *dyn = dynamic; dyn && dyn->d_tag != DT_NULL; ++dyn) {
        if (dyn->d_tag == tag)
            return dyn->d_un.d_val;
    }
    return 0;
}

// Most C libraries have made the addresses in here absolute, some leave them relative.
const void *QPoolElfModule::entry(ElfW(Sxword) tag) const
{
    const std::uintptr_t at = value(tag);
    return at == 0 ? nullptr : reinterpret_cast<const void *>(at < base ? base + at : at);
}

std::vector<QPoolElfModule::Symbol> QPoolElfModule::boundSymbols() const
{
    auto *symbols = static_cast<const ElfW(Sym) *>(entry(DT_SYMTAB));
    auto *names = static_cast<const char *>(entry(DT_STRTAB));
    if (!symbols || !names)
        return {};
    std::vector<std::uint32_t> places;
    const auto add = [&places](const void *table, std::size_t bytes, std::size_t size) {
        constexpr int shift = sizeof(ElfW(Addr)) == 8 ? 32 : 8;
        auto *entry = static_cast<const char *>(table);
        for (; entry && bytes >= size; bytes -= size, entry += size) {
            ElfW(Rel) relocation; // begins as those with an addend do
            std::memcpy(&relocation, entry, sizeof(relocation));
            const auto place = std::uint32_t(relocation.r_info >> shift);
            if (place != 0 && (places.empty() || places.back() != place))
                places.push_back(place);
        }
    };
    add(entry(DT_RELA), value(DT_RELASZ), sizeof(ElfW(Rela)));
    add(entry(DT_REL), value(DT_RELSZ), sizeof(ElfW(Rel)));
    add(entry(DT_JMPREL), value(DT_PLTRELSZ),
        value(DT_PLTREL) == DT_RELA ? sizeof(ElfW(Rela)) : sizeof(ElfW(Rel)));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    std::vector<Symbol> result;
    result.reserve(places.size());
    for (std::uint32_t place : places)
        result.push_back({ names + symbols[place].st_name, symbols[place].st_shndx != SHN_UNDEF });
    return result;
}

std::string QPoolElfModule::path() const
{
    if (!name.isEmpty())
        return std::string(name.constData(), std::size_t(name.size()));
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
    return length > 0 ? std::string(path, std::size_t(length)) : std::string("this program");
}

namespace {

bool hasMark(const char *notes, std::size_t size)
{
    constexpr std::size_t header = 3 * sizeof(std::uint32_t);
    const auto padded = [](std::uint32_t length) {
        return (std::size_t(length) + 3) & ~std::size_t(3);
    };
    while (size >= header) {
        std::uint32_t lengths[2]; // of the owner's name, and of the content
        std::memcpy(lengths, notes, sizeof(lengths));
        const std::size_t whole = header + padded(lengths[0]) + padded(lengths[1]);
        if (whole > size)
            break;
        if (lengths[0] == sizeof("QPool") && std::memcmp(notes + header, "QPool", 6) == 0)
            return true;
        notes += whole;
        size -= whole;
    }
    return false;
}

// The dynamic linker does not use notes, and so does not care whether they are where the header
// says; a tool that worked on the file may have moved what is loaded, and left them.
bool isLoaded(const dl_phdr_info &info, const ElfW(Phdr) &part)
{
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr) &header = info.dlpi_phdr[i];
        const ElfW(Addr) offset = part.p_vaddr - header.p_vaddr;
        if (header.p_type == PT_LOAD && (header.p_flags & PF_R) && part.p_vaddr >= header.p_vaddr
            && offset <= header.p_filesz && part.p_memsz <= header.p_filesz - offset) {
            return true;
        }
    }
    return false;
}

// Without its name.
QPoolElfModule describe(const dl_phdr_info &info)
{
    QPoolElfModule module;
    module.base = info.dlpi_addr;
    module.begin = std::uintptr_t(-1);
    for (int i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr) &header = info.dlpi_phdr[i];
        const std::uintptr_t at = module.base + header.p_vaddr;
        if (header.p_type == PT_LOAD) {
            module.begin = std::min(module.begin, at);
            module.end = std::max(module.end, at + header.p_memsz);
        } else if (header.p_type == PT_DYNAMIC) {
            module.dynamic = reinterpret_cast<const ElfW(Dyn) *>(at);
        } else if (header.p_type == PT_NOTE && !module.marked && isLoaded(info, header)) {
            module.marked = hasMark(reinterpret_cast<const char *>(at), header.p_memsz);
        }
    }
    if (auto *strings = static_cast<const char *>(module.entry(DT_STRTAB))) {
        for (const ElfW(Dyn) *dyn = module.dynamic; dyn->d_tag != DT_NULL; ++dyn) {
            if (dyn->d_tag == DT_NEEDED)
                module.usesQt |= std::strncmp(strings + dyn->d_un.d_val, "libQt6", 6) == 0;
        }
    }
    return module;
}

// The dynamic linker calls with a lock held that another thread may be waiting for while it holds
// the heap's: a heap that looks who its callers are does. So nothing is allocated meanwhile; what
// finds no room is counted.
struct Collection
{
    std::vector<QPoolElfModule> modules;
    std::vector<char> names; // one after the other, each with its null byte
    std::size_t moduleCount = 0;
    std::size_t nameBytes = 0;

    bool isComplete() const
    {
        return moduleCount <= modules.size() && nameBytes <= names.size();
    }

    void makeRoom()
    {
        modules.resize(moduleCount);
        names.resize(nameBytes);
        moduleCount = 0;
        nameBytes = 0;
    }

    static int add(dl_phdr_info *info, std::size_t, void *collection)
    {
        auto &self = *static_cast<Collection *>(collection);
        const char *name = info->dlpi_name ? info->dlpi_name : "";
        const std::size_t place = self.moduleCount++;
        const std::size_t namePlace = self.nameBytes;
        self.nameBytes += std::strlen(name) + 1;
        if (self.isComplete()) {
            self.modules[place] = describe(*info);
            std::memcpy(&self.names[namePlace], name, self.nameBytes - namePlace);
        }
        return 0;
    }
};

} // namespace

std::vector<QPoolElfModule> QPoolElfModule::all()
{
    Collection found;
    dl_iterate_phdr(&Collection::add, &found);
    // Again if more were loaded meanwhile.
    while (!found.isComplete()) {
        found.makeRoom();
        dl_iterate_phdr(&Collection::add, &found);
    }
    found.modules.resize(found.moduleCount);
    const char *name = found.names.data();
    for (QPoolElfModule &module : found.modules) {
        module.name = name;
        name += std::strlen(name) + 1;
    }
    return std::move(found.modules);
}

QPoolElfModule::Counts QPoolElfModule::counts()
{
    Counts counts;
    const auto take = [](dl_phdr_info *info, std::size_t, void *result) {
        *static_cast<Counts *>(result) = { info->dlpi_adds, info->dlpi_subs };
        return 1; // the first of them knows
    };
    dl_iterate_phdr(take, &counts);
    return counts;
}

#endif
