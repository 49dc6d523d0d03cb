// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "objectreport.h"

#include <qpoolobjectwords.h>

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

using namespace QPool::ObjectWords;
using namespace Qt::StringLiterals;
using QPool::ObjectCensus;

namespace {

constexpr int FormatVersion = 1;
constexpr const char *BucketNames[] = { "0", "1", "2-3", "4-7", "8-15", "16+" };

QString number(quint64 value)
{
    return QPoolStatistics::count(qint64(value));
}

QString textOf(const std::string &text)
{
    return QString::fromStdString(text);
}

void addLine(QString *text, quint64 count, const QString &what)
{
    *text += number(count).rightJustified(11) + u"  "_s + what + u'\n';
}

QString headingOf(const ObjectCensus &census)
{
    return u"%1 objects of class %2 in process %3\n"_s.arg(number(census.objects), textOf(census.type))
            .arg(census.pid);
}

void addObject(QString *text, const ObjectCensus::Shown &shown)
{
    *text += addressOf(shown.self.address) + quoted(shown.self.name)
            + u"  children: %1, connections in: %2, out: %3, %4%5\n"_s.arg(
                    number(shown.children), number(shown.incoming), number(shown.outgoing), titleOf(shown.thread),
                    shown.deleteLater ? u", waits for deleteLater"_s : QString());
    for (const ObjectCensus::Link &parent : shown.parents)
        *text += u"    in "_s + textOf(parent.type) + quoted(parent.name) + u"  "_s + addressOf(parent.address) + u'\n';
    if (shown.endless)
        *text += u"    in more that can't be read, or have no end\n"_s;
    if (shown.parents.empty() && !shown.endless)
        *text += u"    without a parent\n"_s;
}

QJsonObject toJson(const ObjectCensus::Link &link)
{
    return { { u"address"_s, addressOf(link.address) },
             { u"class"_s, textOf(link.type) },
             { u"objectName"_s, textOf(link.name) } };
}

QJsonObject toJson(const ObjectCensus::Thread &thread)
{
    return { { u"id"_s, qint64(thread.id) }, { u"name"_s, textOf(thread.name) } };
}

QJsonArray toJson(const std::vector<ObjectCensus::Shown> &objects)
{
    QJsonArray result;
    for (const ObjectCensus::Shown &shown : objects) {
        QJsonObject one = toJson(shown.self);
        QJsonArray parents;
        for (const ObjectCensus::Link &parent : shown.parents)
            parents.append(toJson(parent));
        one.insert(u"parents"_s, parents);
        one.insert(u"moreParents"_s, shown.endless);
        one.insert(u"children"_s, qint64(shown.children));
        one.insert(u"incoming"_s, qint64(shown.incoming));
        one.insert(u"outgoing"_s, qint64(shown.outgoing));
        one.insert(u"deleteLater"_s, shown.deleteLater);
        one.insert(u"thread"_s, toJson(shown.thread));
        result.append(one);
    }
    return result;
}

} // namespace

namespace ObjectReport {

QByteArray holders(const ObjectCensus &census)
{
    QString result = headingOf(census);
    result += u"\nparents:\n"_s;
    if (census.withoutParent > 0)
        addLine(&result, census.withoutParent, u"without a parent"_s);
    for (const ObjectCensus::Parent &parent : census.parents)
        addLine(&result, parent.objects, titleOf(parent));
    result += u"\nconnections of an object:\n"_s;
    for (std::size_t i = 0; i < census.byConnections.size(); ++i) {
        if (census.byConnections[i] > 0)
            addLine(&result, census.byConnections[i], QString::fromLatin1(BucketNames[i]));
    }
    addLine(&result, census.incoming, u"connections to their slots, in all"_s);
    addLine(&result, census.outgoing, u"connections from their signals, in all"_s);
    result += u"\nthreads:\n"_s;
    for (const ObjectCensus::Thread &thread : census.threads)
        addLine(&result, thread.objects, titleOf(thread));
    result += u"\nwaiting for deleteLater: %1\n"_s.arg(number(census.deleteLater));
    return result.toUtf8();
}

QByteArray objects(const ObjectCensus &census)
{
    QString result = headingOf(census);
    result += u"\nwith the most children and connections:\n"_s;
    for (const ObjectCensus::Shown &shown : census.largest)
        addObject(&result, shown);
    result += u"\nthe newest of the parent that has most:\n"_s;
    for (const ObjectCensus::Shown &shown : census.newest)
        addObject(&result, shown);
    if (census.newest.empty())
        result += u"not known, because they have no parent: only the list of its children has an order\n"_s;
    return result.toUtf8();
}

QByteArray json(const ObjectCensus &census)
{
    QJsonArray parents;
    for (const ObjectCensus::Parent &parent : census.parents) {
        parents.append(QJsonObject { { u"class"_s, textOf(parent.name) },
                                     { u"objects"_s, qint64(parent.objects) },
                                     { u"parents"_s, qint64(parent.parents) },
                                     { u"most"_s, qint64(parent.most) },
                                     { u"mostAddress"_s, addressOf(parent.mostAddress) },
                                     { u"mostObjectName"_s, textOf(parent.mostName) } });
    }
    QJsonArray threads;
    for (const ObjectCensus::Thread &thread : census.threads) {
        QJsonObject one = toJson(thread);
        one.insert(u"objects"_s, qint64(thread.objects));
        threads.append(one);
    }
    QJsonObject byConnections;
    for (std::size_t i = 0; i < census.byConnections.size(); ++i)
        byConnections.insert(QString::fromLatin1(BucketNames[i]), qint64(census.byConnections[i]));
    const QJsonObject result { { u"version"_s, FormatVersion },
                               { u"pid"_s, qint64(census.pid) },
                               { u"class"_s, textOf(census.type) },
                               { u"objects"_s, qint64(census.objects) },
                               { u"withoutParent"_s, qint64(census.withoutParent) },
                               { u"deleteLater"_s, qint64(census.deleteLater) },
                               { u"incoming"_s, qint64(census.incoming) },
                               { u"outgoing"_s, qint64(census.outgoing) },
                               { u"byConnections"_s, byConnections },
                               { u"parents"_s, parents },
                               { u"threads"_s, threads },
                               { u"largest"_s, toJson(census.largest) },
                               { u"newest"_s, toJson(census.newest) } };
    return QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n';
}

} // namespace ObjectReport
