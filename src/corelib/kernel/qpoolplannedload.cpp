// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolplannedload_p.h"

#include "qpoolelffile_p.h"
#include "qpoolfilescope_p.h"
#include "qpoolloadedscope_p.h"

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

std::string folderOf(const std::string &path)
{
    return path.substr(0, path.rfind('/'));
}

// The folders of a search path, in which $ORIGIN is that of the file which has it.
std::vector<std::string> folders(const char *searchPath, const std::string &origin)
{
    std::vector<std::string> result;
    for (const char *begin = searchPath; *begin;) {
        const char *end = begin + std::strcspn(begin, ":");
        std::string folder(begin, end);
        for (const std::string name : { "${ORIGIN}", "$ORIGIN" }) {
            if (folder.compare(0, name.size(), name) == 0)
                folder.replace(0, name.size(), origin);
        }
        // What else begins with a dollar is the dynamic linker's.
        if (!folder.empty() && folder.find('$') == std::string::npos)
            result.push_back(std::move(folder));
        begin = *end ? end + 1 : end;
    }
    return result;
}

class PlannedLoad
{
public:
    explicit PlannedLoad(const char *path)
    {
        add(path);
        for (std::size_t i = 0; i < m_files.size(); ++i)
            addNeeded(*m_files[i]);
    }

    std::string refusal()
    {
        const auto isMarked = [](const std::unique_ptr<QPoolElfFile> &file) {
            return file->isMarked();
        };
        if (std::none_of(m_files.begin(), m_files.end(), isMarked))
            return {};
        for (const std::string &name : m_others) {
            // In the order in which they would be loaded, where that matters.
            if (Library library { dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL) })
                m_libraries.push_back(std::move(library));
        }
        const std::vector<QPoolElfModule> modules = QPoolElfModule::all();
        const Scope scope(*this, modules);
        for (const auto &file : m_files) {
            if (!file->isMarked())
                continue;
            const auto creations = qpoolFindCreations(file->image().boundSymbols(), scope, 1);
            if (!creations.empty())
                return creations.front().complaint(file->path());
        }
        return {};
    }

private:
    using Library = QPoolLoadedScope::Library;

    // What is loaded for all to see, then the files, then what they need of what is loaded.
    class Scope : public QPoolSymbolScope
    {
    public:
        Scope(PlannedLoad &load, const std::vector<QPoolElfModule> &modules)
            : m_load(load), m_seenByAll(modules)
        {
            for (Library &library : load.m_libraries)
                m_needed.push_back(std::make_unique<QPoolLoadedScope>(modules, std::move(library)));
        }

        Definition find(const char *symbol) const override
        {
            Definition result = m_seenByAll.find(symbol);
            if (result.path.empty())
                result = m_load.m_scope.find(symbol);
            for (std::size_t i = 0; result.path.empty() && i < m_needed.size(); ++i)
                result = m_needed[i]->find(symbol);
            return result;
        }

        bool findBases(const std::string &type, std::vector<std::string> *bases) const override
        {
            const auto inNeeded = [&](const std::unique_ptr<QPoolLoadedScope> &scope) {
                return scope->findBases(type, bases);
            };
            return m_seenByAll.findBases(type, bases) || m_load.m_scope.findBases(type, bases)
                    || std::any_of(m_needed.begin(), m_needed.end(), inNeeded);
        }

    private:
        const PlannedLoad &m_load;
        const QPoolLoadedScope m_seenByAll;
        std::vector<std::unique_ptr<QPoolLoadedScope>> m_needed;
    };

    // False if there is no such file.
    bool add(const std::string &path)
    {
        const auto isIt = [&](const std::unique_ptr<QPoolElfFile> &file) {
            return file->path() == path;
        };
        if (std::any_of(m_files.begin(), m_files.end(), isIt))
            return true;
        auto file = std::make_unique<QPoolElfFile>(path);
        if (!file->error().empty())
            return false;
        m_scope.add(*file);
        m_files.push_back(std::move(file));
        return true;
    }

    void addNeeded(const QPoolElfFile &file)
    {
        const QPoolElfImage &image = file.image();
        const std::string origin = folderOf(file.path());
        std::vector<std::string> path;
        const auto search = [&](const char *folderList) {
            for (std::string &folder : folders(folderList, origin))
                path.push_back(std::move(folder));
        };
        const std::vector<const char *> runPaths = image.strings(DT_RUNPATH);
        if (runPaths.empty()) {
            for (const char *folderList : image.strings(DT_RPATH))
                search(folderList);
        }
        if (const char *folderList = std::getenv("LD_LIBRARY_PATH"))
            search(folderList);
        for (const char *folderList : runPaths)
            search(folderList);
        for (const char *name : image.strings(DT_NEEDED)) {
            if (Library library { dlopen(name, RTLD_LAZY | RTLD_NOLOAD) }) {
                m_libraries.push_back(std::move(library));
                continue;
            }
            const auto isThere = [&](const std::string &folder) {
                return add(folder + '/' + name);
            };
            const bool found = std::strchr(name, '/') ? add(name)
                                                      : std::any_of(path.begin(), path.end(), isThere);
            if (!found && std::find(m_others.begin(), m_others.end(), name) == m_others.end())
                m_others.push_back(name);
        }
    }

    std::vector<std::unique_ptr<QPoolElfFile>> m_files;
    QPoolFileScope m_scope;
    std::vector<Library> m_libraries; // what is loaded
    std::vector<std::string> m_others; // names of what is not
};

} // namespace

std::string qpoolRefusalOf(const char *path)
{
    return PlannedLoad(path).refusal();
}

#endif
