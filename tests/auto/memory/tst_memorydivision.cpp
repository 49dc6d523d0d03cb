// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "qpoolmemoryowners.h"
#include "qpoolsharedfiles.h"

#include <QtCore/QDir>
#include <QtCore/QFile>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

#include <sys/mman.h>
#include <unistd.h>

using namespace QPool;
using Owner = MemoryOwner;

// To whom mappings belong, and what files in memory take beyond them.
class tst_MemoryDivision : public QObject
{
    Q_OBJECT

private slots:
    void knowsTheOwnerByName_data();
    void knowsTheOwnerByName();
    void knowsThePoolByItsPlaces();
    void knowsAStackByAnAddress();
    void knowsScriptsWithoutFiles();
    void dividesFilesByTheirPages();
    void neverSharesOutMoreThanIsResident_data();
    void neverSharesOutMoreThanIsResident();
    void showsNoMoreLiveThanThereIs();
    void findsAForgedPoolHarmless();
    void knowsAFileByItsDescriptor();
    void estimatesAFileThatItCannotReach();
    void addsUpGraphicsByClient();
};

static MemoryMapping mapping(const std::string &name, std::uint64_t resident = 4096)
{
    MemoryMapping result;
    result.begin = 0x10000;
    result.end = 0x20000;
    result.readable = result.writable = true;
    result.name = name;
    result.resident = resident;
    return result;
}

static Owner ownerOf(const MemoryMapping &one, const PoolPlaces &places = {}, std::vector<std::uintptr_t> stacks = {})
{
    const auto parts = MemoryDivision(places, std::move(stacks)).divide(one);
    return parts.size() == 1 ? parts[0].owner : Owner::FilesOwn;
}

void tst_MemoryDivision::knowsTheOwnerByName_data()
{
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<int>("owner");
    const auto add = [](const char *name, Owner owner) { QTest::newRow(name) << QByteArray(name) << int(owner); };
    add("[heap]", Owner::Heap);
    add("[stack]", Owner::Stacks);
    add("[anon: glibc: pthread stack: 77]", Owner::Stacks);
    add("[anon:dart-heap]", Owner::Anonymous);
    add("[vdso]", Owner::System);
    add("/memfd:JSGCHeap:QtQml (deleted)", Owner::ScriptHeap);
    add("/memfd:JSVMStack:QtQml (deleted)", Owner::ScriptStack);
    add("/memfd:JITCode:QtQml (deleted)", Owner::MadeCode);
    add("/memfd:JSGCHeap:QtQmlx (deleted)", Owner::SharedMemory);
    add("/memfd::QtQml (deleted)", Owner::ScriptHeap);
    add("/memfd:", Owner::SharedMemory);
    add("/SYSV00000000 (deleted)", Owner::SharedMemory);
    add("/dev/shm/x", Owner::SharedMemory);
    add("/dev/zero (deleted)", Owner::SharedMemory);
    add("/dev/dri/renderD128", Owner::Graphics);
    add("/dmabuf:", Owner::Graphics);
    add("/memfd:qpool-monitor-1 (deleted)", Owner::PoolMetadata);
    add("/usr/lib/JSGCHeap:QtQml (deleted)", Owner::FilesOwn);
    add("/", Owner::FilesOwn);
}

void tst_MemoryDivision::knowsTheOwnerByName()
{
    QFETCH(QByteArray, name);
    QFETCH(int, owner);
    QCOMPARE(int(ownerOf(mapping(name.toStdString()))), owner);
}

void tst_MemoryDivision::knowsThePoolByItsPlaces()
{
    PoolPlaces places;
    places.pages = { { 0x8000, 0x10001 }, { 0x40000, 0x50000 } };
    places.metadata = { { 0x1f000, 0x1f010 } };
    MemoryMapping one = mapping("");
    QCOMPARE(ownerOf(one, places), Owner::PoolMetadata);
    places.metadata = { { 0x20000, 0x20010 } };
    QCOMPARE(ownerOf(one, places), Owner::PoolFree);
    places.pages[0].end = 0x10000;
    QCOMPARE(ownerOf(one, places), Owner::Anonymous);
    one.executable = true;
    QCOMPARE(ownerOf(one, places), Owner::MadeCode);
}

