// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelfmodule_p.h"

#if defined(__ELF__) && !defined(QT_STATIC)

#include <cstring>

#include <unistd.h>

QPoolElfImage QPoolElfModule::image() const
{
    dl_phdr_info info {};
    info.dlpi_addr = base;
    info.dlpi_phdr = headers;
    info.dlpi_phnum = headerCount;
    return QPoolElfImage(QPool::ElfReader(info));
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

// Leaves out the name, and allocates nothing.
QPoolElfModule describe(const dl_phdr_info &info)
{
    const QPool::ElfReader reader(info);
    QPoolElfModule module;
    module.base = info.dlpi_addr;
    module.headers = info.dlpi_phdr;
    module.headerCount = info.dlpi_phnum;
    module.begin = module.base + reader.begin();
    module.end = module.base + reader.end();
    module.marked = QPoolElfImage::isMarked(reader);
    module.usesQt = QPoolElfImage::usesQt(reader);
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
