// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"

#include <QtCore/QSet>

// Random programs do the same on the pooled QtCore as on the one with all features off: what they
// deliver, and when, what processEvents() returns, and when a loop is awake and about to block. So they
// do while the pooled one records how long their events wait, and while it gives memory back in many
// steps before each sleep.
//
// QPOOL_ORDER_SCRIPTS and QPOOL_ORDER_SEED choose how many, and the first.
class tst_EventOrder : public QObject
{
    Q_OBJECT

private slots:
    void doesTheSameAsStock_data();
    void doesTheSameAsStock();
};

namespace {

// How a program is run.
struct Setting
{
    bool glib = true; // else with the UNIX dispatcher
    bool recorded = false; // on the pooled QtCore
    bool stepped = false; // the same
};

struct Outcome
{
    QByteArray dispatcher;
    QList<QByteArray> records; // each with its seed and the number of actions
    QByteArray error;
};

// A script that hangs is reported, and the player ends.
Outcome play(const char *runtime, Setting setting, quint32 seed, quint32 count,
             const QList<int> &without = {})
{
    QStringList arguments { QString::number(seed), QString::number(count) };
    for (int number : without)
        arguments << QString::number(number);
    Environment environment { { "LD_LIBRARY_PATH", runtime },
                              { "QT_POOL_ALLOCATOR", setting.recorded ? "latency" : "" },
                              { "QT_NO_GLIB", setting.glib ? "" : "1" } };
    if (setting.stepped && QByteArray(runtime) == POOLED_RUNTIME)
        environment.emplaceBack("QPOOL_ORDER_STEPS", "1");
    const ChildResult result = runProgram(EVENT_PLAYER, arguments, environment);
    Outcome outcome;
    outcome.records = result.output.trimmed().split('\n');
    outcome.dispatcher = outcome.records.takeFirst();
    if (!result.exited || result.exitCode != 0)
        outcome.error = "ends with " + QByteArray::number(result.exitCode) + ": " + result.errors;
    return outcome;
}

// A script that ends the player, as a hang does, also has a record: stock may do the same.
Outcome playAll(const char *runtime, Setting setting, quint32 first, quint32 count)
{
    Outcome all;
    while (all.records.size() < qsizetype(count)) {
        const auto done = quint32(all.records.size());
        Outcome outcome = play(runtime, setting, first + done, count - done);
        all.dispatcher = outcome.dispatcher;
        all.records += outcome.records;
        if (outcome.error.isEmpty() && all.records.size() == qsizetype(done))
            outcome.error = "prints nothing";
        if (!outcome.error.isEmpty()) {
            const QByteArray seed = QByteArray::number(first + quint32(all.records.size()));
            all.records.append(seed + " 0 " + outcome.error.simplified());
            qWarning("%s: %s", runtime, all.records.last().constData());
        }
    }
    return all;
}

// On a busy machine some of the order depends on time: of one script in thousands, stock itself does
// something else in one run of twenty. The two differ if in all \a attempts neither does what the
// other ever did.
bool differs(Setting setting, quint32 seed, const QList<int> &without, Outcome *stock, Outcome *pooled,
             int attempts = 6)
{
    QSet<QByteArray> onStock, onPooled;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        *stock = play(STOCK_RUNTIME, setting, seed, 1, without);
        *pooled = play(POOLED_RUNTIME, setting, seed, 1, without);
        onStock.insert(stock->records.join() + stock->error);
        onPooled.insert(pooled->records.join() + pooled->error);
        if (onStock.intersects(onPooled))
            return false;
    }
    return true;
}

// The smallest script that still differs: without all actions that it does not need.
QByteArray shrunk(Setting setting, quint32 seed, int count)
{
    QList<int> without;
    Outcome stock, pooled;
    for (int number = count - 1; number >= 0; --number) {
        without.append(number);
        if (!differs(setting, seed, without, &stock, &pooled))
            without.removeLast();
    }
    differs(setting, seed, without, &stock, &pooled);
    QByteArray call = QByteArray::number(seed) + " 1";
    for (int number : std::as_const(without))
        call += ' ' + QByteArray::number(number);
    return "eventplayer " + call + (setting.glib ? "" : " (QT_NO_GLIB=1)")
            + (setting.recorded ? " (QT_POOL_ALLOCATOR=latency)" : "")
            + (setting.stepped ? " (QPOOL_ORDER_STEPS=1)" : "") + "\n  stock:  "
            + stock.records.join() + stock.error + "\n  pooled: " + pooled.records.join()
            + pooled.error;
}

} // namespace

void tst_EventOrder::doesTheSameAsStock_data()
{
    QTest::addColumn<bool>("glib");
    QTest::addColumn<bool>("recorded");
    QTest::addColumn<bool>("stepped");
    QTest::addRow("Glib") << true << false << false;
    QTest::addRow("UNIX") << false << false << false;
    QTest::addRow("Glib, recorded") << true << true << false;
    QTest::addRow("UNIX, recorded") << false << true << false;
    QTest::addRow("Glib, giving back") << true << false << true;
    QTest::addRow("UNIX, giving back") << false << false << true;
}

void tst_EventOrder::doesTheSameAsStock()
{
    QFETCH(bool, glib);
    QFETCH(bool, recorded);
    QFETCH(bool, stepped);
    const Setting setting { glib, recorded, stepped };
    bool given;
    quint32 count = qEnvironmentVariableIntValue("QPOOL_ORDER_SCRIPTS", &given);
    if (!given)
        count = 400;
    const quint32 first = qEnvironmentVariableIntValue("QPOOL_ORDER_SEED") + 1;

    const Outcome stock = playAll(STOCK_RUNTIME, setting, first, count);
    const Outcome pooled = playAll(POOLED_RUNTIME, setting, first, count);
    QVERIFY2(stock.dispatcher.contains(glib ? "Glib" : "UNIX"), stock.dispatcher.constData());
    QCOMPARE(pooled.dispatcher, stock.dispatcher);
    QCOMPARE(stock.records.size(), qsizetype(count));
    QCOMPARE(pooled.records.size(), qsizetype(count));

    int differences = 0;
    for (quint32 i = 0; i < count; ++i) {
        const QByteArray &record = stock.records.at(i);
        if (record == pooled.records.at(i))
            continue;
        Outcome stockAlone, pooledAlone;
        if (!differs(setting, first + i, {}, &stockAlone, &pooledAlone, 60))
            continue;
        // For a script that ended the player, this is unknown.
        const int actions = std::max(record.split(' ').at(1).toInt(),
                                     pooled.records.at(i).split(' ').at(1).toInt());
        QWARN(shrunk(setting, first + i, actions).constData());
        if (++differences == 5)
            break;
    }
    QCOMPARE(differences, 0);
}

QTEST_GUILESS_MAIN(tst_EventOrder)
#include "tst_eventorder.moc"