void tst_MemoryDivision::knowsAStackByAnAddress()
{
    QCOMPARE(ownerOf(mapping(""), {}, { 0x1000, 0x1ff00, 0x30000 }), Owner::Stacks);
    QCOMPARE(ownerOf(mapping(""), {}, { 0x1000, 0x20000 }), Owner::Anonymous);
    QCOMPARE(ownerOf(mapping("[heap]"), {}, { 0x1ff00 }), Owner::Heap);
}

void tst_MemoryDivision::knowsScriptsWithoutFiles()
{
    PoolPlaces places;
    places.pages = { { 0x40000, 0x50000 } };
    MemoryMapping one = mapping("");
    const auto owner = [&](bool scripts) { return MemoryDivision(places, {}, scripts).divide(one)[0].owner; };
    QCOMPARE(owner(true), Owner::Anonymous);
    one.unreserved = true;
    QCOMPARE(owner(true), Owner::ScriptHeap);
    QCOMPARE(owner(false), Owner::Anonymous);
    one.name = "[anon:other]";
    QCOMPARE(owner(true), Owner::Anonymous);
    one.name.clear();
    places.pages[0].begin = 0x10000;
    QCOMPARE(owner(true), Owner::PoolFree);
    places.pages.clear(); // the pool is disabled, and glibc has arenas
    QCOMPARE(owner(true), Owner::Anonymous);
}

void tst_MemoryDivision::dividesFilesByTheirPages()
{
    MemoryMapping one = mapping("/usr/lib/libc.so", 100);
    one.anonymous = 20;
    one.own = 50; // with the anonymous ones
    const auto parts = MemoryDivision({}, {}).divide(one);
    QCOMPARE(parts.size(), size_t(3));
    QCOMPARE(parts[0].owner, Owner::FilesChanged);
    QCOMPARE(parts[0].bytes, std::uint64_t(20));
    QCOMPARE(parts[1].owner, Owner::FilesOwn);
    QCOMPARE(parts[1].bytes, std::uint64_t(30));
    QCOMPARE(parts[2].owner, Owner::FilesShared);
    QCOMPARE(parts[2].bytes, std::uint64_t(50));
}

void tst_MemoryDivision::neverSharesOutMoreThanIsResident_data()
{
    QTest::addColumn<quint64>("resident");
    QTest::addColumn<quint64>("anonymous");
    QTest::addColumn<quint64>("own");
    QTest::newRow("more anonymous") << quint64(10) << quint64(20) << quint64(5);
    QTest::newRow("more own") << quint64(10) << quint64(2) << quint64(50);
    QTest::newRow("nothing") << quint64(0) << quint64(2) << quint64(50);
    QTest::newRow("all") << quint64(10) << quint64(0) << quint64(10);
}

void tst_MemoryDivision::neverSharesOutMoreThanIsResident()
{
    QFETCH(quint64, resident);
    QFETCH(quint64, anonymous);
    QFETCH(quint64, own);
    MemoryMapping one = mapping("/a", resident);
    one.anonymous = anonymous;
    one.own = own;
    std::uint64_t sum = 0;
    for (const auto &part : MemoryDivision({}, {}).divide(one))
        sum += part.bytes;
    QCOMPARE(sum, std::uint64_t(resident));
}

void tst_MemoryDivision::showsNoMoreLiveThanThereIs()
{
    MemoryDivision::Named parts { { { Owner::PoolFree, "" }, 100 }, { { Owner::PoolFree, "[anon:a]" }, 20 } };
    MemoryDivision::setLive(parts, { 30, 0, 60, 50 });
    const MemoryDivision::Named expected {
        { { Owner::PoolEvents, "" }, 30 },     { { Owner::PoolPrivates, "" }, 60 },
        { { Owner::PoolHeap, "" }, 10 },       { { Owner::PoolHeap, "[anon:a]" }, 20 },
        { { Owner::PoolObjects, "" }, 0 },     { { Owner::PoolFree, "" }, 0 },
        { { Owner::PoolFree, "[anon:a]" }, 0 }, { { Owner::PoolEvents, "[anon:a]" }, 0 },
        { { Owner::PoolObjects, "[anon:a]" }, 0 }, { { Owner::PoolPrivates, "[anon:a]" }, 0 },
    };
    QVERIFY(parts == expected);
}

