// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "judgement.h"

#include "dependencies.h"
#include "qpoolfilescope_p.h"

#include <QtCore/qfile.h>
#include <QtCore/qfileinfo.h>
#include <QtCore/qhash.h>

#include <limits>
#include <memory>

using namespace Qt::StringLiterals;

namespace {

QString fromFile(const QByteArray &text)
{
    return QFile::decodeName(text);
}

QString fromFile(const std::string &text)
{
    return QFile::decodeName(text.c_str());
}

class Files
{
public:
    // Reads the file and everything that it needs, each once; returns what is wrong, or nothing.
    QString addWithDependencies(const QString &path, QStringList *missing)
    {
        QString error;
        const QPoolElfFile *file = add(path, &error);
        if (!file)
            return error;
        // A file that needs no shared library is complete.
        if (file->image().strings(DT_NEEDED).empty())
            return {};
        const Dependencies needed = Dependencies::of(path, fromFile(file->interpreter()));
        if (!needed.error.isEmpty())
            return needed.error;
        missing->append(needed.missing);
        for (const QString &library : needed.found) {
            if (!add(library, &error))
                return library + ": "_L1 + error;
        }
        return {};
    }

    const QPoolFileScope &scope() const { return m_scope; }

    const QPoolElfFile *find(const QString &path) const
    {
        return m_byPath.value(QFileInfo(path).canonicalFilePath());
    }

private:
    const QPoolElfFile *add(const QString &path, QString *error)
    {
        if (const QPoolElfFile *known = find(path))
            return known;
        auto file = std::make_unique<QPoolElfFile>(QFile::encodeName(path));
        if (!file->error().isEmpty()) {
            *error = fromFile(file->error());
            return nullptr;
        }
        m_scope.add(*file);
        m_byPath.insert(QFileInfo(path).canonicalFilePath(), file.get());
        m_files.push_back(std::move(file));
        return m_files.back().get();
    }

    std::vector<std::unique_ptr<QPoolElfFile>> m_files;
    QHash<QString, const QPoolElfFile *> m_byPath;
    QPoolFileScope m_scope;
};

bool isQtCore(const QPoolElfFile &file)
{
    return QFileInfo(fromFile(file.path())).fileName().startsWith("libQt6Core.so"_L1);
}

// The symbol by which the dynamic linker sees whether QtCore has the pool.
constexpr char NeedsPool[] = "qt_needs_QtCore_with_pool_allocator";

void addRefusals(const QPoolElfFile &file, const QPoolFileScope &scope, Judgement &judgement)
{
    const auto bound = file.image().boundSymbols();
    for (const QPoolCreation &creation :
         qpoolFindCreations(bound, scope, std::numeric_limits<std::size_t>::max())) {
        judgement.refusals.append({ fromFile(file.path()), fromFile(creation.className()),
                                    fromFile(creation.found),
                                    fromFile(creation.complaint(file.path().toStdString())) });
    }
}

} // namespace

Judgement Judgement::of(const QString &path, const QString &program)
{
    Judgement result;
    result.file = path;
    Files files;
    if (!program.isEmpty()) {
        const QString error = files.addWithDependencies(program, &result.missing);
        if (!error.isEmpty()) {
            result.error = program + ": "_L1 + error;
            return result;
        }
    }
    result.error = files.addWithDependencies(path, &result.missing);
    if (!result.error.isEmpty())
        return result;
    result.missing.removeDuplicates();

    const QPoolElfFile &file = *files.find(path);
    result.isProgram = !file.interpreter().isEmpty();
    bool needsPool = false;
    for (const QPoolElfFile *part : files.scope().files()) {
        needsPool |= part->isMarked();
        if (part != &file) {
            result.libraries.append({ fromFile(part->path()), part->isMarked(),
                                      part->usesQt() || isQtCore(*part) });
        }
    }
    const auto bound = file.image().boundSymbols();
    if (file.isMarked())
        result.mode = Mode::Full;
    else if (file.usesQt() || isQtCore(file) || qpoolImportsClasses(bound))
        result.mode = Mode::DropIn;
    if (file.isMarked()) {
        for (const std::string &base : qpoolCreatedBases(bound))
            result.creates.append(fromFile(QPoolCreation { base, {} }.className()));
        result.creates.removeDuplicates();
    }
    for (const QPoolElfFile *part : files.scope().files()) {
        if (needsPool && isQtCore(*part) && !part->image().defines(NeedsPool))
            result.stockCore = fromFile(part->path());
    }
    // Without the pool no chunk can be passed to the heap.
    if (result.stockCore.isEmpty()) {
        for (const QPoolElfFile *part : files.scope().files()) {
            if (part->isMarked() && !isQtCore(*part))
                addRefusals(*part, files.scope(), result);
        }
    }
    return result;
}
