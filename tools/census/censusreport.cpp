// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "censusreport.h"

#include <QtCore/qlocale.h>

using namespace Qt::StringLiterals;

namespace {

QString number(qint64 value)
{
    static const QLocale locale(QLocale::English, QLocale::UnitedStates);
    return locale.toString(value);
}

QString change(qint64 value)
{
    return value > 0 ? u'+' + number(value) : value < 0 ? number(value) : u"-"_s;
}

QString share(quint64 part, quint64 whole)
{
    return whole ? QString::number(double(part) * 100 / double(whole), 'f', 1) + u'%' : u"-"_s;
}

// The names may be any text of another process.
QByteArray field(const QString &text)
{
    QByteArray result = text.toUtf8();
    if (result.contains(',') || result.contains('"'))
        result = '"' + result.replace('"', "\"\"") + '"';
    return result;
}

QString textOf(const QPool::CensusRow &row)
{
    return QString::fromStdString(QPool::titleOf(row));
}

} // namespace

namespace CensusReport {

QByteArray text(const QPool::Census &census, const std::vector<QPool::CensusChange> &changes,
                bool compared)
{
    const quint64 bytes = census.bytes();
    QString result;
    auto line = [&](const QString &count, const QString &grew, const QString &size,
                    const QString &grewBytes, const QString &part, const QString &domain,
                    const QString &name) {
        result += count.rightJustified(11);
        if (compared)
            result += grew.rightJustified(10);
        result += size.rightJustified(14);
        if (compared)
            result += grewBytes.rightJustified(13);
        result += part.rightJustified(8) + u"  "_s + domain.leftJustified(8) + u' ' + name + u'\n';
    };
    line(u"count"_s, u"growth"_s, u"bytes"_s, u"growth"_s, u"share"_s, u"domain"_s, u"class"_s);
    for (const QPool::CensusChange &entry : changes) {
        const QPool::CensusRow &row = entry.row;
        line(number(qint64(row.count)), change(entry.count), number(qint64(row.bytes)),
             change(entry.bytes), share(row.bytes, bytes), QString::fromStdString(row.domain),
             textOf(row));
    }
    result += u"%1 alive in %2 bytes, in %3 arenas\n"_s.arg(number(qint64(census.count())),
                                                            number(qint64(bytes)),
                                                            number(qint64(census.arenas.size())));
    for (const QPool::CensusArena &arena : census.arenas) {
        if (arena.moving == 0)
            continue;
        result += u"uncertain: %1 of thread %2, in %3 size classes that never stood still\n"_s.arg(
                number(qint64(arena.uncertain)), QString::number(arena.thread),
                number(arena.moving));
    }
    return result.toUtf8();
}

QByteArray csv(const std::vector<QPool::CensusChange> &changes, bool compared)
{
    QByteArray result = "domain,class,module,event,count,bytes";
    result += compared ? ",count growth,bytes growth\n" : "\n";
    for (const QPool::CensusChange &entry : changes) {
        const QPool::CensusRow &row = entry.row;
        result += field(QString::fromStdString(row.domain)) + ','
                + field(QString::fromStdString(row.name)) + ','
                + field(QString::fromStdString(row.module)) + ','
                + (row.eventType < 0 ? QByteArray() : QByteArray::number(row.eventType)) + ','
                + QByteArray::number(quint64(row.count)) + ','
                + QByteArray::number(quint64(row.bytes));
        if (compared) {
            result += ',' + QByteArray::number(qint64(entry.count)) + ','
                    + QByteArray::number(qint64(entry.bytes));
        }
        result += '\n';
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
