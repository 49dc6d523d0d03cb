// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "report.h"

#include <qpoolprintabletext.h>

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>

using namespace Qt::StringLiterals;

namespace {

// Of one line of the report, which may list many classes, and of a path.
constexpr std::size_t Longest = 1 << 16;

// The version of the JSON; raised when the meaning of existing members changes.
constexpr int FormatVersion = 1;

QString nameOf(Judgement::Mode mode)
{
    switch (mode) {
    case Judgement::Mode::NoQt:
        return u"none"_s;
    case Judgement::Mode::DropIn:
        return u"drop-in"_s;
    case Judgement::Mode::Full:
        return u"full"_s;
    }
    Q_UNREACHABLE();
}

QString describe(const Judgement &judgement)
{
    switch (judgement.mode) {
    case Judgement::Mode::NoQt:
        return u"does not use Qt"_s;
    case Judgement::Mode::DropIn:
        return u"drop-in: compiled for a Qt without the pool"_s;
    case Judgement::Mode::Full:
        break;
    }
    QString text = u"full: compiled for a Qt with the pool"_s;
    if (!judgement.creates.isEmpty())
        text += ", allocates classes of "_L1 + judgement.creates.join(", "_L1) + " from it"_L1;
    return text;
}

QJsonObject toJson(const Judgement &judgement)
{
    QJsonObject result { { u"file"_s, judgement.file } };
    if (!judgement.error.isEmpty()) {
        result[u"error"_s] = judgement.error;
        return result;
    }
    QJsonArray libraries;
    for (const Judgement::Library &library : judgement.libraries) {
        libraries.append(QJsonObject { { u"path"_s, library.path },
                                       { u"pooled"_s, library.isPooled },
                                       { u"usesQt"_s, library.usesQt } });
    }
    QJsonArray refusals;
    for (const Judgement::Refusal &refusal : judgement.refusals) {
        refusals.append(QJsonObject { { u"creator"_s, refusal.creator },
                                      { u"class"_s, refusal.className },
                                      { u"found"_s, refusal.found },
                                      { u"reason"_s, refusal.reason } });
    }
    result[u"kind"_s] = judgement.isProgram ? u"program"_s : u"library"_s;
    result[u"mode"_s] = nameOf(judgement.mode);
    result[u"runs"_s] = judgement.runs();
    result[u"creates"_s] = QJsonArray::fromStringList(judgement.creates);
    result[u"missing"_s] = QJsonArray::fromStringList(judgement.missing);
    result[u"stockCore"_s] = judgement.stockCore;
    result[u"libraries"_s] = libraries;
    result[u"refusals"_s] = refusals;
    return result;
}

// A file may contain any names.
void addLine(QString &text, const QString &line)
{
    text += QPoolStatistics::printable(line, Longest) + u'\n';
}

} // namespace

QByteArray textReport(const Judgement &judgement)
{
    QString text;
    if (!judgement.error.isEmpty()) {
        addLine(text, judgement.file + ": "_L1 + judgement.error);
        return text.toLocal8Bit();
    }
    addLine(text, judgement.file + ": "_L1 + describe(judgement) + "; "_L1
                    + (judgement.runs() ? "nothing is refused"_L1 : "refused:"_L1));
    for (const QString &library : judgement.missing)
        addLine(text, "    it needs "_L1 + library + ", which is not found"_L1);
    if (!judgement.stockCore.isEmpty()) {
        addLine(text, "    it finds "_L1 + judgement.stockCore
                        + ", a QtCore without the pool: put the folder of one with it into "
                          "LD_LIBRARY_PATH"_L1);
    }
    for (const Judgement::Refusal &refusal : judgement.refusals)
        addLine(text, "    "_L1 + refusal.reason);
    return text.toLocal8Bit();
}

QByteArray textReport(const QList<ObjectFiles::Conflict> &conflicts)
{
    if (conflicts.isEmpty())
        return "the object files: nothing is refused\n";
    QString text = u"the object files: refused:\n"_s;
    for (const ObjectFiles::Conflict &conflict : conflicts)
        addLine(text, "    "_L1 + conflict.reason());
    return text.toLocal8Bit();
}

QByteArray jsonReport(const QList<Judgement> &judgements,
                      const QList<ObjectFiles::Conflict> &conflicts)
{
    QJsonArray files;
    for (const Judgement &judgement : judgements)
        files.append(toJson(judgement));
    QJsonArray inObjects;
    for (const ObjectFiles::Conflict &conflict : conflicts) {
        inObjects.append(QJsonObject { { u"class"_s, conflict.className },
                                       { u"pooled"_s, conflict.pooled },
                                       { u"unpooled"_s, conflict.unpooled },
                                       { u"reason"_s, conflict.reason() } });
    }
    const QJsonObject report { { u"version"_s, FormatVersion }, { u"files"_s, files },
                               { u"conflicts"_s, inObjects } };
    return QJsonDocument(QPoolStatistics::printable(report, Longest)).toJson();
}
