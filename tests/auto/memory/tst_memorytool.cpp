// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "memorycommandline.h"
#include "memoryreport.h"

#include <QtCore/QJsonArray>
#include <QtTest/QTest>

#include <unistd.h>

using namespace Qt::StringLiterals;
using QPool::MemoryOwner;
using QPool::ResidentMemory;

// What a user types, and a process's memory as the user reads it.
class tst_MemoryTool : public QObject
{
    Q_OBJECT

private slots:
    void readsTheOptions();
    void refusesBadArguments_data();
    void refusesBadArguments();
    void writesOnlyOwnersThatHaveMemory();
    void saysWhatIsNotResident();
    void saysWhatIsAnEstimate();
    void saysWhyThePoolIsNotShown();
    void writesEveryOwnerAsJson();
    void listsProcesses();
    void refusesAProcessThatIsNotThere();
    void readsItsOwnProcess();
};

static std::optional<MemoryCommandLine> parse(const QString &arguments, QString *error = nullptr)
{
    QString own;
    return MemoryCommandLine::parse((u"qpool-memory "_s + arguments).split(u' ', Qt::SkipEmptyParts),
                                    error ? error : &own);
}

static ResidentMemory sample()
{
    ResidentMemory memory;
    memory.pid = 4711;
    memory.program = "cars";
    memory.owners[size_t(MemoryOwner::PoolEvents)] = 1000;
    memory.owners[size_t(MemoryOwner::ScriptHeap)] = 2000000;
    memory.owners[size_t(MemoryOwner::Anonymous)] = 3000000;
    memory.parts = { { MemoryOwner::Anonymous, "", 3000000 }, { MemoryOwner::ScriptHeap, "/memfd:x", 2000000 } };
    return memory;
}

void tst_MemoryTool::readsTheOptions()
{
    QCOMPARE(*parse(u"4711"_s)->pid, 4711);
    QVERIFY(!parse(u""_s)->pid);
    QVERIFY(parse(u"--json"_s)->json);
    QVERIFY(parse(u"1 --parts"_s)->parts);
    QVERIFY(parse(u"--help"_s)->help);
}

void tst_MemoryTool::refusesBadArguments_data()
{
    QTest::addColumn<QString>("arguments");
    QTest::addColumn<QString>("cause");
    QTest::newRow("unknown") << "--bogus 1" << "unknown option --bogus";
    QTest::newRow("word") << "designer" << "designer is not a process ID";
    QTest::newRow("zero") << "0" << "0 is not a process ID";
    QTest::newRow("two") << "1 2" << "unexpected argument 2";
    QTest::newRow("parts of all") << "--parts" << "needs a process";
}

void tst_MemoryTool::refusesBadArguments()
{
    QFETCH(QString, arguments);
    QFETCH(QString, cause);
    QString error;
    QVERIFY(!parse(arguments, &error));
    QVERIFY2(error.contains(cause), qPrintable(error));
}

void tst_MemoryTool::writesOnlyOwnersThatHaveMemory()
{
    const QByteArray text = MemoryReport::text(sample(), false);
    QVERIFY2(text.startsWith("process 4711 (cars): 4.8\u00a0MiB resident\n"), text);
    QVERIFY(text.contains("1,000    0.0%  pool: events\n"));
    QVERIFY(text.contains("2,000,000   40.0%  JavaScript: heap\n"));
    QVERIFY(!text.contains("graphics"));
    QVERIFY(text.contains("5,001,000  100.0%  in all"));
    QVERIFY(!text.contains("/memfd:x"));
    QVERIFY(MemoryReport::text(sample(), true).contains("script.heap: /memfd:x\n"));
    QVERIFY(MemoryReport::text(sample(), true).contains("anonymous: (no name)\n"));
}

void tst_MemoryTool::saysWhatIsNotResident()
{
    ResidentMemory memory = sample();
    memory.beyond.scriptCopies = 2500000;
    memory.beyond.swapped = 4096;
    const QByteArray text = MemoryReport::text(memory, false);
    QVERIFY(text.contains("2,500,000          second copy of the JavaScript heap"));
    QVERIFY(text.contains("4,096          swapped out"));
    QVERIFY(!text.contains("huge pages"));
    QVERIFY(!text.contains("or more"));
}

void tst_MemoryTool::saysWhatIsAnEstimate()
{
    ResidentMemory memory = sample();
    memory.beyond.scriptCopies = 2000000;
    memory.beyond.scriptCopiesKnown = false;
    const QByteArray text = MemoryReport::text(memory, false);
    QVERIFY(text.contains("2,000,000 or more  second copy"));
    QVERIFY(text.contains("to the superuser only"));
    QCOMPARE(MemoryReport::json(memory).value("atLeast"_L1).toArray(), QJsonArray { u"scriptCopies"_s });
}

void tst_MemoryTool::saysWhyThePoolIsNotShown()
{
    ResidentMemory memory = sample();
    memory.poolProblem = "it is a secret";
    QVERIFY(MemoryReport::text(memory, false).contains("among the anonymous: it is a secret\n"));
    QCOMPARE(MemoryReport::json(memory).value("poolProblem"_L1).toString(), u"it is a secret"_s);
}

void tst_MemoryTool::writesEveryOwnerAsJson()
{
    const QJsonObject json = MemoryReport::json(sample());
    QCOMPARE(json.value("version"_L1).toInt(), 1);
    QCOMPARE(json.value("resident"_L1).toInteger(), 5001000);
    const QJsonObject owners = json.value("owners"_L1).toObject();
    QCOMPARE(owners.size(), qsizetype(QPool::MemoryOwnerCount));
    qint64 sum = 0;
    for (const QJsonValue &bytes : owners)
        sum += bytes.toInteger();
    QCOMPARE(sum, 5001000);
    QCOMPARE(json.value("parts"_L1).toArray().size(), 2);
    QVERIFY(!json.contains("poolProblem"_L1));
}

void tst_MemoryTool::listsProcesses()
{
    const QByteArray text = MemoryReport::list({ sample() });
    QCOMPARE(text.count('\n'), 2);
    QVERIFY2(text.contains("4711     4.8\u00a0MiB"), text);
    QVERIFY(text.endsWith("  cars\n"));

    ResidentMemory estimated = sample();
    estimated.beyond.scriptCopiesKnown = false;
    const QByteArray list = MemoryReport::list({ sample(), estimated });
    QCOMPARE(list.count(">= 0"), 1);
    QVERIFY2(list.endsWith("to the superuser only.\n"), list);
}

void tst_MemoryTool::refusesAProcessThatIsNotThere()
{
    ResidentMemory memory;
    QPool::ResidentMemoryReader::Error error;
    std::string message;
    QVERIFY(!QPool::ResidentMemoryReader(999999999).read(&memory, &error, &message));
    QCOMPARE(error, QPool::ResidentMemoryReader::NoProcess);
    QCOMPARE(message, std::string("there is no process 999999999"));
}

void tst_MemoryTool::readsItsOwnProcess()
{
    ResidentMemory memory;
    QPool::ResidentMemoryReader::Error error;
    std::string message;
    QVERIFY2(QPool::ResidentMemoryReader(getpid()).read(&memory, &error, &message), message.c_str());
    QVERIFY(memory.resident() > 0);
    QVERIFY(memory.files() > 0);
    QVERIFY(memory.of(MemoryOwner::Stacks) > 0);
    QCOMPARE(memory.program, std::string("tst_memorytool"));
}

QTEST_GUILESS_MAIN(tst_MemoryTool)
#include "tst_memorytool.moc"
