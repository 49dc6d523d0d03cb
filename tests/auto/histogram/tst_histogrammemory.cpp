// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "memorymodel.h"

#include <QtCore/qregularexpression.h>

// Whose the memory of the process is: the rows, and the page.
class tst_HistogramMemory : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void ownersAddUpToWhatIsResident();
    void failedReadingKeepsTheRows();
    void pageShowsOwnersAndWhatIsNotResident();
    void pageKeepsItsLayoutWhenTheWindowJumps();
    void readsInAnotherThreadWhileShown();
    void forgetsTheProcessBefore();
    void saysWhyTheMemoryCannotBeRead();
    void saysThatTheProcessHasEnded();
    void savedSnapshotShowsThePoolOnly();
    void readsThisProcess();

private:
    void openPage(QSize size = Wide);
};

static CommandLine onMemory()
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"memory"_s));
    return options;
}

void tst_HistogramMemory::openPage(QSize size)
{
    open(size, sampleSnapshot(), onMemory());
    QTRY_VERIFY(m_monitor->inspection()->memory()->isReady());
    layOut();
}

static QStringList titles(const MemoryModel &model, MemoryModel::Kind kind)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row) {
        if (model.index(row).data(MemoryModel::KindRole).toInt() == kind)
            result += model.index(row).data(MemoryModel::TitleRole).toString();
    }
    return result;
}

void tst_HistogramMemory::ownersAddUpToWhatIsResident()
{
    MemoryModel model;
    QVERIFY(!model.isReady());
    model.setReading(sampleMemory());
    QVERIFY(model.isReady());
    constexpr qint64 MiB = 1024 * 1024;
    QCOMPARE(model.resident(), 40 * MiB);
    QCOMPARE(model.pool(), 20 * MiB);
    QCOMPARE(model.script(), 6 * MiB);
    QCOMPARE(model.byGroup(), (QList<qreal> { 20 * MiB, 2 * MiB, 6 * MiB, 11 * MiB, 1 * MiB }));
    QCOMPARE(titles(model, MemoryModel::Owner).size(), 11); // what is empty is left out
    QCOMPARE(titles(model, MemoryModel::Beyond).size(), 2);
    QCOMPARE(titles(model, MemoryModel::Heading).size(), 1);
    QCOMPARE(titles(model, MemoryModel::Note).size(), 1);
    qint64 owned = 0;
    for (int row = 0; row < model.count(); ++row) {
        const QModelIndex index = model.index(row);
        const qint64 bytes = index.data(MemoryModel::BytesRole).toLongLong();
        if (index.data(MemoryModel::KindRole).toInt() == MemoryModel::Owner)
            owned += bytes;
        else if (index.data(MemoryModel::KindRole).toInt() == MemoryModel::Sum)
            QCOMPARE(owned, bytes); // the sum is below its parts
    }
    QCOMPARE(owned, 40 * MiB);
}

void tst_HistogramMemory::failedReadingKeepsTheRows()
{
    MemoryModel model;
    MemoryReading failed;
    failed.error = u"process 1's memory may not be read"_s;
    model.setReading(failed);
    QVERIFY(!model.isReady());
    QCOMPARE(model.error(), failed.error);
    model.setReading(sampleMemory());
    QCOMPARE(model.error(), QString());
    const int rows = model.count();
    model.setReading(failed);
    QVERIFY(model.isReady());
    QCOMPARE(model.count(), rows);
    QCOMPARE(model.error(), failed.error);
    model.clear();
    QCOMPARE(model.count(), 0);
    QVERIFY(!model.isReady());
}

void tst_HistogramMemory::pageShowsOwnersAndWhatIsNotResident()
{
    openPage();
    QCOMPARE(text(u"pageTitle"_s), u"Memory"_s);
    QCOMPARE(item(u"residentTile"_s)->property("value").toString(), u"40\u00a0MiB"_s);
    QCOMPARE(item(u"residentPoolTile"_s)->property("value").toString(), u"20\u00a0MiB"_s);
    QCOMPARE(item(u"hiddenTile"_s)->property("value").toString(), u"≥ 5\u00a0MiB"_s);
    QStringList shown;
    QStringList estimates;
    forEachItem(item(u"memoryList"_s), [&](QQuickItem *item) {
        if (item->objectName() == u"memoryRow"_s && item->isVisible())
            shown += item->property("title").toString();
        if (item->objectName() == u"memoryNumber"_s && item->isVisible()
            && !item->property("text").toString().isEmpty())
            estimates += item->property("text").toString();
    });
    QCOMPARE(shown.size(), 11 + 1 + 1 + 2 + 1);
    QCOMPARE(shown.indexOf(u"in all, as the system counts it (Rss)"_s), 11);
    QCOMPARE(shown.indexOf(u"Not resident, but taken"_s), 12);
    QCOMPARE(estimates, QStringList(u"estimate: at least"_s));
    QVERIFY(!item(u"memoryError"_s));
    QVERIFY(!item(u"memoryStateTitle"_s));
    click(segment(u"memoryPart"_s, 1));
    QVERIFY(item(u"memoryLiveTile"_s));
    QVERIFY(!item(u"residentTile"_s));
}

