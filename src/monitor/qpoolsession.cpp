// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsession.h"
#include "qpoolprintabletext.h"
#include "qpoolstatisticsreader_p.h"

#include <QtCore/qdir.h>
#include <QtCore/qfile.h>

namespace QPoolStatistics {

namespace {

constexpr qsizetype MostArguments = 65536;
constexpr qsizetype MostClasses = 1 << 20;
constexpr qsizetype MostPoints = 1 << 20;
// After "milliseconds", which may be negative.
constexpr const char *Columns[] = { "event", "object", "private", "heap", "live", "committed", "backlog" };

QList<qint64 HistoryPoint::*> values()
{
    return { &HistoryPoint::liveBytes, &HistoryPoint::committedBytes, &HistoryPoint::backlog };
}

QJsonObject toJson(const QList<HistoryPoint> &history)
{
    QJsonArray columns { "milliseconds"_L1 };
    for (const char *column : Columns)
        columns.append(QLatin1StringView(column));
    QJsonArray points;
    for (const HistoryPoint &point : history) {
        QJsonArray row { point.milliseconds };
        for (const qint64 allocated : point.allocated)
            row.append(allocated);
        for (const auto value : values())
            row.append(point.*value);
        points.append(row);
    }
    return { { "columns"_L1, columns }, { "points"_L1, points } };
}

class Reader : public JsonReader
{
public:
    QStringList command(const QJsonObject &root)
    {
        QStringList result;
        const QJsonArray entries = array(root, "command"_L1, MostArguments);
        for (const QJsonValue &entry : entries)
            result.append(printable(entry.toString()));
        return result;
    }

    QList<ClassCount> classes(const QJsonObject &root)
    {
        QList<ClassCount> result;
        const QJsonArray entries = array(root, "classes"_L1, MostClasses);
        for (const QJsonValue &entry : entries) {
            const QJsonObject object = entry.toObject();
            result.append({ printable(object.value("domain"_L1).toString()),
                            printable(object.value("class"_L1).toString()),
                            printable(object.value("module"_L1).toString()), count(object, "count"_L1),
                            count(object, "bytes"_L1) });
        }
        return result;
    }

