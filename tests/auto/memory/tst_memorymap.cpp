// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qpoolmemorymap.h"

#include <QtCore/QTemporaryFile>
#include <QtTest/QTest>

#include <sys/sysmacros.h>

using QPool::MemoryMap;
using QPool::MemoryMapping;

// What the system says about a process's mappings.
class tst_MemoryMap : public QObject
{
    Q_OBJECT

private slots:
    void readsAMapping();
    void findsAnAddress();
    void addsUpWhatIsOnePart();
    void keepsNamesAsTheyAre();
    void refusesNothing();
    void survivesNonsense_data();
    void survivesNonsense();
    void keepsTheSumBeyondItsLimit();
    void readsItsOwnProcess();
};

static bool read(MemoryMap *map, const QByteArray &text)
{
    QTemporaryFile file;
    return file.open() && file.write(text) == text.size() && file.flush() && file.seek(0) && map->read(file.handle());
}

static QByteArray mapping(const QByteArray &head, int rss)
{
    return head + "\nSize: 999 kB\nRss:   " + QByteArray::number(rss) + " kB\nVmFlags: rd wr\n";
}

void tst_MemoryMap::readsAMapping()
{
    MemoryMap map;
    QVERIFY(read(&map, "7f00-8f00 r-xs 00001000 fe:01 1234     /usr/lib/a b.so (deleted)\n"
                       "Size: 4 kB\nRss: 12 kB\nPss: 3 kB\nPrivate_Clean: 1 kB\nPrivate_Dirty: 2 kB\n"
                       "Anonymous: 4 kB\nSwap: 5 kB\nSwapPss: 6 kB\nShared_Hugetlb: 7 kB\nPrivate_Hugetlb: 8 kB\n"
                       "VmFlags: rd ex sh mr nr\n"));
    QCOMPARE(map.mappings().size(), size_t(1));
    const MemoryMapping &one = map.mappings().front();
    QCOMPARE(one.begin, std::uintptr_t(0x7f00));
    QCOMPARE(one.end, std::uintptr_t(0x8f00));
    QVERIFY(one.readable && !one.writable && one.executable && one.shared);
    QCOMPARE(one.device, std::uint64_t(makedev(0xfe, 1)));
    QCOMPARE(one.inode, std::uint64_t(1234));
    QCOMPARE(one.name, std::string("/usr/lib/a b.so (deleted)"));
    QCOMPARE(one.resident, std::uint64_t(12 * 1024));
    QCOMPARE(one.own, std::uint64_t(3 * 1024));
    QCOMPARE(one.anonymous, std::uint64_t(4 * 1024));
    QCOMPARE(one.fromFile(), std::uint64_t(8 * 1024));
    QCOMPARE(one.swapped, std::uint64_t(5 * 1024));
    QCOMPARE(one.huge, std::uint64_t(15 * 1024));
    QVERIFY(one.unreserved);
    QVERIFY(read(&map, mapping("1000-2000 rw-p 0 0:0 0", 1)));
    QVERIFY(!map.mappings().front().unreserved);
}

void tst_MemoryMap::findsAnAddress()
{
    MemoryMap map;
    QVERIFY(read(&map, mapping("1000-2000 rw-p 0 0:0 0", 1) + mapping("3000-4000 rw-p 0 0:0 0", 2)));
    QVERIFY(!map.find(0xfff));
    QCOMPARE(map.find(0x1000)->resident, std::uint64_t(1024));
    QVERIFY(!map.find(0x2000));
    QCOMPARE(map.find(0x3fff)->resident, std::uint64_t(2048));
    QVERIFY(!map.find(0x4000));
}

void tst_MemoryMap::addsUpWhatIsOnePart()
{
    MemoryMap map;
    QVERIFY(read(&map, "1000-2000 rw-p 0 0:0 0\nPrivate_Clean: 3 kB\nPrivate_Dirty: 4 kB\n"));
    QCOMPARE(map.mappings().front().own, std::uint64_t(7 * 1024));
}

void tst_MemoryMap::keepsNamesAsTheyAre()
{
    MemoryMap map;
    const QByteArray name = "/tmp/\x1b[31mRss: 9 kB\\012Rss: 5 kB";
    QVERIFY(read(&map, mapping("1000-2000 rw-p 0 0:0 7 " + name, 1)));
    QCOMPARE(map.mappings().front().name, name.toStdString());
    QCOMPARE(map.mappings().front().resident, std::uint64_t(1024));
}

void tst_MemoryMap::refusesNothing()
{
    MemoryMap map;
    QVERIFY(!read(&map, ""));
    QVERIFY(!map.read(-1));
}

void tst_MemoryMap::survivesNonsense_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("a value first") << QByteArray("Rss: 5 kB\n");
    QTest::newRow("no end") << QByteArray("1000 rw-p\n");
    QTest::newRow("backwards") << QByteArray("2000-1000 rw-p 0 0:0 0\n");
    QTest::newRow("short") << QByteArray("1000-2000\n1000-2000 rw\n1000-2000 \n");
    QTest::newRow("empty lines") << QByteArray("\n\n\n");
    QTest::newRow("zero bytes") << QByteArray("\0\0\n", 3);
    QTest::newRow("without line breaks") << QByteArray(1 << 20, 'a');
}

void tst_MemoryMap::survivesNonsense()
{
    QFETCH(QByteArray, text);
    MemoryMap map;
    QVERIFY(!read(&map, text));
    QVERIFY(read(&map, text + "\n" + mapping("1000-2000 rw-p 0 0:0 0 " + QByteArray(100000, 'n'), 3)));
    QCOMPARE(map.mappings().size(), size_t(1));
    QCOMPARE(map.mappings().front().resident, std::uint64_t(3 * 1024));
    QVERIFY(map.mappings().front().name.size() < 10000);
}

void tst_MemoryMap::keepsTheSumBeyondItsLimit()
{
    QByteArray text;
    const size_t count = MemoryMap::MostMappings + 1000;
    for (size_t i = 0; i < count; ++i)
        text += QByteArray::number(qulonglong(i + 1) * 4096, 16) + '-' + QByteArray::number(qulonglong(i + 2) * 4096, 16)
                + " rw-p 0 0:0 0\nRss: 4 kB\n";
    MemoryMap map;
    QVERIFY(read(&map, text));
    QCOMPARE(map.mappings().size(), MemoryMap::MostMappings);
    std::uint64_t sum = 0;
    for (const MemoryMapping &one : map.mappings())
        sum += one.resident;
    QCOMPARE(sum, std::uint64_t(count) * 4096);
}

void tst_MemoryMap::readsItsOwnProcess()
{
    QFile file(QStringLiteral("/proc/self/smaps"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    MemoryMap map;
    QVERIFY(map.read(file.handle()));
    int local = 0;
    const MemoryMapping *stack = map.find(std::uintptr_t(&local));
    QVERIFY(stack);
    QCOMPARE(stack->name, std::string("[stack]"));
    QVERIFY(stack->resident > 0);
}

QTEST_APPLESS_MAIN(tst_MemoryMap)
#include "tst_memorymap.moc"
