// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapformats.h"

#include <qpoolprintabletext.h>

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

using namespace Qt::StringLiterals;
using QPool::HeapProfile;
using QPool::HeapSite;
using QPool::NamedStack;

namespace {

constexpr int FormatVersion = 1;

QString textOf(const std::string &text)
{
    return QString::fromStdString(text);
}

QJsonObject toJson(const HeapProfile::Sum &sum)
{
    return { { u"bytes"_s, qRound64(sum.bytes) },
             { u"objects"_s, qRound64(sum.objects) },
             { u"samples"_s, qint64(sum.samples) } };
}

QJsonObject toJson(const NamedStack::Place &place)
{
    return { { u"function"_s, textOf(place.function) },
             { u"file"_s, textOf(place.file) },
             { u"line"_s, place.line },
             { u"module"_s, textOf(place.module) } };
}

} // namespace

QByteArray HeapReport::json() const
{
    QJsonArray siteList;
    const double whole = byAllocated ? profile.allocated().bytes : profile.inUse().bytes;
    for (const HeapSite &site : sites) {
        QJsonObject one = toJson(site.function);
        one.insert(u"caller"_s, toJson(site.caller));
        one.insert(u"class"_s, textOf(site.type));
        one.insert(u"inUse"_s, toJson(site.inUse));
        one.insert(u"allocated"_s, toJson(site.allocated));
        one.insert(u"share"_s, whole > 0 ? (byAllocated ? site.allocated : site.inUse).bytes / whole : 0);
        if (compared)
            one.insert(u"growth"_s, qRound64(site.growth));
        siteList.append(one);
    }
    QJsonArray stackList;
    for (const NamedStack &stack : stacks) {
        QJsonArray frames;
        for (const NamedStack::Frame &frame : stack.frames) {
            for (const NamedStack::Place &place : frame.places)
                frames.append(toJson(place));
        }
        stackList.append(QJsonObject { { u"frames"_s, frames },
                                       { u"inUse"_s, toJson(stack.inUse) },
                                       { u"allocated"_s, toJson(stack.allocated) } });
    }
    const QJsonObject result { { u"version"_s, FormatVersion },
                               { u"pid"_s, qint64(profile.pid) },
                               { u"estimated"_s, true },
                               { u"interval"_s, qint64(profile.interval) },
                               { u"samplesMissed"_s, qint64(profile.missed) },
                               { u"stacksFolded"_s, qint64(profile.folded) },
                               { u"stacksDamaged"_s, qint64(profile.damaged) },
                               { u"inUse"_s, toJson(profile.inUse()) },
                               { u"allocated"_s, toJson(profile.allocated()) },
                               { u"sites"_s, siteList },
                               { u"stacks"_s, stackList } };
    return QJsonDocument(result).toJson(QJsonDocument::Compact) + '\n';
}

std::optional<HeapReport::Mark> HeapReport::read(const QByteArray &json, QString *error)
{
    auto refused = [error](const QString &why) {
        *error = why;
        return std::nullopt;
    };
    QJsonParseError parsed;
    const QJsonObject root = QJsonDocument::fromJson(json, &parsed).object();
    if (parsed.error != QJsonParseError::NoError)
        return refused(u"it is not JSON: "_s + parsed.errorString());
    if (!root.value("sites"_L1).isArray() || !root.value("estimated"_L1).toBool())
        return refused(u"it is no heap profile"_s);
    if (root.value("version"_L1).toInt() != FormatVersion) {
        return refused(u"it has version %1 of the format, only version %2 is supported"_s.arg(
                root.value("version"_L1).toInt()).arg(FormatVersion));
    }
    Mark result { quint64(root.value("pid"_L1).toInteger()), {} };
    const QJsonArray sites = root.value("sites"_L1).toArray();
    for (const QJsonValue &value : sites) {
        const QJsonObject entry = value.toObject();
        const QJsonObject caller = entry.value("caller"_L1).toObject();
        HeapSite site;
        site.function.function = entry.value("function"_L1).toString().toStdString();
        site.function.module = entry.value("module"_L1).toString().toStdString();
        site.caller.function = caller.value("function"_L1).toString().toStdString();
        site.caller.module = caller.value("module"_L1).toString().toStdString();
        result.inUse[site.key()] += entry.value("inUse"_L1).toObject().value("bytes"_L1).toDouble();
    }
    return result;
}
