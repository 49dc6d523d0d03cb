// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "comparison.h"
#include "export.h"
#include "samplestatistics.h"

#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using QPoolStatistics::Session;

// Saved sessions, and the comparison of two.
class tst_TopComparison : public QObject
{
    Q_OBJECT

private slots:
    void sessionsAreReadAsTheyWereWritten();
    void whatIsMissingIsEmpty();
    void refusesDamage_data();
    void refusesDamage();
    void laterColumnsArePassedOver();
    void comparesClassesSizesAndTotals();
    void comparesWithoutClasses();
    void equalSessionsHaveOnlyTotals();
    void namesTheFileThatIsNoSession();
};

static Session sampleSession()
{
    Session session;
    session.time = QDateTime({ 2026, 3, 1 }, { 12, 0, 0, 250 }, Qt::UTC);
    session.command = { u"program"_s, u"--with"_s, u"a blank"_s };
    session.classes = { { u"object"_s, u"QTimer"_s, u"libQt6Core.so.6"_s, 1'000, 16'000 },
                        { u"event"_s, u"QEvent (User+0)"_s, u""_s, 100, 1'600 },
                        { u"private"_s, u"(no class)"_s, u""_s, 8, 1'864 } };
    session.uncertain = 3;
    session.history = { { -400, { 1, 2, 3, 4 }, 5, 6, 7 }, { 0, { 10, 20, 30, 40 }, 50, 60, 70 } };
    return session;
}

static QByteArray json(const Session &session, const QPool::ProcessStatistics &statistics = sampleStatistics())
{
    return Export::json(statistics, {}, {}, session);
}

static QJsonObject object(const Session &session)
{
    return QJsonDocument::fromJson(json(session)).object();
}

void tst_TopComparison::sessionsAreReadAsTheyWereWritten()
{
    QString error;
    const auto session = Session::fromJson(object(sampleSession()), &error);
    QVERIFY2(session, qPrintable(error));
    QCOMPARE(session->time, sampleSession().time);
    QCOMPARE(session->command, sampleSession().command);
    QCOMPARE(session->title(), u"program --with a blank, 2026-03-01 12:00:00 UTC"_s);
    QCOMPARE(session->classes->size(), 3);
    QCOMPARE(session->classes->at(0).title, u"QTimer"_s);
    QCOMPARE(session->classes->at(0).module, u"libQt6Core.so.6"_s);
    QCOMPARE(session->classes->at(0).count, 1'000);
    QCOMPARE(session->classes->at(2).bytes, 1'864);
    QCOMPARE(session->uncertain, 3);
    QCOMPARE(session->history.size(), 2);
    QCOMPARE(session->history.at(0).milliseconds, -400);
    QCOMPARE(session->history.at(1).allocated, (std::array<qint64, 4> { 10, 20, 30, 40 }));
    QCOMPARE(session->history.at(1).liveBytes, 50);
    QCOMPARE(session->history.at(1).backlog, 70);
}

void tst_TopComparison::whatIsMissingIsEmpty()
{
    QString error;
    const auto session = Session::fromJson(object({}), &error);
    QVERIFY2(session, qPrintable(error));
    QVERIFY(!session->time.isValid());
    QVERIFY(!session->classes);
    QVERIFY(session->command.isEmpty() && session->history.isEmpty());
    QCOMPARE(session->title(), QString());
}

void tst_TopComparison::refusesDamage_data()
{
    QTest::addColumn<QString>("member");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QString>("cause");
    QTest::newRow("command") << "command" << QByteArray("\"word\"") << "'command' is missing or not an array";
    QTest::newRow("count") << "classes" << QByteArray("[{\"count\":-1,\"bytes\":0}]") << "'count' is not a count";
    QTest::newRow("uncertain") << "uncertain" << QByteArray("\"no\"") << "'uncertain'";
    QTest::newRow("columns") << "history" << QByteArray("{\"columns\":[],\"points\":[]}")
                             << "no column 'milliseconds'";
    const QByteArray columns = "\"columns\":[\"milliseconds\",\"event\",\"object\",\"private\",\"heap\",\"live\","
                               "\"committed\",\"backlog\"]";
    QTest::newRow("order") << "history" << ("{" + columns + ",\"points\":[[-1],[-2]]}") << "not in order";
    QTest::newRow("future") << "history" << ("{" + columns + ",\"points\":[[5]]}") << "not in order";
}

void tst_TopComparison::refusesDamage()
{
    QFETCH(QString, member);
    QFETCH(QByteArray, value);
    QFETCH(QString, cause);
    QJsonObject damaged = object(sampleSession());
    damaged[member] = QJsonDocument::fromJson("[" + value + "]").array().at(0);
    QString error;
    QVERIFY(!Session::fromJson(damaged, &error));
    QVERIFY2(error.contains(cause), qPrintable(error));
}

void tst_TopComparison::laterColumnsArePassedOver()
{
    QJsonObject later = object(sampleSession());
    QJsonObject history = later["history"].toObject();
    QJsonArray columns = history["columns"].toArray();
    columns.prepend(u"added"_s);
    history["columns"] = columns;
    QJsonArray points;
    for (const QJsonValue &point : history["points"].toArray()) {
        QJsonArray row = point.toArray();
        row.prepend(99);
        points.append(row);
    }
    history["points"] = points;
    later["history"] = history;
    QString error;
    const auto session = Session::fromJson(later, &error);
    QVERIFY2(session, qPrintable(error));
    QCOMPARE(session->history.at(1).committedBytes, 60);
}

void tst_TopComparison::comparesClassesSizesAndTotals()
{
    Session session = sampleSession();
    session.time = session.time.addSecs(3'600);
    session.classes = { { u"object"_s, u"QTimer"_s, u"libQt6Core.so.6"_s, 1'500, 24'000 },
                        { u"private"_s, u"(no class)"_s, u""_s, 8, 1'864 },
                        { u"object"_s, u"Session"_s, u"program"_s, 2, 64 } };
    QPool::ProcessStatistics statistics = sampleStatistics();
    statistics.domains[1].classes[0] = classCounts(16, 2'500'500, 1'000'000);
    statistics.domains[1].classes.push_back(classCounts(32, 2, 0));
    statistics.domains[0].classes[0] = classCounts(16, 1'000, 1'000, 300);
    statistics.memory.committed = 6 << 20;
    QString error;
    const auto text = Comparison::text(json(sampleSession()), u"a.json"_s, json(session, statistics), u"b.json"_s,
                                       &error);
    QVERIFY2(text, qPrintable(error));
    QCOMPARE(QString::fromUtf8(*text), QStringLiteral(
R"(before  a.json: process 4711, program --with a blank, 2026-03-01 12:00:00 UTC
after   b.json: process 4711, program --with a blank, 2026-03-01 13:00:00 UTC
between 3,600 s

       live     growth          bytes         growth  domain  class
      1,500       +500         24,000         +8,000  object  QTimer
          2         +2             64            +64  object  Session
          0       -100              0         -1,600  event   QEvent (User+0)
1 of 4 lines did not change

       live     growth          bytes         growth  domain  size
  1,500,500       +500     24,008,000         +8,000  object  16 bytes
          2         +2             64            +64  object  32 bytes
          0       -100              0         -1,600  event   16 bytes
3 of 6 lines did not change

         in total         growth
        1,500,510           +402  live chunks
       24,009,928         +6,464  live bytes
        6,291,456     +1,048,576  committed bytes
        2,501,563           +502  allocated chunks
)"));
}

void tst_TopComparison::comparesWithoutClasses()
{
    Session session = sampleSession();
    session.classes.reset();
    session.classesProblem = u"not permitted"_s;
    QString error;
    const auto text = Comparison::text(json(sampleSession()), u"a"_s, json(session), u"b"_s, &error);
    QVERIFY2(text, qPrintable(error));
    QVERIFY2(text->contains("\n\nb has no classes: not permitted\n\n"), text->constData());

    // They may be of another time, and names of files contain anything.
    session = sampleSession();
    session.classesProblem = u"they were counted before"_s;
    const auto other = Comparison::text(json(sampleSession()), u"x%1y%2"_s, json(session), u"b"_s, &error);
    QVERIFY2(other, qPrintable(error));
    QVERIFY2(other->contains("\nb: of the classes: they were counted before\n"), other->constData());
    QVERIFY2(other->startsWith("before  x%1y%2: process "), other->constData());
}

void tst_TopComparison::equalSessionsHaveOnlyTotals()
{
    QString error;
    const auto text = Comparison::text(json(sampleSession()), u"a"_s, json(sampleSession()), u"b"_s, &error);
    QVERIFY2(text, qPrintable(error));
    QVERIFY2(text->contains("class\n3 of 3 lines did not change\n"), text->constData());
    QVERIFY2(text->contains("size\n5 of 5 lines did not change\n"), text->constData());
}

void tst_TopComparison::namesTheFileThatIsNoSession()
{
    QString error;
    QVERIFY(!Comparison::text(json({}), u"a"_s, "{}", u"b.json"_s, &error));
    QVERIFY2(error.startsWith(u"b.json cannot be compared: "_s), qPrintable(error));
    QVERIFY(!Comparison::text("]", u"a.json"_s, json({}), u"b"_s, &error));
    QVERIFY2(error.startsWith(u"a.json cannot be compared: "_s), qPrintable(error));
    QVERIFY(!Comparison::text(u"/nowhere/a.json"_s, u"b"_s, &error));
    QVERIFY2(error.startsWith(u"/nowhere/a.json cannot be opened: "_s), qPrintable(error));
}

QTEST_GUILESS_MAIN(tst_TopComparison)

#include "tst_topcomparison.moc"
