// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "dependencies.h"

#include "qpoolelffile_p.h"

#include <QtCore/qfile.h>
#include <QtCore/qfileinfo.h>
#include <QtCore/qprocess.h>

using namespace Qt::StringLiterals;

namespace {

// A library does not name the dynamic linker, so this program's is used.
QString ownInterpreter()
{
    return QFile::decodeName(QPoolElfFile("/proc/self/exe").interpreter());
}

// "libA.so.1 => /path/libA.so.1 (0x…)", "libA.so.1 => not found", "/path/ld.so (0x…)"
void addLine(const QString &line, Dependencies &result)
{
    const QString text = line.trimmed();
    const qsizetype arrow = text.indexOf(" => "_L1);
    const QString name = arrow < 0 ? text : text.left(arrow);
    const QString rest = arrow < 0 ? text : text.mid(arrow + 4);
    if (rest.startsWith("not found"_L1)) {
        result.missing.append(name);
        return;
    }
    const QString path = rest.left(rest.lastIndexOf(" (0x"_L1));
    // A line without a file is the system's own library.
    if (path.startsWith(u'/'))
        result.found.append(path);
}

} // namespace

Dependencies Dependencies::of(const QString &file, const QString &interpreter)
{
    Dependencies result;
    const QString linker = interpreter.isEmpty() ? ownInterpreter() : interpreter;
    QProcess process;
    // Not --list, which ends at the first missing library.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"LD_TRACE_LOADED_OBJECTS"_s, u"1"_s);
    process.setProcessEnvironment(environment);
    // With a path, because a name alone is searched for in the library folders.
    process.start(linker, { QFileInfo(file).absoluteFilePath() });
    if (!process.waitForFinished(-1)) {
        result.error = linker + ": "_L1 + process.errorString();
        return result;
    }
    const QString output = QFile::decodeName(process.readAllStandardOutput());
    if (process.exitStatus() != QProcess::NormalExit
        || (process.exitCode() != 0 && output.trimmed().isEmpty())) {
        const QString said = QFile::decodeName(process.readAllStandardError()).trimmed();
        result.error = said.isEmpty() ? linker + u" cannot read it"_s : said;
        return result;
    }
    for (const QString &line : output.split(u'\n', Qt::SkipEmptyParts))
        addLine(line, result);
    return result;
}
