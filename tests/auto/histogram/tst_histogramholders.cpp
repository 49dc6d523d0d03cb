// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "classmodel.h"
#include "holdermodel.h"

#include <QtCore/qregularexpression.h>

// A class that is chosen in the list of classes: who holds its objects, which there are, and who allocated them.
class tst_HistogramHolders : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void listsHoldersSitesAndObjects();
    void explainsWhatHasNoClass();
    void saysWhySitesAreMissing();
    void clickShowsWhoHoldsAClass();
    void keysChooseAndCloseAClass();
    void chosenRowStaysWithItsClass();
    void saysThatASavedSnapshotHasNone();
    void anotherClassReplacesTheFirst();
    void pageKeepsItsLayoutWhenTheWindowJumps();
    void anEndedProcessHasOneBanner();
    void saysThatAProcessHasNoPool();

private:
    void openPage(QSize size = Wide);
    QQuickItem *row(const QString &title) const;
};

void tst_HistogramHolders::openPage(QSize size)
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"classes"_s));
    open(size, sampleSnapshot(), options);
    QTRY_COMPARE(m_monitor->classes()->count(), 5);
    layOut();
}

QQuickItem *tst_HistogramHolders::row(const QString &title) const
{
    QQuickItem *result = nullptr;
    forEachItem(item(u"classList"_s), [&](QQuickItem *item) {
        if (item->isVisible() && item->objectName() == u"classRow"_s && item->property("titleText") == title)
            result = item;
    });
    return result;
}

static QStringList texts(const HolderModel &model, HolderModel::Kind kind)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row) {
        const QModelIndex index = model.index(row);
        if (index.data(HolderModel::KindRole).toInt() == kind) {
            const QString number = index.data(HolderModel::NumberRole).toString();
            result += (number.isEmpty() ? QString() : number + u": "_s) + index.data(HolderModel::TextRole).toString();
        }
    }
    return result;
}

void tst_HistogramHolders::listsHoldersSitesAndObjects()
{
    HolderModel model;
    model.choose(u"object"_s, u"QTimer"_s);
    QCOMPARE(model.type(), u"QTimer"_s);
    QCOMPARE(model.count(), 0);
    model.setObjects(sampleObjects());
    model.setHeap(sampleHeap());
    QCOMPARE(texts(model, HolderModel::Heading).first(), u"120 objects, by the class of their parents"_s);
    QCOMPARE(texts(model, HolderModel::Heading).size(), 6);
    const QStringList counts = texts(model, HolderModel::Count);
    QCOMPARE(counts.at(0), u"100: in 1 of class Session; most, 100, in 0x5583a75e2190 \"printer\""_s);
    QCOMPARE(counts.at(1), u"20: without a parent"_s);
    QCOMPARE(counts.at(2), u"12.5\u00a0MiB: Cache::insert (cache.cpp:41)  <  MainWindow::open (mainwindow.cpp:120)"_s);
    QVERIFY(counts.contains(u"3: wait for deleteLater"_s));
    QVERIFY(counts.contains(u"120: thread 4242 \"main\""_s));
    QCOMPARE(texts(model, HolderModel::Object).first(), u"0x5583a75e3000 \"reply-timeout\""_s);
    QCOMPARE(texts(model, HolderModel::Parent),
             (QStringList { u"in Session \"printer\" 0x5583a75e2190"_s, u"in QApplication 0x7ffe3000"_s,
                            u"without a parent"_s }));
    model.choose(u"event"_s, u"QEvent (DeferredDelete)"_s); // its events have a type, too
    QCOMPARE(model.type(), u"QEvent"_s);
    model.choose(u"heap"_s, u"(anonymous namespace)::Item"_s);
    QCOMPARE(model.type(), u"(anonymous namespace)::Item"_s);
}

void tst_HistogramHolders::explainsWhatHasNoClass()
{
    openPage();
    click(row(u"(no class)"_s));
    HolderModel *holders = m_monitor->inspection()->holders();
    QTRY_COMPARE(texts(*holders, HolderModel::Count).size(), 3); // the sites
    QVERIFY(texts(*holders, HolderModel::Note).first().contains(u"do not begin with a vtable"_s));
    QCOMPARE(m_answers->inspector->objectReadings, 0);
}

void tst_HistogramHolders::saysWhySitesAreMissing()
{
    HolderModel model;
    model.choose(u"object"_s, u"QTimer"_s);
    model.setObjects(sampleObjects());
    HeapReading heap;
    model.setHeap(heap);
    QVERIFY(texts(model, HolderModel::Note).first().startsWith(u"Sampling is off"_s));
    heap.interval = 1;
    model.setHeap(heap);
    QVERIFY(texts(model, HolderModel::Note).first().contains(u"not"_s)
            || texts(model, HolderModel::Note).first().startsWith(u"None"_s));
    heap.error = u"process 1 may not be read"_s;
    model.setHeap(heap);
    QCOMPARE(texts(model, HolderModel::Note).first(), u"process 1 may not be read."_s);
    ObjectReading none;
    none.error = u"no object of class QTimer has a part in the pool"_s;
    model.setObjects(none);
    QCOMPARE(texts(model, HolderModel::Note).first(), none.error + u'.');
}

