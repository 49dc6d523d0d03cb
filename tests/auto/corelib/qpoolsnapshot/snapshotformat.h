// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOTFORMAT_H
#define SNAPSHOTFORMAT_H

#include <QtCore/QJsonArray>
#include <QtCore/QJsonObject>

#include <cmath>
#include <set>

inline std::set<QString> keysOf(const QJsonValue &object)
{
    const QStringList keys = object.toObject().keys();
    return { keys.begin(), keys.end() };
}

inline bool isCount(const QJsonValue &value)
{
    const double number = value.toDouble(-1);
    return value.isDouble() && number >= 0 && std::floor(number) == number;
}

// Empty, or what is wrong with the format of a snapshot.
inline QString complaint(const QJsonObject &root)
{
    if (keysOf(root) != std::set<QString> { "version", "pid", "qt", "enabled", "domains", "arenas",
                                            "bytes" }) {
        return "keys of the whole";
    }
    if (root["version"].toInteger() != 2 || !isCount(root["pid"]) || !root["qt"].isString()
        || !root["enabled"].isBool() || !root["domains"].isObject() || !root["arenas"].isArray()) {
        return "types of the whole";
    }
    if (keysOf(root["domains"]) != std::set<QString> { "event", "object", "private" })
        return "names of the domains";
    for (const QJsonValue &domain : root["domains"].toObject()) {
        if (keysOf(domain) != std::set<QString> { "classes" } || !domain["classes"].isArray())
            return "keys of a domain";
        qint64 previous = 0;
        for (const QJsonValue &entry : domain["classes"].toArray()) {
            if (keysOf(entry) != std::set<QString> { "size", "allocated", "freed", "remote",
                                                     "live" }) {
                return "keys of a class";
            }
            for (const QJsonValue &value : entry.toObject()) {
                if (!isCount(value))
                    return "a number of a class is no count";
            }
            if (entry["size"].toInteger() <= previous)
                return "order of the classes";
            previous = entry["size"].toInteger();
        }
    }
    for (const QJsonValue &arena : root["arenas"].toArray()) {
        if (keysOf(arena) != std::set<QString> { "id", "thread", "orphaned", "adoptions", "live",
                                                 "pages", "backlog" }) {
            return "keys of an arena";
        }
        for (const char *key : { "id", "thread", "adoptions", "live", "pages", "backlog" }) {
            if (!isCount(arena[QLatin1String(key)]))
                return "a number of an arena is no count";
        }
        if (!arena["orphaned"].isBool())
            return "orphaned is no bool";
    }
    if (keysOf(root["bytes"]) != std::set<QString> { "reserved", "committed", "decommitted", "live" })
        return "keys of bytes";
    for (const QJsonValue &value : root["bytes"].toObject()) {
        if (!isCount(value))
            return "a number of bytes is no count";
    }
    return {};
}

#endif // SNAPSHOTFORMAT_H