void tst_HistogramMemory::pageKeepsItsLayoutWhenTheWindowJumps()
{
    openPage(Medium);
    for (QSize size : Jumps) {
        jumpTo(size, u"memory"_s);
        QCOMPARE(overlaps().join(u"; "_s), QString());
        QVERIFY(item(u"memoryList"_s)->height() > 100);
    }
    click(segment(u"memoryPart"_s, 1));
    for (QSize size : Jumps) {
        jumpTo(size, u"poolmemory"_s);
        QCOMPARE(overlaps().join(u"; "_s), QString());
    }
}

void tst_HistogramMemory::readsInAnotherThreadWhileShown()
{
    open(Wide);
    const int reads = m_answers->reads;
    QTRY_VERIFY(m_answers->reads > reads + 2);
    FakeInspector *inspector = m_answers->inspector.get();
    QCOMPARE(inspector->memoryReadings, 0);
    key(Qt::Key_3);
    QTRY_VERIFY(inspector->memoryReadings > 0);
    QVERIFY(inspector->lastThread != QThread::currentThread());
    QTRY_VERIFY(inspector->memoryReadings > 1); // again and again
    key(Qt::Key_Space);
    QTRY_VERIFY(m_monitor->inspection()->memory()->isReady());
    const int readings = inspector->memoryReadings;
    key(Qt::Key_1);
    key(Qt::Key_3);
    QCOMPARE(inspector->memoryReadings, readings); // paused
}

void tst_HistogramMemory::forgetsTheProcessBefore()
{
    openPage();
    MemoryReading other;
    other.owners = { { u"heap"_s, u"the rest of malloc: heap"_s, 4096 } };
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    m_processes.answers->inspector->setMemory(other);
    m_control->watch(4242);
    QVERIFY(!m_monitor->inspection()->memory()->isReady());
    QTRY_COMPARE(m_monitor->inspection()->memory()->resident(), 4096);
}

void tst_HistogramMemory::saysWhyTheMemoryCannotBeRead()
{
    open(QSize(900, 600));
    MemoryReading failed;
    failed.error = u"process 4242's memory may not be read: it is another user's"_s;
    m_answers->inspector->setMemory(failed);
    key(Qt::Key_3);
    QTRY_COMPARE(text(u"memoryStateTitle"_s), u"The memory cannot be read"_s);
    QCOMPARE(text(u"memoryStateText"_s), failed.error + u'.');
    m_answers->inspector->setMemory(sampleMemory());
    QTRY_VERIFY(m_monitor->inspection()->memory()->isReady());
    m_answers->inspector->setMemory(failed);
    QTRY_VERIFY(item(u"memoryError"_s));
    QVERIFY(!item(u"bannerButton"_s)); // a banner without an action
    QVERIFY(item(u"memoryList"_s)); // the last reading remains
}

void tst_HistogramMemory::saysThatTheProcessHasEnded()
{
    open(QSize(900, 600));
    m_answers->become(SnapshotSource::Status::Gone, u"designer (process 4242) has ended"_s);
    QTRY_COMPARE(m_monitor->state(), PoolMonitor::Gone);
    key(Qt::Key_3);
    QCOMPARE(text(u"memoryStateTitle"_s), u"The process has ended"_s);
    QCOMPARE(m_answers->inspector->memoryReadings, 0);
    QVERIFY(item(u"goneBanner"_s));
}

void tst_HistogramMemory::savedSnapshotShowsThePoolOnly()
{
    open(Wide, sampleSnapshot(), onMemory());
    m_monitor->setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::File, u"saved.json"_s, m_answers));
    layOut();
    QVERIFY(item(u"memoryLiveTile"_s));
    QVERIFY(!item(u"memoryPart"_s));
}

// What the window shows of a real process is what the kernel reports.
void tst_HistogramMemory::readsThisProcess()
{
#ifdef Q_OS_LINUX
    const auto inspector = Inspector::of(QCoreApplication::applicationPid());
    MemoryModel model;
    model.setReading(inspector->memory());
    QVERIFY2(model.isReady(), qPrintable(model.error()));
    QFile status(u"/proc/self/status"_s);
    QVERIFY(status.open(QIODevice::ReadOnly));
    static const QRegularExpression rss(u"VmRSS:\\s+(\\d+) kB"_s);
    const qint64 reported = rss.match(QString::fromUtf8(status.readAll())).captured(1).toLongLong() * 1024;
    QVERIFY(reported > 0);
    // The process allocates between the two, and the kernel's counter lags behind.
    QVERIFY2(qAbs(model.resident() - reported) < reported / 10,
             qPrintable(u"%1 and %2"_s.arg(model.resident()).arg(reported)));
    const MemoryReading none = Inspector::of(0x7fffffff)->memory();
    QVERIFY2(none.error.contains(u"there is no process"_s), qPrintable(none.error));
#else
    QVERIFY(Inspector::of(1)->memory().error.contains(u"Linux"_s));
#endif
}

QTEST_MAIN(tst_HistogramMemory)

#include "tst_histogrammemory.moc"
