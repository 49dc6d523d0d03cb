// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>

#include <algorithm>

// A whole program, and one on QtCore alone.
class tst_HistogramWhole : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void showsFourHistogramsAtOnce();
    void showsAsManyAsThereIsRoomFor_data();
    void showsAsManyAsThereIsRoomFor();
    void smallWindowShowsOneAtATime();
    void adaptsWhenTheHeapComesAndGoes();
    void adaptsToTheChosenProcess();
    void labelsDoNotOverlap_data() { sizes(); }
    void labelsDoNotOverlap();
    void narrowBarsCanBeSelected_data() { sizes(); }
    void narrowBarsCanBeSelected();
    void legendOfMemoryListsTheHeap();
    void noteTellsWhereQmlIsCounted();

private:
    void become(const QByteArray &json);
    void sizes();
    HistogramItem *heap();
};

// The same happens when another process is chosen.
void tst_HistogramWhole::become(const QByteArray &json)
{
    m_answers->become(SnapshotSource::Status::Ready, {}, json);
    m_monitor->sample();
    layOut();
}

void tst_HistogramWhole::showsFourHistogramsAtOnce()
{
    open(Wide, wholeSnapshot());
    QCOMPARE(histograms().size(), 4);
    HistogramItem *heap = histograms().constLast();
    QCOMPARE(heap->model(), m_monitor->heap());
    // Two columns, all cards of the same size up to half a pixel.
    QList<qreal> xs, ys;
    const auto shown = histograms();
    for (HistogramItem *histogram : shown) {
        QCOMPARE(histogram->width(), heap->width());
        QVERIFY(qAbs(histogram->height() - heap->height()) <= 1);
        const QPointF at = histogram->mapToScene(QPointF(0, 0));
        if (!xs.contains(at.x()))
            xs.append(at.x());
        if (!ys.contains(at.y()))
            ys.append(at.y());
    }
    QCOMPARE(xs.size(), 2);
    QCOMPARE(ys.size(), 2);
    QVERIFY(item(u"trend"_s));
    // Of three, the heap has a row for itself; alone, it has all the space.
    const qreal half = heap->width();
    m_monitor->setFilter(u"event object heap"_s);
    layOut();
    QCOMPARE(histograms().size(), 3);
    QVERIFY(heap->width() > 2 * half);
    QCOMPARE(histograms().constFirst()->width(), half);
    m_monitor->setFilter(u"heap"_s);
    layOut();
    QCOMPARE(histograms(), QList<HistogramItem *>({ heap }));
    QVERIFY(heap->width() > 2 * half);
}

void tst_HistogramWhole::showsAsManyAsThereIsRoomFor_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("count");
    QTest::newRow("all") << QSize(1180, 740) << 4;
    QTest::newRow("all, magnified") << QSize(2360, 1480) << 4;
    QTest::newRow("not high enough") << QSize(1280, 720) << 1;
    QTest::newRow("not wide enough") << QSize(1000, 800) << 1;
}

void tst_HistogramWhole::showsAsManyAsThereIsRoomFor()
{
    QFETCH(QSize, size);
    open(size, wholeSnapshot());
    const auto shown = histograms();
    QTEST(int(shown.size()), "count");
    for (HistogramItem *histogram : shown)
        QVERIFY2(histogram->height() >= 90, qPrintable(QString::number(histogram->height())));
    forEachItem(m_window->contentItem(), [](QQuickItem *item) {
        if (item->isVisible() && item->inherits("QQuickText"))
            QVERIFY2(!item->property("truncated").toBool(), qPrintable(item->property("text").toString()));
    });
}

void tst_HistogramWhole::smallWindowShowsOneAtATime()
{
    open(Small, wholeSnapshot());
    QCOMPARE(histograms().size(), 1);
    click(segment(u"domainSegments"_s, 3));
    QCOMPARE(histograms().constFirst()->model(), m_monitor->heap());
    click(segment(u"domainSegments"_s, 4));
    QVERIFY(item(u"trend"_s));
    QVERIFY(histograms().isEmpty());
}