namespace {

// A process's memory at address 0, filled with one word.
struct Filled final : ReadableMemory
{
    std::uintptr_t word = 0;
    std::size_t readSome(std::uintptr_t, void *to, std::size_t bytes) const noexcept override
    {
        for (std::size_t i = 0; i < bytes; ++i)
            static_cast<unsigned char *>(to)[i] = reinterpret_cast<const unsigned char *>(&word)[i % sizeof(word)];
        return bytes;
    }
};

} // namespace

void tst_MemoryDivision::findsAForgedPoolHarmless()
{
    LayoutFacts facts {};
    facts.windows.count = 1024;
    facts.windows.shift = 32;
    facts.windows.firstPage = 1088;
    facts.page.bytes = 65536;
    facts.header.bytes = 64;
    facts.arena.bytes = 64;
    facts.remoteCache.bytes = 64;
    PoolPlaces places;
    Filled memory;
    QVERIFY(places.read(memory, facts)); // a pool without a page or an arena
    QVERIFY(places.pages.empty());
    for (std::uintptr_t word : { std::uintptr_t(64), std::uintptr_t(1) << 40, ~std::uintptr_t(0), ~std::uintptr_t(63) }) {
        memory.word = word;
        QVERIFY(!places.read(memory, facts)); // a list that comes back to itself, ranges beyond all memory
    }
}

void tst_MemoryDivision::knowsAFileByItsDescriptor()
{
    if (!QFile::exists(QStringLiteral("/proc/self/fd")))
        QSKIP("there is no /proc");
    const int file = memfd_create("QPool test", MFD_CLOEXEC);
    QVERIFY(file >= 0);
    QCOMPARE(write(file, QByteArray(100000, 'x').constData(), 100000), ssize_t(100000));
    SharedFiles files;
    files.read(ProcFolder("/proc/self"), MemoryMap());
    std::uint64_t beyond = 0;
    files.forEach([&](const SharedFiles::File &one) {
        if (one.name == "/memfd:QPool test (deleted)" && one.known)
            beyond = one.beyond();
    });
    QCOMPARE(beyond, std::uint64_t(25 * 4096));
    close(file);
}

void tst_MemoryDivision::estimatesAFileThatItCannotReach()
{
    SharedFiles::File one;
    one.resident = 1000;
    one.copies = 300;
    QCOMPARE(one.beyond(), std::uint64_t(300));
    one.known = true;
    one.allocated = 5000;
    QCOMPARE(one.beyond(), std::uint64_t(4000));
    one.allocated = 10; // given back meanwhile
    QCOMPARE(one.beyond(), std::uint64_t(0));
}

void tst_MemoryDivision::addsUpGraphicsByClient()
{
    QTemporaryDir folder;
    QDir(folder.path()).mkpath(QStringLiteral("fdinfo"));
    QDir(folder.path()).mkpath(QStringLiteral("fd"));
    const auto add = [&](const QString &number, const QString &target, const QByteArray &text) {
        QFile::link(target, folder.filePath(QStringLiteral("fd/") + number));
        QFile file(folder.filePath(QStringLiteral("fdinfo/") + number));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    const QString device = QStringLiteral("/dev/dri/renderD128");
    const QByteArray first = "pos: 0\ndrm-client-id:\t7\ndrm-total-system0:\t9 MiB\ndrm-resident-system0:\t3 KiB\n"
                             "drm-resident-vram0:\t2 MiB\n";
    add(QStringLiteral("3"), device, first);
    add(QStringLiteral("4"), device, first); // the same client
    add(QStringLiteral("5"), device, "drm-client-id:\t8\ndrm-memory-vram:\t4 KiB\n");
    add(QStringLiteral("6"), QStringLiteral("/dev/null"), "drm-client-id:\t9\ndrm-resident-vram:\t1 GiB\n");
    add(QStringLiteral("7"), device, "drm-resident-:\ndrm-resident-x\n:::\n");
    QCOMPARE(graphicsBytes(ProcFolder(folder.path().toStdString())), std::uint64_t(3 * 1024 + 2 * 1024 * 1024 + 4096));
}

QTEST_APPLESS_MAIN(tst_MemoryDivision)
#include "tst_memorydivision.moc"
