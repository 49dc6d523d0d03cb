// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "comparison.h"

#include "../shared/tooloutput.h"

#include <qpoolsession.h>
#include <qpoolstatisticsnumber.h>

#include <QtCore/qfile.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

using namespace Qt::StringLiterals;
using ToolOutput::cell;
using QPoolStatistics::count;
using QPoolStatistics::difference;
using QPoolStatistics::Session;
using QPoolStatistics::Snapshot;

namespace Comparison {

namespace {

struct Saved
{
    Snapshot snapshot;
    Session session;
};

std::optional<Saved> parse(const QByteArray &json, const QString &name, QString *error)
{
    QString why;
    const auto snapshot = Snapshot::fromJson(json, &why);
    const auto session = snapshot ? Session::fromJson(QJsonDocument::fromJson(json).object(), &why) : std::nullopt;
    if (session)
        return Saved { *snapshot, *session };
    *error = u"%1 cannot be compared: %2"_s.arg(name, why);
    return std::nullopt;
}

std::optional<QByteArray> contents(const QString &name, QString *error)
{
    QFile file(name);
    if (!file.open(QIODevice::ReadOnly)) {
        *error = u"%1 cannot be opened: %2"_s.arg(name, file.errorString());
        return std::nullopt;
    }
    return file.readAll();
}

struct Amount
{
    qint64 chunks = 0;
    qint64 bytes = 0;
};

// By what a line is of: a domain, and a class with its module, or a size.
using Key = std::tuple<QString, QString, QString>;
using Amounts = std::map<Key, std::pair<Amount, Amount>>; // before and after

void add(Amounts *amounts, const Key &key, Amount amount, bool isAfter)
{
    auto &both = (*amounts)[key];
    Amount &sum = isAfter ? both.second : both.first;
    sum.chunks += amount.chunks;
    sum.bytes += amount.bytes;
}

Amounts byClass(const Session &before, const Session &after)
{
    Amounts result;
    for (const Session *session : { &before, &after }) {
        for (const QPoolStatistics::ClassCount &entry : *session->classes) {
            add(&result, { entry.domain, entry.title, entry.module }, { entry.count, entry.bytes },
                session == &after);
        }
    }
    return result;
}

Amounts bySize(const Snapshot &before, const Snapshot &after)
{
    Amounts result;
    for (const Snapshot *snapshot : { &before, &after }) {
        for (int d = 0; d < QPoolStatistics::DomainCount; ++d) {
            const auto domain = QPoolStatistics::Domain(d);
            for (const QPoolStatistics::SizeClassStatistics &entry : snapshot->domain(domain)) {
                add(&result, { nameOf(domain), u"%1 bytes"_s.arg(count(entry.size)), {} },
                    { entry.live, entry.live * entry.size }, snapshot == &after);
            }
        }
    }
    return result;
}

QString line(const QString &chunks, const QString &growth, const QString &bytes, const QString &byteGrowth,
             const QString &domain, const QString &name)
{
    return cell(chunks, 11) + cell(growth, 11) + cell(bytes, 15) + cell(byteGrowth, 15) + u"  "_s
            + domain.leftJustified(8) + name + u'\n';
}

// What grew most comes first, and what shrank most last.
QString table(const Amounts &amounts, const QString &what)
{
    QList<Amounts::const_iterator> rows;
    for (auto it = amounts.cbegin(); it != amounts.cend(); ++it) {
        const auto &[before, after] = it->second;
        if (before.chunks != after.chunks || before.bytes != after.bytes)
            rows.append(it);
    }
    const auto growth = [](Amounts::const_iterator row) {
        const auto &[before, after] = row->second;
        return std::make_pair(after.bytes - before.bytes, after.chunks - before.chunks);
    };
    std::stable_sort(rows.begin(), rows.end(), [&](auto a, auto b) { return growth(a) > growth(b); });
    QString result = line(u"live"_s, u"growth"_s, u"bytes"_s, u"growth"_s, u"domain"_s, what);
    for (const auto &row : std::as_const(rows)) {
        const auto [bytes, chunks] = growth(row);
        const auto &[domain, name, module] = row->first;
        result += line(count(row->second.second.chunks), difference(chunks), count(row->second.second.bytes),
                       difference(bytes), domain, name);
    }
    const qsizetype same = qsizetype(amounts.size()) - rows.size();
    if (same > 0)
        result += u"%1 of %2 lines did not change\n"_s.arg(count(same), count(qint64(amounts.size())));
    return result;
}

QString total(const QString &what, qint64 before, qint64 after)
{
    return count(after).rightJustified(17) + difference(after - before).rightJustified(15) + u"  "_s + what + u'\n';
}

QString title(const QString &role, const QString &name, const Saved &saved)
{
    const QString session = saved.session.title();
    return role.leftJustified(8) + name + u": process "_s + QString::number(saved.snapshot.pid)
            + (session.isEmpty() ? QString() : u", "_s + session) + u'\n';
}

// Why one of them has no classes, or others than those of its moment.
QString noteOfClasses(const QString &name, const Session &session)
{
    const QString &problem = session.classesProblem;
    if (session.classes)
        return problem.isEmpty() ? QString() : name + u": of the classes: "_s + problem + u'\n';
    return name + u" has no classes"_s + (problem.isEmpty() ? QString() : u": "_s + problem) + u'\n';
}

} // namespace

std::optional<QByteArray> text(const QByteArray &before, const QString &nameOfBefore, const QByteArray &after,
                               const QString &nameOfAfter, QString *error)
{
    const auto then = parse(before, nameOfBefore, error);
    const auto now = then ? parse(after, nameOfAfter, error) : std::nullopt;
    if (!now)
        return std::nullopt;
    QString result = title(u"before"_s, nameOfBefore, *then) + title(u"after"_s, nameOfAfter, *now);
    if (then->session.time.isValid() && now->session.time.isValid()) {
        const qint64 seconds = then->session.time.secsTo(now->session.time);
        result += u"between %1 s\n"_s.arg(count(seconds));
    }
    result += u'\n';
    if (then->session.classes && now->session.classes)
        result += table(byClass(then->session, now->session), u"class"_s);
    result += noteOfClasses(nameOfBefore, then->session) + noteOfClasses(nameOfAfter, now->session) + u'\n';
    result += table(bySize(then->snapshot, now->snapshot), u"size"_s) + u'\n';

    result += u"in total"_s.rightJustified(17) + u"growth"_s.rightJustified(15) + u'\n';
    result += total(u"live chunks"_s, then->snapshot.totalLive(), now->snapshot.totalLive());
    result += total(u"live bytes"_s, then->snapshot.liveBytes, now->snapshot.liveBytes);
    result += total(u"committed bytes"_s, then->snapshot.committedBytes, now->snapshot.committedBytes);
    result += total(u"allocated chunks"_s, then->snapshot.totalAllocated(), now->snapshot.totalAllocated());
    return result.toUtf8();
}

std::optional<QByteArray> text(const QString &before, const QString &after, QString *error)
{
    const auto then = contents(before, error);
    const auto now = then ? contents(after, error) : std::nullopt;
    return now ? text(*then, before, *now, after, error) : std::nullopt;
}

} // namespace Comparison