void tst_HistogramHolders::clickShowsWhoHoldsAClass()
{
    openPage();
    QVERIFY(!item(u"holdersCard"_s));
    click(row(u"QTimer"_s));
    QVERIFY(item(u"holdersCard"_s));
    QCOMPARE(text(u"holdersTitle"_s), u"QTimer"_s);
    FakeInspector *inspector = m_answers->inspector.get();
    QTRY_VERIFY(inspector->heapReadings > 0);
    QCOMPARE(inspector->lastType, u"QTimer"_s);
    QTRY_VERIFY(m_monitor->inspection()->holders()->count() > 10);
    QVERIFY(row(u"QTimer"_s)->property("chosen").toBool());
    QTRY_VERIFY(inspector->objectReadings > 1); // again and again
    click(item(u"closeHolders"_s));
    QVERIFY(!item(u"holdersCard"_s));
}

void tst_HistogramHolders::keysChooseAndCloseAClass()
{
    openPage(QSize(900, 600));
    item(u"classList"_s)->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Down);
    key(Qt::Key_Return);
    QVERIFY(item(u"holdersCard"_s));
    QCOMPARE(text(u"holdersTitle"_s), u"QTimerPrivate"_s);
    key(Qt::Key_Escape);
    QVERIFY(!item(u"holdersCard"_s));
    QVERIFY(item(u"classList"_s)->hasActiveFocus());
}

// The next census may put another class in its place.
void tst_HistogramHolders::chosenRowStaysWithItsClass()
{
    openPage(Wide);
    const QQuickItem *list = item(u"classList"_s);
    item(u"classList"_s)->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Down);
    QCOMPARE(list->property("currentIndex").toInt(), 1);
    m_answers->census.classes.append({ u"heap"_s, u"Grows"_s, {}, 500, 400000 });
    m_monitor->takeCensus();
    QCOMPARE(list->property("currentIndex").toInt(), 2);
    m_answers->census.classes.removeLast();
    m_monitor->takeCensus();
    QCOMPARE(list->property("currentIndex").toInt(), 1);
    key(Qt::Key_Return);
    QCOMPARE(text(u"holdersTitle"_s), u"QTimerPrivate"_s);
    key(Qt::Key_Escape);

    // The last one, when there are fewer.
    for (int i = 0; i < 3; ++i)
        key(Qt::Key_Down);
    QCOMPARE(list->property("currentIndex").toInt(), 4);
    m_answers->census.classes.removeFirst();
    m_monitor->takeCensus();
    QCOMPARE(list->property("currentIndex").toInt(), 3);
    key(Qt::Key_Return);
    QCOMPARE(text(u"holdersTitle"_s), u"QEvent (DeferredDelete)"_s);
}

void tst_HistogramHolders::saysThatASavedSnapshotHasNone()
{
    PoolMonitor monitor;
    auto answers = std::make_shared<FakeAnswers>();
    answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    answers->inspector.reset();
    monitor.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::File, u"saved.json"_s, answers));
    monitor.inspection()->chooseClass(u"object"_s, u"QTimer"_s);
    const QStringList notes = texts(*monitor.inspection()->holders(), HolderModel::Note);
    QVERIFY2(notes.join(u' ').contains(u"a saved snapshot does not have them"_s), qPrintable(notes.join(u' ')));
    monitor.inspection()->readSites();
    QVERIFY(monitor.inspection()->sites()->error().contains(u"a saved snapshot"_s));
}

void tst_HistogramHolders::anotherClassReplacesTheFirst()
{
    openPage();
    click(row(u"QTimer"_s));
    click(row(u"QQuickRectangle"_s));
    QTRY_COMPARE(m_answers->inspector->lastType, u"QQuickRectangle"_s);
    QCOMPARE(text(u"holdersTitle"_s), u"QQuickRectangle"_s);
    m_control->watchThis(); // another process: nothing is chosen
    QVERIFY(!m_monitor->inspection()->holders()->isChosen());
}

void tst_HistogramHolders::pageKeepsItsLayoutWhenTheWindowJumps()
{
    openPage(Medium);
    click(row(u"QTimer"_s));
    QTRY_VERIFY(m_monitor->inspection()->holders()->count() > 15);
    for (QSize size : Jumps) {
        jumpTo(size, u"holders"_s);
        QCOMPARE(overlaps().join(u"; "_s), QString());
        QVERIFY(item(u"holderList"_s)->height() > 100);
        QVERIFY(item(u"classList"_s)->height() > 60);
    }
}

void tst_HistogramHolders::anEndedProcessHasOneBanner()
{
    openPage();
    click(row(u"QTimer"_s));
    m_answers->census = { {}, 0, u"process 4242 has ended"_s };
    m_answers->become(SnapshotSource::Status::Gone, u"designer (process 4242) has ended"_s);
    QTRY_VERIFY(item(u"goneBanner"_s));
    m_monitor->takeCensus();
    layOut();
    QVERIFY(!item(u"censusError"_s));
    QVERIFY(item(u"holdersCard"_s)); // what was read remains
}

void tst_HistogramHolders::saysThatAProcessHasNoPool()
{
    // This test runs on a QtCore without a pool.
    const ObjectReading reading = Inspector::of(QCoreApplication::applicationPid())->objects(u"QTimer"_s);
    QVERIFY(!reading.error.isEmpty());
    const HeapReading heap = Inspector::of(QCoreApplication::applicationPid())->heap();
    QVERIFY(!heap.error.isEmpty());
    QVERIFY(!Inspector::of(QCoreApplication::applicationPid())->setSampled(true).isEmpty());
}

QTEST_MAIN(tst_HistogramHolders)

#include "tst_histogramholders.moc"
