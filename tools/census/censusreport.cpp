// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusreport.h"

#include "../shared/tooloutput.h"

#include <qpoolstatisticscsv.h>
#include <qpoolstatisticsnumber.h>

using namespace Qt::StringLiterals;
using ToolOutput::cell;
using QPoolStatistics::csvLine;
using QPoolStatistics::difference;

namespace {

QString number(quint64 value)
{
    return QPoolStatistics::count(qint64(value));
}

QString textOf(const QPool::CensusRow &row)
{
    return QString::fromStdString(QPool::titleOf(row));
}

} // namespace

namespace CensusReport {

QByteArray text(const QPool::Census &census, const std::vector<QPool::CensusChange> &changes, Lines lines)
{
    const bool compared = lines != Single;
    const quint64 bytes = census.bytes();
    QString result;
    auto line = [&](const QString &count, const QString &grew, const QString &size,
                    const QString &grewBytes, const QString &part, const QString &domain,
                    const QString &name) {
        result += cell(count, 11);
        if (compared)
            result += cell(grew, 10);
        result += cell(size, 14);
        if (compared)
            result += cell(grewBytes, 13);
        result += part.rightJustified(8) + u"  "_s + domain.leftJustified(8) + u' ' + name + u'\n';
    };
    line(u"count"_s, u"growth"_s, u"bytes"_s, u"growth"_s, u"share"_s, u"domain"_s, u"class"_s);
    quint64 same = 0;
    for (const QPool::CensusChange &entry : changes) {
        if (lines == Changed && entry.count == 0 && entry.bytes == 0) {
            ++same;
            continue;
        }
        const QPool::CensusRow &row = entry.row;
        line(number(row.count), difference(entry.count), number(row.bytes),
             difference(entry.bytes), QPoolStatistics::share(double(row.bytes), double(bytes)),
             QString::fromStdString(row.domain), textOf(row));
    }
    if (same > 0)
        result += u"%1 of %2 lines did not change; --all lists them\n"_s.arg(number(same), number(changes.size()));
    result += u"%1 live chunks, %2 bytes, %3 arenas\n"_s.arg(number(census.count()),
                                                            number(bytes),
                                                            number(census.arenas.size()));
    for (const QPool::CensusArena &arena : census.arenas) {
        if (arena.moving == 0)
            continue;
        result += u"uncertain: %1 of thread %2, in %3 size classes that changed during the count\n"_s.arg(
                number(arena.uncertain), QString::number(arena.thread),
                number(arena.moving));
    }
    return result.toUtf8();
}

QByteArray csv(const std::vector<QPool::CensusChange> &changes, bool compared)
{
    QStringList heading { u"domain"_s, u"class"_s, u"module"_s, u"event"_s, u"count"_s, u"bytes"_s };
    if (compared)
        heading += { u"count growth"_s, u"bytes growth"_s };
    QByteArray result = csvLine(heading);
    for (const QPool::CensusChange &entry : changes) {
        const QPool::CensusRow &row = entry.row;
        QStringList cells { QString::fromStdString(row.domain), QString::fromStdString(row.name),
                            QString::fromStdString(row.module),
                            row.eventType < 0 ? QString() : QString::number(row.eventType),
                            QString::number(row.count), QString::number(row.bytes) };
        if (compared)
            cells += { QString::number(entry.count), QString::number(entry.bytes) };
        result += csvLine(cells);
    }
    return result;
}

Growth growthOf(const std::vector<QPool::CensusChange> &changes, const QString &type)
{
    Growth growth;
    for (const QPool::CensusChange &entry : changes) {
        if (QString::fromStdString(entry.row.name) != type && textOf(entry.row) != type)
            continue;
        growth.seen = true;
        growth.count += entry.count;
        growth.now += entry.row.count;
    }
    return growth;
}

} // namespace CensusReport