void tst_HistogramWhole::adaptsWhenTheHeapComesAndGoes()
{
    for (int page : { 0, 2, 3 }) {
        CommandLine options;
        options.page = page;
        open(Wide, wholeSnapshot(), options);
        for (const QByteArray &json : { sampleSnapshot(), wholeSnapshot() }) {
            become(json);
            if (page == 0)
                QCOMPARE(histograms().size(), m_monitor->hasHeap() ? 4 : 3);
        }
        close();
    }
    open(Small, wholeSnapshot());
    click(segment(u"domainSegments"_s, 4));
    become(sampleSnapshot());
    QVERIFY(item(u"trend"_s)); // the rates still
    become(wholeSnapshot());
    click(segment(u"domainSegments"_s, 3));
    become(sampleSnapshot());
    QCOMPARE(histograms().size(), 1); // there is no heap
    QCOMPARE(histograms().constFirst()->model(), m_monitor->privates());
}

void tst_HistogramWhole::adaptsToTheChosenProcess()
{
    // The page changes while it is hidden, and is shown at the same time.
    CommandLine options;
    options.choose = true;
    open(Wide, {}, options);
    m_processes.list = { { 1, u"part"_s, {}, {}, 0 }, { 2, u"whole"_s, {}, {}, 0 } };
    for (int i = 0; i < 4; ++i) {
        const bool whole = i % 2 == 0;
        key(Qt::Key_P);
        m_processes.answers->become(SnapshotSource::Status::Ready, {},
                                    whole ? wholeSnapshot() : sampleSnapshot());
        const QString row = whole ? u"process_2"_s : u"process_1"_s;
        QTRY_VERIFY(item(row));
        click(item(row));
        QCOMPARE(histograms().size(), whole ? 4 : 3);
    }
}

void tst_HistogramWhole::sizes()
{
    QTest::addColumn<QSize>("size");
    for (QSize size : { Small, QSize(800, 600), Wide, QSize(3840, 2160) })
        QTest::addRow("%dx%d", size.width(), size.height()) << size;
}

// If there is room for only one histogram at a time, it can be chosen.
HistogramItem *tst_HistogramWhole::heap()
{
    if (item(u"domainSegments"_s))
        click(segment(u"domainSegments"_s, 3));
    HistogramItem *heap = histograms().constLast();
    return heap->model() == m_monitor->heap() ? heap : nullptr;
}

// All 51 classes in use: the sizes below the bars are apart, and every bar can be seen.
void tst_HistogramWhole::labelsDoNotOverlap()
{
    QFETCH(QSize, size);
    QByteArray classes;
    const SizeClassModel layout(SizeClassModel::Heap);
    for (int row = 0; row < layout.count(); ++row) {
        const QByteArray bytes = QByteArray::number(layout.at(row).size);
        classes += (row ? ", " : "") + QByteArray("{ \"size\": ") + bytes
                   + ", \"allocated\": 9, \"freed\": 1, \"remote\": 0, \"live\": 8 }";
    }
    QByteArray json = wholeSnapshot();
    const qsizetype from = json.indexOf("{ \"size\": 32");
    json.replace(from, json.indexOf(']', from) - from, classes);
    open(size, json);
    HistogramItem *heap = this->heap();
    QVERIFY(heap);

    QList<QRectF> labels;
    QStringList labelled;
    const QRectF below = heap->mapRectToScene(QRectF(0, heap->height(), heap->width(), 1));
    forEachItem(heap->parentItem(), [&](QQuickItem *item) {
        if (!item->isVisible() || !item->inherits("QQuickText"))
            return;
        const QRectF rect = item->mapRectToScene(item->boundingRect());
        if (rect.top() >= below.top() && rect.right() > below.left()) {
            labels.append(rect);
            labelled.append(item->property("text").toString());
        }
    });
    std::sort(labels.begin(), labels.end(),
              [](const QRectF &a, const QRectF &b) { return a.left() < b.left(); });
    QVERIFY2(labels.size() >= 7, qPrintable(QString::number(labels.size())));
    for (qsizetype i = 1; i < labels.size(); ++i)
        QVERIFY(labels.at(i).left() > labels.at(i - 1).right() + 2);
    for (const auto &round : { u"128"_s, u"512"_s, u"1024"_s })
        QVERIFY2(labelled.contains(round), qPrintable(labelled.join(u' ')));
    for (int row = 1; row < heap->model()->count(); ++row) {
        QVERIFY(heap->barRect(row).width() >= 4);
        QVERIFY(heap->barRect(row).left() >= heap->barRect(row - 1).right() + 1);
    }
}

