// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelfmodule_p.h"

#if defined(__ELF__) && !defined(QT_STATIC)

#include <algorithm>
#include <cstring>

#include <unistd.h>

QPoolElfImage QPoolElfModule::image() const
{
    // The dynamic linker has used these addresses, too, so they are valid.
    return { { { begin - base, end - begin, reinterpret_cast<const char *>(begin) } },
             reinterpret_cast<std::uintptr_t>(dynamic) - base, base };
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

// The string table of the module's dynamic section, or null.
const char *stringsOf(const QPoolElfModule &module)
{
    for (const ElfW(Dyn) *dyn = module.dynamic; dyn && dyn->d_tag != DT_NULL; ++dyn) {
        if (dyn->d_tag == DT_STRTAB) {
            // Most C libraries make the address absolute when they load the module, some leave it relative.
            const std::uintptr_t at = dyn->d_un.d_ptr;
            return reinterpret_cast<const char *>(at < module.base ? module.base + at : at);
        }
    }
    return nullptr;
}

// Leaves out the name.
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
            module.marked = QPoolElfImage::hasMark(reinterpret_cast<const char *>(at),
                                                   header.p_memsz);
        }
    }
    // Not QPoolElfImage, which would allocate.
    if (const char *strings = stringsOf(module)) {
        for (const ElfW(Dyn) *dyn = module.dynamic; dyn->d_tag != DT_NULL; ++dyn) {
            if (dyn->d_tag == DT_NEEDED)
                module.usesQt |= std::strncmp(strings + dyn->d_un.d_val, "libQt6", 6) == 0;
        }
    }
    return module;
}

// The dynamic linker makes the calls with its lock held. Another thread may wait for that lock while it
// holds the heap's: a heap that looks up its callers does so. So the calls must not allocate: modules and
// names without room are only counted.
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
    // Repeat if more modules were loaded since.
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
        return 1; // the counts are the same for all modules
    };
    dl_iterate_phdr(take, &counts);
    return counts;
}

#endif
