// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "heapcommandline.h"
#include "heapformats.h"
#include "pprofprofile.h"
#include "protobuf.h"

#include <qpoolheapnames.h>

#include <QtTest/QTest>

using namespace Qt::StringLiterals;
using QPool::NamedStack;
namespace HeapNames = QPool::HeapNames;
namespace HeapSites = QPool::HeapSites;

// What a user types, and how a profile is told.
class tst_HeapTool : public QObject
{
    Q_OBJECT

private slots:
    void readsTheOptions();
    void readsAnIntervalThatMayBeMissing();
    void leavesOutParameters_data();
    void leavesOutParameters();
    void knowsAllocators();
    void looksThroughContainers();
    void namesTheNearestCallerWithALine();
    void encodesNumbers();
    void saysWhatIsMissing();
    void readsWhatItWrote();
};

static std::optional<HeapCommandLine> parse(const QString &arguments)
{
    QString error;
    return HeapCommandLine::parse((u"qpool-heap "_s + arguments).split(u' ', Qt::SkipEmptyParts), &error);
}

static QPool::CodeSymbols::Place place(const char *function, const char *module = "program")
{
    QPool::CodeSymbols::Place result;
    result.function = function;
    result.module = module;
    result.isNamed = true;
    return result;
}

static HeapReport sample()
{
    HeapReport report;
    report.profile.pid = 4711;
    report.profile.interval = 524288;
    QPool::HeapProfile::Stack stack;
    stack.frames = { 1, 2 };
    stack.allocated = { 4, 40, 4000000 };
    stack.inUse = { 2, 20, 2000000 };
    report.profile.stacks = { stack };
    NamedStack named;
    named.frames = { { 1, { place("grow(int)") } }, { 2, { place("main") } } };
    named.allocated = stack.allocated;
    named.inUse = stack.inUse;
    named.classes = { { "QTimer", 2000000 }, { "QObject", 1 } };
    report.stacks = { named };
    report.sites = HeapSites::of(report.stacks, false);
    return report;
}

void tst_HeapTool::readsTheOptions()
{
    QVERIFY(!parse({})->pid);
    QCOMPARE(*parse(u"4711"_s)->pid, 4711);
    QVERIFY(parse(u"1 --off"_s)->off);
    QVERIFY(parse(u"1 --allocated"_s)->byAllocated);
    QCOMPARE(parse(u"1 --seconds 1.5"_s)->milliseconds, 1500);
    QCOMPARE(parse(u"1 --lines 0"_s)->lines, 0);
    QCOMPARE(parse(u"1 --folded"_s)->format, HeapCommandLine::Folded);
    QVERIFY(!parse(u"1 --seconds nan"_s));
}

void tst_HeapTool::readsAnIntervalThatMayBeMissing()
{
    QCOMPARE(*parse(u"1 --on"_s)->on, quint64(524288));
    QCOMPARE(*parse(u"--on 1"_s)->pid, 1);
    QCOMPARE(*parse(u"1 --on 64K"_s)->on, quint64(65536));
    QCOMPARE(*parse(u"--on 64K 1"_s)->on, quint64(65536));
    QCOMPARE(*parse(u"--on 2M 1 --json"_s)->on, quint64(2097152));
    QCOMPARE(*parse(u"1 --on 4096 --json"_s)->on, quint64(4096));
    QVERIFY(!parse(u"1 --on 1023"_s));
    QVERIFY(!parse(u"1 --on 1025M"_s));
    QVERIFY(!parse(u"1 --on 99999999999999999999"_s));
    QVERIFY(!parse(u"1 2 --on"_s));
}

void tst_HeapTool::leavesOutParameters_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<QByteArray>("expected");
    const auto row = [](const char *name, const char *expected) {
        QTest::newRow(name) << QByteArray(name) << QByteArray(expected);
    };
    row("main", "main");
    row("grow(int, char)", "grow");
    row("Car::operator()(int) const", "Car::operator()");
    row("Car::operator<(Car const&)", "Car::operator<");
    row("(anonymous namespace)::grow(int)", "(anonymous namespace)::grow");
    row("Car::(anonymous namespace)::grow(int)", "Car::(anonymous namespace)::grow");
    row("void sort<void (*)(int)>(int)", "void sort<void (*)(int)>");
    row("program+0x1f", "program+0x1f");
}

void tst_HeapTool::leavesOutParameters()
{
    QFETCH(QByteArray, name);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(HeapNames::shortName(name.toStdString())), expected);
}

void tst_HeapTool::knowsAllocators()
{
    QVERIFY(HeapNames::isAllocator(place("malloc")));
    QVERIFY(HeapNames::isAllocator(place("operator new(unsigned long)", "libstdc++.so.6")));
    QVERIFY(HeapNames::isAllocator(place("QObject::operator new(unsigned long)")));
    QVERIFY(HeapNames::isAllocator(place("anything", "libqpool-malloc.so.1")));
    QVERIFY(HeapNames::isAllocator(place("void* QPool::process1::Heap::allocate(unsigned long)")));
    QVERIFY(!HeapNames::isAllocator(place("mallocWrapper")));
    QVERIFY(!HeapNames::isAllocator(place("use(QPool::Heap*)")));
}