    // By the position in the columns, which later versions may add to.
    QList<HistoryPoint> history(const QJsonObject &root)
    {
        const QJsonObject history = object(root, "history"_L1);
        const QJsonArray columns = array(history, "columns"_L1, 256);
        const auto indexOf = [&](const char *name) {
            const auto found = std::find(columns.begin(), columns.end(), QJsonValue(QLatin1StringView(name)));
            if (found == columns.end())
                fail(u"'history' has no column '%1'"_s.arg(QLatin1StringView(name)));
            return found - columns.begin();
        };
        const qsizetype time = indexOf("milliseconds");
        QList<qsizetype> places;
        for (const char *column : Columns)
            places.append(indexOf(column));
        QList<HistoryPoint> result;
        const QJsonArray rows = array(history, "points"_L1, MostPoints);
        for (const QJsonValue &value : rows) {
            const QJsonArray row = value.toArray();
            HistoryPoint point;
            point.milliseconds = row.at(time).toInteger(1);
            if (point.milliseconds > 0 || (!result.isEmpty() && point.milliseconds < result.last().milliseconds)) {
                fail(u"the times in 'history' are not in order"_s);
                break;
            }
            const auto number = [&](qsizetype column) {
                return qMax<qint64>(0, row.at(places.at(column)).toInteger());
            };
            for (int d = 0; d < DomainCount; ++d)
                point.allocated[size_t(d)] = number(d);
            qsizetype column = DomainCount;
            for (const auto member : values())
                point.*member = number(column++);
            result.append(point);
        }
        return result;
    }
};

} // namespace

HistoryPoint HistoryPoint::of(const Snapshot &snapshot, qint64 milliseconds)
{
    HistoryPoint point;
    point.milliseconds = milliseconds;
    for (int d = 0; d < DomainCount; ++d)
        point.allocated[size_t(d)] = snapshot.allocated(Domain(d));
    point.liveBytes = snapshot.liveBytes;
    point.committedBytes = snapshot.committedBytes;
    for (const ArenaStatistics &arena : snapshot.arenas)
        point.backlog += arena.backlog;
    return point;
}

QStringList Session::commandOf(qint64 pid)
{
    QFile file(u"/proc/%1/cmdline"_s.arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QStringList result;
    QList<QByteArray> arguments = file.readAll().split('\0');
    if (arguments.last().isEmpty())
        arguments.removeLast();
    for (const QByteArray &argument : std::as_const(arguments))
        result.append(printable(QString::fromUtf8(argument)));
    return result;
}

QHash<qint64, QString> Session::threadNamesOf(qint64 pid)
{
    QHash<qint64, QString> names;
    const QDir tasks(u"/proc/%1/task"_s.arg(pid));
    const QStringList numbers = tasks.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Unsorted);
    for (const QString &number : numbers) {
        QFile file(tasks.filePath(number + "/comm"_L1));
        if (file.open(QIODevice::ReadOnly))
            names.insert(number.toLongLong(), printable(QString::fromUtf8(file.readAll().trimmed())));
    }
    return names;
}

static void insertInto(QJsonObject *snapshot, const QHash<qint64, QString> &threadNames)
{
    QJsonArray arenas = snapshot->value("arenas"_L1).toArray();
    for (qsizetype i = 0; i < arenas.size(); ++i) {
        QJsonObject arena = arenas.at(i).toObject();
        const QString name = threadNames.value(arena.value("thread"_L1).toInteger());
        if (!name.isEmpty() && !arena.value("orphaned"_L1).toBool())
            arena.insert("name"_L1, name);
        arenas.replace(i, arena);
    }
    snapshot->insert("arenas"_L1, arenas);
}

void Session::insertInto(QJsonObject *snapshot) const
{
    if (!threadNames.isEmpty())
        QPoolStatistics::insertInto(snapshot, threadNames);
    if (time.isValid())
        snapshot->insert("time"_L1, time.toUTC().toString(Qt::ISODateWithMs));
    if (!command.isEmpty())
        snapshot->insert("command"_L1, QJsonArray::fromStringList(command));
    if (classes) {
        QJsonArray entries;
        for (const ClassCount &entry : *classes) {
            entries.append(QJsonObject { { "domain"_L1, entry.domain }, { "class"_L1, entry.title },
                                         { "module"_L1, entry.module }, { "count"_L1, entry.count },
                                         { "bytes"_L1, entry.bytes } });
        }
        snapshot->insert("classes"_L1, entries);
        snapshot->insert("uncertain"_L1, uncertain);
    }
    if (!classesProblem.isEmpty())
        snapshot->insert("classesProblem"_L1, classesProblem);
    if (!history.isEmpty())
        snapshot->insert("history"_L1, toJson(history));
}

std::optional<Session> Session::fromJson(const QJsonObject &snapshot, QString *error)
{
    Reader reader;
    Session session;
    session.time = QDateTime::fromString(snapshot.value("time"_L1).toString(), Qt::ISODateWithMs);
    if (snapshot.contains("command"_L1))
        session.command = reader.command(snapshot);
    if (snapshot.contains("classes"_L1)) {
        session.classes = reader.classes(snapshot);
        session.uncertain = reader.count(snapshot, "uncertain"_L1);
    }
    session.classesProblem = printable(snapshot.value("classesProblem"_L1).toString());
    if (snapshot.contains("history"_L1))
        session.history = reader.history(snapshot);
    if (reader.error.isEmpty())
        return session;
    *error = reader.error;
    return std::nullopt;
}

QString Session::title() const
{
    QStringList parts;
    if (!command.isEmpty())
        parts.append(command.join(u' '));
    if (time.isValid())
        parts.append(time.toUTC().toString(u"yyyy-MM-dd HH:mm:ss 'UTC'"_s));
    return parts.join(u", "_s);
}

} // namespace QPoolStatistics