void tst_HistogramWhole::narrowBarsCanBeSelected()
{
    QFETCH(QSize, size);
    open(size, wholeSnapshot());
    HistogramItem *heap = this->heap();
    QVERIFY(heap);
    const auto inside = [&] {
        const QQuickItem *tip = item(u"barTip"_s);
        const QRectF rect = tip->mapRectToScene(tip->boundingRect());
        return QRectF(QPointF(), QSizeF(size)).contains(rect);
    };
    // Bars of a few pixels can be selected by pointer and by key.
    QTest::mouseMove(m_window, heap->mapToScene(heap->slotRect(1).center()).toPoint());
    QTRY_VERIFY(item(u"barTip"_s));
    QCOMPARE(text(u"tipTitle"_s), u"32 bytes"_s);
    QCOMPARE(text(u"tipAllocated"_s), u"40,000"_s);
    QVERIFY(inside());
    QTest::mouseMove(m_window, QPoint(2, 2));
    QTRY_VERIFY(!item(u"barTip"_s));
    heap->parentItem()->forceActiveFocus(Qt::TabFocusReason);
    key(Qt::Key_Left);
    QCOMPARE(text(u"tipTitle"_s), u"65536 bytes"_s);
    QCOMPARE(text(u"tipLive"_s), u"0"_s);
    QVERIFY(inside());
}

void tst_HistogramWhole::legendOfMemoryListsTheHeap()
{
    const auto legend = [this] {
        click(segment(u"memoryPart"_s, 1));
        QStringList result;
        forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
            const QString text = item->property("text").toString();
            if (item->isVisible() && item->inherits("QQuickText") && text.contains(u"  "_s))
                result.append(text);
        });
        return result;
    };
    CommandLine options;
    options.page = 2;
    open(Wide, wholeSnapshot(), options);
    QVERIFY2(legend().contains(u"Heap  33.3\u00a0KiB"_s), qPrintable(legend().join(u'|')));
    QCOMPARE(legend().size(), 5);
    close();
    open(Wide, sampleSnapshot(), options);
    QCOMPARE(legend().size(), 4);
}

void tst_HistogramWhole::noteTellsWhereQmlIsCounted()
{
    // Where statistics of objects are shown, a note says where QML's objects are counted.
    const auto says = [this](const QByteArray &json) {
        const bool whole = json == wholeSnapshot();
        const QString note = text(u"qmlNote"_s);
        QCOMPARE(note.contains(u"QtCore alone"_s), !whole);
        QCOMPARE(note.contains(u"Whole program"_s), whole);
        QCOMPARE(note.contains(u"heap"_s), whole);
    };
    for (const QByteArray &json : { sampleSnapshot(), wholeSnapshot() }) {
        for (int page : { 0, 2, 3 }) {
            CommandLine options;
            options.page = page;
            open(Wide, json, options);
            if (page == 2)
                click(segment(u"memoryPart"_s, 1));
            says(json);
            close();
        }
        open(Small, json);
        says(json);
        close();
    }
}

QTEST_MAIN(tst_HistogramWhole)

#include "tst_histogramwhole.moc"
