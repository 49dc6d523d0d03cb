// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef LATENCYSTATISTICS_H
#define LATENCYSTATISTICS_H

#include <QtCore/QByteArray>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/private/qeventlatency_p.h>

#include <unistd.h>

// The contents of qt_pool_allocator_latency()'s JSON.
class LatencyStatistics
{
public:
    static LatencyStatistics take()
    {
        QByteArray json(1 << 16, '\0');
        std::size_t length;
        while ((length = qt_pool_allocator_latency(json.data(), std::size_t(json.size())))
               >= std::size_t(json.size()))
            json.resize(qsizetype(length) * 2);
        json.truncate(qsizetype(length));
        LatencyStatistics statistics;
        statistics.m_object = QJsonDocument::fromJson(json).object();
        return statistics;
    }

    const QJsonObject &object() const { return m_object; }
    bool isOn() const { return m_object.value("enabled").toBool(); }

    // All of them to receivers of the class: of one type and thread, if these are given.
    QList<QJsonObject> events(const char *className, const char *type = nullptr,
                              qint64 thread = 0) const
    {
        QList<QJsonObject> result;
        const QJsonArray events = m_object.value("events").toArray();
        for (const QJsonValue &value : events) {
            const QJsonObject event = value.toObject();
            if (event.value("class") == QLatin1String(className)
                && (!type || event.value("type") == QLatin1String(type))
                && (thread == 0 || event.value("thread").toInteger() == thread))
                result.append(event);
        }
        return result;
    }

    qint64 sum(const char *member, const char *className, const char *type = nullptr) const
    {
        qint64 result = 0;
        const QList<QJsonObject> all = events(className, type);
        for (const QJsonObject &event : all)
            result += event.value(QLatin1String(member)).toInteger();
        return result;
    }

    QJsonObject thread(qint64 id) const
    {
        const QJsonArray threads = m_object.value("threads").toArray();
        for (const QJsonValue &thread : threads) {
            if (thread["id"].toInteger() == id)
                return thread.toObject();
        }
        return {};
    }

private:
    QJsonObject m_object;
};

// The environment is read while QtCore is loaded: the test starts once more, with \a value in it.
inline void restartWith(const char *value, char **arguments)
{
    if (qgetenv("QT_POOL_ALLOCATOR") == value)
        return;
    qputenv("QT_POOL_ALLOCATOR", value);
    execv("/proc/self/exe", arguments);
    qFatal("cannot be started again");
}

#endif // LATENCYSTATISTICS_H
