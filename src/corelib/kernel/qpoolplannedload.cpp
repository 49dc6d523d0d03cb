// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolplannedload_p.h"

#include "qpoolelffile_p.h"
#include "qpoolfilescope_p.h"
#include "qpoolloadedscope_p.h"

#include "os/qpoolenvironment.h"

#if defined(__ELF__) && defined(__GLIBCXX__) && !defined(QT_STATIC)

#include <algorithm>
#include <cstring>
#include <memory>

namespace {

QByteArray folderOf(const QByteArray &path)
{
    return path.left(path.lastIndexOf('/'));
}

// The folders of a search path. $ORIGIN is the folder of the file that contains the path.
std::vector<QByteArray> folders(const char *searchPath, const QByteArray &origin)
{
    std::vector<QByteArray> result;
    for (const char *begin = searchPath; *begin;) {
        const char *end = begin + std::strcspn(begin, ":");
        QByteArray folder(begin, qsizetype(end - begin));
        for (const char *name : { "${ORIGIN}", "$ORIGIN" }) {
            if (folder.startsWith(name))
                folder.replace(0, qstrlen(name), origin);
        }
        // Other words that begin with a dollar are left to the dynamic linker.
        if (!folder.isEmpty() && !folder.contains('$'))
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
        for (const QByteArray &name : m_others) {
            // In load order, as far as the order matters.
            if (Library library { dlopen(name.constData(), RTLD_LAZY | RTLD_LOCAL) })
                m_libraries.push_back(std::move(library));
        }
        const std::vector<QPoolElfModule> modules = QPoolElfModule::all();
        const Scope scope(*this, modules);
        for (const auto &file : m_files) {
            if (!file->isMarked())
                continue;
            const auto creations = qpoolFindCreations(file->image().boundSymbols(), scope, 1);
            if (!creations.empty())
                return creations.front().complaint(file->path().toStdString());
        }
        return {};
    }

private:
    using Library = QPoolLoadedScope::Library;

    // Global symbols of loaded modules, then the files, then the loaded libraries that the files need.
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
    bool add(const QByteArray &path)
    {
        const auto isIt = [&](const std::unique_ptr<QPoolElfFile> &file) {
            return file->path() == path;
        };
        if (std::any_of(m_files.begin(), m_files.end(), isIt))
            return true;
        auto file = std::make_unique<QPoolElfFile>(path);
        if (!file->error().isEmpty())
            return false;
        m_scope.add(*file);
        m_files.push_back(std::move(file));
        return true;
    }

    void addNeeded(const QPoolElfFile &file)
    {
        const QPoolElfImage &image = file.image();
        const QByteArray origin = folderOf(file.path());
        std::vector<QByteArray> path;
        const auto search = [&](const char *folderList) {
            for (QByteArray &folder : folders(folderList, origin))
                path.push_back(std::move(folder));
        };
        const std::vector<const char *> runPaths = image.strings(DT_RUNPATH);
        if (runPaths.empty()) {
            for (const char *folderList : image.strings(DT_RPATH))
                search(folderList);
        }
        // The dynamic linker ignores it, too, in a set-user-ID program.
        if (const char *folderList = QPool::Os::environment("LD_LIBRARY_PATH"))
            search(folderList);
        for (const char *folderList : runPaths)
            search(folderList);
        for (const char *name : image.strings(DT_NEEDED)) {
            if (Library library { dlopen(name, RTLD_LAZY | RTLD_NOLOAD) }) {
                m_libraries.push_back(std::move(library));
                continue;
            }
            const auto isThere = [&](const QByteArray &folder) {
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
    std::vector<Library> m_libraries; // the loaded ones
    std::vector<QByteArray> m_others; // names of those that are not loaded
};

} // namespace

std::string qpoolRefusalOf(const char *path)
{
    return PlannedLoad(path).refusal();
}

#endif