void tst_HeapTool::looksThroughContainers()
{
    QVERIFY(HeapNames::isHelper(place("std::vector<int>::push_back(int)")));
    QVERIFY(HeapNames::isHelper(place("QArrayData::allocate(unsigned long)")));
    QVERIFY(HeapNames::isHelper(place("QString::fromUtf8(QByteArrayView)")));
    QVERIFY(HeapNames::isHelper(place("void std::__cxx11::basic_string<char>::_M_construct<char*>(char*, char*)")));
    QVERIFY(!HeapNames::isHelper(place("grow(std::vector<int>)")));
    QVERIFY(!HeapNames::isHelper(place("std::vector<int, std::allocator<int> > grow<int>(int)")));
    QVERIFY(HeapNames::isHelper(place("std::pair<int, int>* std::vector<int>::grow<int>(int)")));
    HeapReport report = sample();
    NamedStack &stack = report.stacks.front();
    stack.frames.insert(stack.frames.begin(), { 3, { place("std::vector<int>::push_back(int)") } });
    const auto sites = HeapSites::of(report.stacks, false);
    QCOMPARE(sites.front().function.function, std::string("grow(int)"));
    QCOMPARE(sites.front().caller.function, std::string("main"));
    QCOMPARE(sites.front().type, std::string("QTimer"));
}

void tst_HeapTool::namesTheNearestCallerWithALine()
{
    const auto at = [](const char *function, const char *module, const char *file) {
        QPool::CodeSymbols::Place result = place(function, module);
        result.file = file;
        result.line = 24;
        return result;
    };
    HeapReport report = sample();
    NamedStack &stack = report.stacks.front();
    stack.frames = { { 1, { place("QImageData::create()", "libQt6Gui.so.6") } },
                     { 2, { place("QImage::QImage()", "libQt6Gui.so.6") } },
                     { 3, { at("QImage::copy()", "photos", "/usr/include/QtGui/qimage.h") } },
                     { 4, { at("Photos::request()", "photos", "/home/photos/photos.cpp") } },
                     { 5, { at("main", "photos", "/home/photos/main.cpp") } } };
    report.sites = HeapSites::of(report.stacks, false);
    QVERIFY(QString::fromUtf8(report.text()).contains(
            u"QImageData::create [libQt6Gui.so.6] < … < Photos::request (photos.cpp:24)"_s));
    // What an event causes is not main()'s.
    stack.frames[2] = { 3, { place("QCoreApplication::notifyInternal2(QObject*, QEvent*)", "libQt6Core.so.6") } };
    stack.frames.erase(stack.frames.begin() + 3);
    report.sites = HeapSites::of(report.stacks, false);
    QVERIFY(report.text().contains("QImageData::create [libQt6Gui.so.6] < QImage::QImage [libQt6Gui.so.6]"));
    // A thread's start in the C library says nothing.
    stack.frames.resize(2);
    stack.frames.push_back({ 3, { at("start_thread", "libc.so.6", "pthread_create.c") } });
    report.sites = HeapSites::of(report.stacks, false);
    QVERIFY(report.text().contains("QImageData::create [libQt6Gui.so.6] < QImage::QImage [libQt6Gui.so.6]"));
    // A function with a line has its own caller.
    stack.frames = { { 1, { at("grow()", "libgrow.so", "grow.cpp") } }, { 2, { place("call()", "libgrow.so") } },
                     { 3, { at("main", "photos", "main.cpp") } } };
    report.sites = HeapSites::of(report.stacks, false);
    QVERIFY(report.text().contains("grow (grow.cpp:24) < call [libgrow.so]"));
}

void tst_HeapTool::encodesNumbers()
{
    ProtobufMessage message;
    message.add(1, quint64(0));
    message.add(1, quint64(300));
    message.add(2, QByteArray("ab"));
    message.addPacked(3, std::vector<quint64> { 1, 128 });
    QCOMPARE(message.bytes(), QByteArray::fromHex("0800" "08ac02" "12026162" "1a03018001"));
}

void tst_HeapTool::saysWhatIsMissing()
{
    HeapReport report = sample();
    QVERIFY(QString::fromUtf8(report.text()).contains(u"about 1.9\u00a0MiB in use and 3.8\u00a0MiB allocated"_s));
    QVERIFY(report.text().contains("grow [program] < main [program]  {QTimer}"));
    QVERIFY(!report.text().contains("no room"));
    report.profile.missed = 5;
    report.profile.folded = 7;
    report.profile.damaged = 9;
    QVERIFY(report.text().contains("5 samples had no room"));
    QVERIFY(report.text().contains("7 stacks were given up for others"));
    QVERIFY(report.text().contains("9 stacks changed"));
    QCOMPARE(report.folded(), "main;grow 2000000\n");
}

void tst_HeapTool::readsWhatItWrote()
{
    const HeapReport report = sample();
    QString error;
    const auto before = HeapReport::read(report.json(), &error);
    QVERIFY2(before, qPrintable(error));
    QCOMPARE(before->pid, quint64(report.profile.pid));
    QCOMPARE(before->inUse, HeapSites::bytesByKey(report.sites));
    const auto sites = HeapSites::of(report.stacks, false, &before->inUse);
    QCOMPARE(sites.front().growth, 0.0);
    QVERIFY(!HeapReport::read("{", &error));
    QVERIFY(!HeapReport::read("{\"sites\":[],\"estimated\":true,\"version\":2}", &error));
    QVERIFY(error.contains("version 2"_L1));
}

QTEST_APPLESS_MAIN(tst_HeapTool)
#include "tst_heaptool.moc"
