// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "objecttaker.h"

#include "census/qpoolcensusreader.h"

#include <qpoolobjectwords.h>

using namespace QPool::ObjectWords;
using namespace Qt::StringLiterals;
using QPool::CensusReader;
using QPool::ObjectCensus;

namespace {

QString numberOf(quint64 value)
{
    return QPoolStatistics::count(qint64(value));
}

QString textOf(const std::string &text)
{
    return QString::fromStdString(text);
}

ObjectReading::Object objectOf(const ObjectCensus::Shown &shown)
{
    ObjectReading::Object result;
    result.title = addressOf(shown.self.address) + quoted(shown.self.name);
    result.facts = u"%1 children, %2 connections in, %3 out, %4"_s.arg(
            numberOf(shown.children), numberOf(shown.incoming), numberOf(shown.outgoing), titleOf(shown.thread));
    if (shown.deleteLater)
        result.facts += u", waits for deleteLater"_s;
    for (const ObjectCensus::Link &parent : shown.parents)
        result.parents += textOf(parent.type) + quoted(parent.name) + u' ' + addressOf(parent.address);
    if (shown.endless)
        result.parents += u"more that can't be read, or have no end"_s;
    return result;
}

QList<ObjectReading::Object> objectsOf(const std::vector<ObjectCensus::Shown> &objects)
{
    QList<ObjectReading::Object> result;
    for (const ObjectCensus::Shown &shown : objects)
        result.append(objectOf(shown));
    return result;
}

} // namespace

ObjectTaker::ObjectTaker(qint64 pid)
    : m_pid(pid)
{
}

ObjectTaker::~ObjectTaker() = default;

ObjectReading ObjectTaker::take(const QString &type)
{
    ObjectReading result;
    CensusReader::Error error = CensusReader::NoError;
    std::string message;
    ObjectCensus census;
    if (!m_reader)
        m_reader = CensusReader::attach(m_pid, &error, &message);
    if (!m_reader || !takeObjectCensus(*m_reader, m_pid, type.toStdString(), &census, &message)) {
        result.error = textOf(message);
        return result;
    }
    result.objects = qint64(census.objects);
    if (census.withoutParent > 0)
        result.parents.append({ qint64(census.withoutParent), u"without a parent"_s });
    for (const ObjectCensus::Parent &parent : census.parents)
        result.parents.append({ qint64(parent.objects), titleOf(parent) });
    result.states = { { qint64(census.deleteLater), u"wait for deleteLater"_s },
                      { qint64(census.incoming), u"connections to their slots, in all"_s },
                      { qint64(census.outgoing), u"connections from their signals, in all"_s } };
    for (const ObjectCensus::Thread &thread : census.threads)
        result.threads.append({ qint64(thread.objects), titleOf(thread) });
    result.largest = objectsOf(census.largest);
    result.newest = objectsOf(census.newest);
    return result;
}
