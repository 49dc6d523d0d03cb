// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "memoryreport.h"

#include <qpoolstatisticsnumber.h>

#include <QtCore/qjsonarray.h>

using namespace Qt::StringLiterals;
using QPool::MemoryOwner;
using QPool::ResidentMemory;

namespace {

constexpr int FormatVersion = 1;
constexpr std::size_t MostTextParts = 40;
constexpr char SuperuserOnly[] = "The system tells the size of these files to the superuser only.\n";

QString number(quint64 value)
{
    return QPoolStatistics::count(qint64(value));
}

QString inMebibytes(quint64 bytes)
{
    return QPoolStatistics::bytes(double(bytes));
}

QString fromUtf8(const char *text)
{
    return QString::fromUtf8(text);
}

void addLine(QString *text, quint64 bytes, const QString &share, const QString &what)
{
    *text += number(bytes).rightJustified(16) + share.rightJustified(8) + u"  "_s + what + u'\n';
}

} // namespace

namespace MemoryReport {

QByteArray text(const ResidentMemory &memory, bool parts)
{
    const quint64 all = memory.resident();
    const auto share = [all](quint64 bytes) { return QPoolStatistics::share(double(bytes), double(all)); };
    QString result = u"process %1 (%2): %3 resident\n\n"_s.arg(memory.pid)
                             .arg(QString::fromStdString(memory.program), inMebibytes(all));
    result += u"bytes"_s.rightJustified(16) + u"share"_s.rightJustified(8) + u"  owner\n"_s;
    for (std::size_t i = 0; i < QPool::MemoryOwnerCount; ++i) {
        if (memory.owners[i] > 0)
            addLine(&result, memory.owners[i], share(memory.owners[i]), fromUtf8(titleOf(MemoryOwner(i))));
    }
    addLine(&result, all, share(all), u"in all, as the system counts it (Rss)"_s);
    if (!memory.poolProblem.empty()) {
        result += u"The pool's memory is among the anonymous: %1\n"_s.arg(
                QString::fromStdString(memory.poolProblem));
    }
    if (!memory.liveProblem.empty())
        result += u"What is live in the pool is not known: %1\n"_s.arg(QString::fromStdString(memory.liveProblem));

    result += u"\nNot resident, but taken:\n"_s;
    bool estimated = false;
    for (const ResidentMemory::Beyond::Line &line : memory.beyond.lines()) {
        if (line.bytes == 0 && line.known)
            continue;
        addLine(&result, line.bytes, line.known ? QString() : u"or more"_s, fromUtf8(line.title));
        estimated |= !line.known;
    }
    if (estimated)
        result += QLatin1StringView(SuperuserOnly);

    if (parts) {
        result += u"\n"_s + u"bytes"_s.rightJustified(16) + u"          owner: name\n"_s;
        std::size_t shown = 0;
        for (const ResidentMemory::Part &part : memory.parts) {
            if (shown++ == MostTextParts)
                break;
            const QString name = part.name.empty() ? u"(no name)"_s : QString::fromStdString(part.name);
            addLine(&result, part.bytes, QString(), fromUtf8(keyOf(part.owner)) + u": "_s + name);
        }
        if (memory.parts.size() > MostTextParts) {
            result += u"%1 more; --json has up to %2 of them\n"_s.arg(
                    number(memory.parts.size() - MostTextParts), number(ResidentMemory::MostParts));
        }
    }
    return result.toUtf8();
}

QByteArray list(const std::vector<ResidentMemory> &processes)
{
    QString result;
    bool known = true;
    const auto line = [&result](const QStringList &cells, const QString &name) {
        for (qsizetype i = 0; i < cells.size(); ++i)
            result += cells.at(i).rightJustified(i == 0 ? 9 : 12);
        result += u"  "_s + name + u'\n';
    };
    line({ u"process"_s, u"resident"_s, u"pool"_s, u"malloc"_s, u"JavaScript"_s, u"files"_s, u"not shown"_s },
         u"program"_s);
    for (const ResidentMemory &one : processes) {
        line({ QString::number(one.pid), inMebibytes(one.resident()), inMebibytes(one.pool()),
               inMebibytes(one.of(MemoryOwner::Heap) + one.of(MemoryOwner::Anonymous)),
               inMebibytes(one.script()), inMebibytes(one.files()),
               (one.beyond.isHiddenKnown() ? QString() : u">= "_s) + inMebibytes(one.beyond.hidden()) },
             QString::fromStdString(one.program));
        known &= one.beyond.isHiddenKnown();
    }
    return result.toUtf8() + (known ? "" : SuperuserOnly);
}

QJsonObject json(const ResidentMemory &memory)
{
    const auto text = [](const std::string &value) { return QString::fromStdString(value); };
    QJsonObject owners;
    for (std::size_t i = 0; i < QPool::MemoryOwnerCount; ++i)
        owners.insert(fromUtf8(keyOf(MemoryOwner(i))), qint64(memory.owners[i]));
    QJsonObject beyond;
    QJsonArray atLeast;
    for (const ResidentMemory::Beyond::Line &line : memory.beyond.lines()) {
        beyond.insert(fromUtf8(line.key), qint64(line.bytes));
        if (!line.known)
            atLeast.append(fromUtf8(line.key));
    }
    QJsonArray parts;
    for (const ResidentMemory::Part &part : memory.parts) {
        parts.append(QJsonObject { { u"owner"_s, fromUtf8(keyOf(part.owner)) },
                                   { u"name"_s, text(part.name) },
                                   { u"bytes"_s, qint64(part.bytes) } });
    }
    QJsonObject result { { u"version"_s, FormatVersion },
                         { u"pid"_s, qint64(memory.pid) },
                         { u"program"_s, text(memory.program) },
                         { u"resident"_s, qint64(memory.resident()) },
                         { u"owners"_s, owners },
                         { u"notResident"_s, beyond },
                         { u"atLeast"_s, atLeast },
                         { u"parts"_s, parts } };
    if (!memory.poolProblem.empty())
        result.insert(u"poolProblem"_s, text(memory.poolProblem));
    if (!memory.liveProblem.empty())
        result.insert(u"liveProblem"_s, text(memory.liveProblem));
    return result;
}

} // namespace MemoryReport
