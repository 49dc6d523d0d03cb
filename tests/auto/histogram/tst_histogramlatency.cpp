// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "filesource.h"
#include "heatstripitem.h"
#include "latencymodel.h"

#include <QtCore/qregularexpression.h>
#include <QtCore/qtemporarydir.h>
#include <QtGui/qimage.h>

// How long events wait: the rows and their order, the strips over time, the histograms, and the page.
class tst_HistogramLatency : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        QTest::failOnWarning(QRegularExpression(u"."_s));
        m_latency = readyLatency();
    }
    void cleanup() { close(); }

    void listsRowsByTheirWaits();
    void saysHowFastEventsPileUp();
    void sortsByPartAndMeasure();
    void findsEventsByType();
    void stateFollowsTheReading();
    void countsOnlyWatchedIntervals();
    void selectionStaysWithItsClass();
    void stripShowsTheLevelOfAMoment();
    void pageShowsAllAtEverySize_data();
    void pageShowsAllAtEverySize();
    void pageSorts();
    void pageSearches();
    void pageShowsHistograms();
    void pageExplainsEachState();
    void pageShowsIntervals();
    void pageStaysAfterTheEnd();
    void pausedIsNotRead();
    void savedLatencyOpensAgain();

private:
    void nothingIsCut();
};

static QStringList classes(const LatencyModel &model)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row)
        result += model.index(row).data(LatencyModel::ClassRole).toString();
    return result;
}

// Two seconds with events: the worker's wait up to 0.7 ms, the main thread's longer than 0.1 s. There may be
// more seconds before them.
static void addSeconds(LatencyModel *model, int before = 0)
{
    QJsonObject object = SampleLatency::sample();
    qint64 now = 1000;
    model->setReading(readyLatency(object), now);
    for (int i = 0; i < before; ++i) {
        object = SampleLatency::later(object, i % 3 == 0 ? 2 : 1, qint64(1) << (9 + i * i % 20), 1);
        model->setReading(readyLatency(object), now += 1000);
    }
    object = SampleLatency::later(object, 2, 655'360, 4);
    model->setReading(readyLatency(object), now += 1000);
    object = SampleLatency::later(object, 0, 125'829'120, 1);
    model->setReading(readyLatency(object), now += 1000);
}

void tst_HistogramLatency::listsRowsByTheirWaits()
{
    LatencyModel model;
    QCOMPARE(model.state(), LatencyModel::Impossible);
    model.setReading(readyLatency(), 0);
    QCOMPARE(model.state(), LatencyModel::Ready);
    QCOMPARE(model.count(), 4);
    QCOMPARE(model.delivered(), 1310);
    QCOMPARE(model.notDelivered(), 12);
    QCOMPARE(model.unfinished(), 3);
    QCOMPARE(model.worstWait(), 95'000'000);
    QCOMPARE(classes(model), (QStringList { u"Window"_s, u"Worker"_s, u"QTimer"_s, u"Model"_s }));
    const QModelIndex worker = model.index(1);
    QCOMPARE(worker.data(LatencyModel::TypeRole).toString(), u"MetaCall"_s);
    QCOMPARE(worker.data(LatencyModel::ThreadRole).toString(), u"worker"_s);
    QCOMPARE(worker.data(LatencyModel::DeliveredRole).toLongLong(), 100);
    QCOMPARE(worker.data(LatencyModel::WaitP99Role).toLongLong(), 700'000);
    QCOMPARE(worker.data(LatencyModel::RunWorstRole).toLongLong(), 220'000'000);
    QCOMPARE(model.index(0).data(LatencyModel::BarRole).toReal(), 1.0);
    QVERIFY(qAbs(worker.data(LatencyModel::BarRole).toReal() - 0.7 / 80) < 1e-9);
    QCOMPARE(model.index(0).data(LatencyModel::NotDeliveredRole).toLongLong(), 12);
}

void tst_HistogramLatency::saysHowFastEventsPileUp()
{
    LatencyModel model;
    QJsonObject object = SampleLatency::sample();
    model.setReading(readyLatency(object), 1000);
    QCOMPARE(model.unfinishedGrowth(), 0.0);
    object[u"unfinished"_s] = 203;
    model.setReading(readyLatency(object), 3000);
    QCOMPARE(model.unfinishedGrowth(), 100.0);
    object[u"unfinished"_s] = 103;
    model.setReading(readyLatency(object), 4000);
    QCOMPARE(model.unfinishedGrowth(), -100.0);
    model.interrupt(); // nobody knows for how long
    object[u"unfinished"_s] = 503;
    model.setReading(readyLatency(object), 5000);
    QCOMPARE(model.unfinishedGrowth(), 0.0);
    model.clear();
    model.setReading(readyLatency(object), 6000);
    QCOMPARE(model.unfinishedGrowth(), 0.0);
}

void tst_HistogramLatency::sortsByPartAndMeasure()
{
    LatencyModel model;
    model.setReading(readyLatency(), 0);
    model.setPart(1);
    QCOMPARE(classes(model).constFirst(), u"Worker"_s);
    model.setMeasure(2);
    QCOMPARE(classes(model), (QStringList { u"Worker"_s, u"Window"_s, u"Model"_s, u"QTimer"_s }));
    model.setMeasure(99);
    QCOMPARE(model.measure(), 2);
    model.setPart(-1);
    QCOMPARE(model.part(), 0);
}

void tst_HistogramLatency::findsEventsByType()
{
    LatencyModel model;
    model.setReading(readyLatency(), 0);
    model.setSearch(u"metacall"_s);
    QCOMPARE(classes(model), (QStringList { u"Worker"_s, u"Model"_s }));
    model.setSearch(u"nothing"_s);
    QCOMPARE(model.count(), 0);
    QCOMPARE(model.total(), 4);
}

void tst_HistogramLatency::stateFollowsTheReading()
{
    LatencyModel model;
    model.setReading({ LatencyReading::Status::NotRecorded, {}, u"not recorded"_s }, 0);
    QCOMPARE(model.state(), LatencyModel::NotRecorded);
    model.setReading(readyLatency(SampleLatency::none(false)), 0);
    QCOMPARE(model.state(), LatencyModel::NotRecorded);
    model.setReading({ LatencyReading::Status::Ready, {}, {} }, 0); // nothing published yet
    QCOMPARE(model.state(), LatencyModel::Empty);
    model.setReading(readyLatency(SampleLatency::none()), 0);
    QCOMPARE(model.state(), LatencyModel::Empty);
    model.setReading(readyLatency(), 1000);
    QCOMPARE(model.state(), LatencyModel::Ready);
    QVERIFY(!model.json().isEmpty());
    model.setReading({ LatencyReading::Status::Incompatible, {}, u"another version"_s }, 2000);
    QCOMPARE(model.state(), LatencyModel::Unreadable);
    QCOMPARE(model.problem(), u"another version"_s);
    QVERIFY(model.json().isEmpty());
    model.setReading(readyLatency(), 2100); // the same text as before
    QCOMPARE(model.state(), LatencyModel::Ready);
    QCOMPARE(model.problem(), QString());
    model.setReading({ LatencyReading::Status::Ready, "{", {} }, 3000);
    QCOMPARE(model.state(), LatencyModel::Unreadable);
    QVERIFY(model.problem().contains(u"it is not JSON"_s));
    model.clear();
    QCOMPARE(model.state(), LatencyModel::Impossible);
    QCOMPARE(model.count(), 0);
}

// The same text twice within a moment is no second without events.
void tst_HistogramLatency::countsOnlyWatchedIntervals()
{
    LatencyModel model;
    addSeconds(&model);
    QCOMPARE(model.history().intervalCount(), 2);
    QCOMPARE(model.threadCount(), 2);
    QCOMPARE(model.threadName(0), u"program"_s);
    QCOMPARE(model.threadName(1), u"worker"_s);
    QCOMPARE(model.threadName(2), QString());
    QVERIFY(model.threadText(1).startsWith(u"worker: p99 of the waits up to 721"_s));
    const QByteArray same = model.json();
    model.setReading({ LatencyReading::Status::Ready, same, {} }, 4000);
    QCOMPARE(model.history().intervalCount(), 2);
    model.setReading({ LatencyReading::Status::Ready, same, {} }, 6000);
    QCOMPARE(model.history().intervalCount(), 3);
    QCOMPARE(model.history().cell(4243, 2).level(QPoolStatistics::LatencyHistory::Wait), -1);
    // A pause is no interval, even if the text is the same afterwards.
    model.interrupt();
    model.setReading({ LatencyReading::Status::Ready, same, {} }, 60'000);
    QCOMPARE(model.history().intervalCount(), 3);
    model.setReading(readyLatency(SampleLatency::later(SampleLatency::sample(), 2, 655'360, 9)), 61'000);
    QCOMPARE(model.history().intervalCount(), 4);
    QCOMPARE(model.history().ageOfBegin(3), 1000);
}

void tst_HistogramLatency::selectionStaysWithItsClass()
{
    LatencyModel model;
    model.setReading(readyLatency(), 0);
    model.select(7);
    QVERIFY(!model.hasSelection());
    QVERIFY(model.bars().isEmpty());
    model.select(1);
    QVERIFY(model.hasSelection());
    QCOMPARE(model.selection().value(u"className"_s).toString(), u"Worker"_s);
    QVERIFY(model.index(1).data(LatencyModel::SelectedRole).toBool());
    QVERIFY(!model.index(0).data(LatencyModel::SelectedRole).toBool());
    const QVariantList bars = model.bars();
    QCOMPARE(bars.first().toMap().value(u"end"_s).toLongLong(), 65'536);
    QCOMPARE(bars.first().toMap().value(u"waits"_s).toLongLong(), 95);
    QCOMPARE(bars.last().toMap().value(u"runs"_s).toLongLong(), 10);
    // It stays the same class in another order, and gets the new values.
    model.setPart(1);
    QCOMPARE(model.selection().value(u"className"_s).toString(), u"Worker"_s);
    model.setReading(readyLatency(SampleLatency::later(SampleLatency::sample(), 2, 36'864, 5)), 1000);
    QCOMPARE(model.selection().value(u"delivered"_s).toLongLong(), 105);
    // Its values remain when it is gone.
    model.setReading(readyLatency(SampleLatency::none()), 2000);
    QCOMPARE(model.selection().value(u"className"_s).toString(), u"Worker"_s);
    model.clearSelection();
    QVERIFY(!model.hasSelection());
}

void tst_HistogramLatency::stripShowsTheLevelOfAMoment()
{
    LatencyModel model;
    addSeconds(&model);
    HeatStripItem strip;
    QCOMPARE(strip.levelAt(1), -1);
    strip.setModel(&model);
    strip.setThread(1);
    strip.setSize({ 1200, 20 }); // ten pixels a second
    QCOMPARE(strip.levelAt(1185), 3); // the worker's events, one second before the last reading
    QCOMPARE(strip.levelAt(1195), -1);
    QCOMPARE(strip.levelAt(1175), -1);
    QVERIFY2(strip.tipAt(1185).startsWith(u"1 s ago: 4 events, wait p99 721"_s), qPrintable(strip.tipAt(1185)));
    QVERIFY2(strip.tipAt(1185).endsWith(u"; 3 unfinished"_s), qPrintable(strip.tipAt(1185)));
    QCOMPARE(strip.tipAt(1195), u"0 s ago: 3 unfinished"_s);
    strip.setThread(0);
    QCOMPARE(strip.levelAt(1195), 6);
    QCOMPARE(strip.tipAt(1185), QString());
    model.setStrip(1);
    QCOMPARE(strip.levelAt(1195), -1);
    QCOMPARE(model.levels().constLast(), u"> 100,000"_s);
    QCOMPARE(model.threadText(1), u"worker: up to 3 unfinished events"_s);
    strip.setThread(1);
    QCOMPARE(strip.levelAt(1195), 1);
    model.setStrip(0);
    QCOMPARE(model.threadText(1), u"worker: p99 of the waits up to 721\u00a0\u00b5s"_s);
    strip.setThread(5);
    QCOMPARE(strip.levelAt(1195), -1);
}

static CommandLine onLatency(const QString &theme = u"light"_s)
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"latency"_s));
    options.theme = theme;
    return options;
}

static void savePicture(QQuickWindow *window, const QString &name)
{
    if (const QString folder = qEnvironmentVariable("QPOOL_PICTURES"); !folder.isEmpty())
        window->grabWindow().save(folder + u"/latency-%1.png"_s.arg(name));
}

// No text is cut off, or sticks out of the window.
void tst_HistogramLatency::nothingIsCut()
{
    const QRectF room = QRectF({ 0, 0 }, QSizeF(m_window->size())).adjusted(-1, -1, 1, 1);
    int texts = 0;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        if (!item->isVisible() || !item->inherits("QQuickText") || item->property("text").toString().isEmpty())
            return;
        ++texts;
        const QString text = item->property("text").toString();
        QVERIFY2(!item->property("truncated").toBool(), qPrintable(text));
        // The last row of a list may be half hidden.
        const QRectF rect = item->mapRectToScene(item->boundingRect());
        QVERIFY2(rect.left() >= room.left() && rect.right() <= room.right(), qPrintable(text));
    });
    QVERIFY(texts > 20);
}

void tst_HistogramLatency::pageShowsAllAtEverySize_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("theme");
    for (QSize size : { Small, Wide, QSize(3840, 2160) }) {
        for (const QString &theme : { u"light"_s, u"dark"_s }) {
            QTest::newRow(qPrintable(u"%1x%2-%3"_s.arg(size.width()).arg(size.height()).arg(theme)))
                    << size << theme;
        }
    }
}

void tst_HistogramLatency::pageShowsAllAtEverySize()
{
    QFETCH(QSize, size);
    QFETCH(QString, theme);
    open(size, sampleSnapshot(), onLatency(theme));
    QTRY_COMPARE(item(u"latencyList"_s)->property("count").toInt(), 4);
    m_monitor->setPaused(true); // no readings but these
    m_monitor->latency()->clear();
    addSeconds(m_monitor->latency(), 100);
    layOut();
    QCOMPARE(text(u"pageTitle"_s), u"Latency"_s);
    QCOMPARE(item(u"deliveredTile"_s)->property("value").toString(), u"1,415"_s);
    QCOMPARE(item(u"notDeliveredTile"_s)->property("value").toString(), u"12"_s);
    QCOMPARE(item(u"unfinishedTile"_s)->property("value").toString(), u"3"_s);
    QVERIFY(!item(u"filterField"_s)); // the page has its own search field
    QVERIFY(!item(u"latencyTitle"_s));
    QVERIFY(!item(u"detailsCard"_s));
    QStringList shown;
    forEachItem(item(u"latencyList"_s), [&](QQuickItem *item) {
        if (item->isVisible() && item->objectName() == u"latencyRow"_s)
            shown += item->property("nameText").toString();
    });
    QVERIFY(shown.contains(u"Window: UpdateRequest"_s));
    // The strips, with a colour for each interval.
    auto *strip = qobject_cast<HeatStripItem *>(item(u"heatStrip"_s));
    QVERIFY(strip && strip->width() > 200);
    QCOMPARE(strip->colors().size(), 7);
    const QImage image = m_window->grabWindow();
    const qreal zoom = qreal(image.width()) / m_window->width();
    const auto colorAt = [&](qreal x) {
        const QPointF point = strip->mapToScene({ x, strip->height() / 2 }) * zoom;
        return image.pixelColor(point.toPoint());
    };
    QCOMPARE(colorAt(strip->width() - strip->width() / 240), strip->colors().at(6).value<QColor>());
    QCOMPARE(colorAt(strip->width() / 20), strip->emptyColor()); // longer ago
    savePicture(m_window, u"%1-%2"_s.arg(size.width()).arg(theme));
    nothingIsCut();
    // The same place in the strips of the queues.
    m_monitor->latency()->setStrip(1);
    layOut();
    nothingIsCut();
    savePicture(m_window, u"queues-%1-%2"_s.arg(size.width()).arg(theme));
    m_monitor->latency()->setStrip(0);
    click(item(u"latencyRow"_s));
    QVERIFY(item(u"detailsPlot"_s));
    nothingIsCut();
    savePicture(m_window, u"details-%1-%2"_s.arg(size.width()).arg(theme));
}

void tst_HistogramLatency::pageSorts()
{
    open(Wide, sampleSnapshot(), onLatency());
    LatencyModel *model = m_monitor->latency();
    QTRY_COMPARE(model->count(), 4);
    click(segment(u"latencyPart"_s, 1));
    QCOMPARE(model->part(), 1);
    QCOMPARE(classes(*model).constFirst(), u"Worker"_s);
    click(segment(u"latencyMeasure"_s, 2));
    QCOMPARE(model->measure(), 2);
    click(segment(u"latencyPart"_s, 0));
    QCOMPARE(classes(*model).constFirst(), u"Window"_s);
}

void tst_HistogramLatency::pageSearches()
{
    open(Small, sampleSnapshot(), onLatency());
    QTRY_COMPARE(m_monitor->latency()->count(), 4);
    key(Qt::Key_Slash);
    QVERIFY(item(u"latencySearch"_s)->hasActiveFocus());
    type(u"worker"_s);
    QCOMPARE(m_monitor->latency()->count(), 1);
    type(u"x"_s);
    layOut();
    QCOMPARE(text(u"noLatencies"_s), u"No class, type or thread matches the search"_s);
    key(Qt::Key_Escape);
    QCOMPARE(m_monitor->latency()->count(), 4);
    QVERIFY(!item(u"latencySearch"_s)->hasActiveFocus());
    key(Qt::Key_1);
    QCOMPARE(text(u"pageTitle"_s), u"Overview"_s);
    key(Qt::Key_6);
    QCOMPARE(text(u"pageTitle"_s), u"Latency"_s);
}

void tst_HistogramLatency::pageShowsHistograms()
{
    for (QSize size : { Small, Wide }) {
        open(size, sampleSnapshot(), onLatency());
        QTRY_COMPARE(m_monitor->latency()->count(), 4);
        QVERIFY(item(u"stripCard"_s));
        click(item(u"latencyRow"_s));
        QVERIFY(m_monitor->latency()->hasSelection());
        QVERIFY(!item(u"stripCard"_s));
        QCOMPARE(text(u"detailsTitle"_s), u"Window: UpdateRequest"_s);
        QVERIFY(text(u"detailsCounts"_s).startsWith(u"program. Delivered 200, removed 8, "_s));
        QVERIFY(text(u"detailsTimes"_s).contains(u"p99 80\u00a0ms"_s));
        // Nothing sticks out of the card.
        const QQuickItem *card = item(u"detailsCard"_s);
        const QRectF room = card->mapRectToScene(card->boundingRect());
        int bars = 0;
        forEachItem(item(u"detailsPlot"_s), [&](QQuickItem *each) {
            if (!each->isVisible() || each->height() <= 0)
                return;
            bars += each->inherits("QQuickRectangle");
            QVERIFY(room.contains(each->mapRectToScene(each->boundingRect())));
        });
        QVERIFY(bars >= 4);
        key(Qt::Key_Escape);
        QVERIFY(!m_monitor->latency()->hasSelection());
        QVERIFY(item(u"stripCard"_s));
        // By keyboard: the list has the focus.
        key(Qt::Key_Down);
        key(Qt::Key_Return);
        QCOMPARE(text(u"detailsTitle"_s), u"Worker: MetaCall"_s);
        click(item(u"closeDetails"_s));
        QVERIFY(item(u"stripCard"_s));
        close();
    }
}

void tst_HistogramLatency::pageExplainsEachState()
{
    open(Small, sampleSnapshot());
    m_answers->latency = { LatencyReading::Status::NotRecorded, {}, u"it does not"_s };
    key(Qt::Key_6);
    QTRY_COMPARE(text(u"latencyTitle"_s), u"Event latency is not recorded"_s);
    QVERIFY(text(u"latencyCommand"_s).contains(u" run --latency -- "_s));
    QVERIFY(!item(u"latencyList"_s));
    savePicture(m_window, u"off"_s);
    m_answers->latency = { LatencyReading::Status::Incompatible, {}, u"it has version 9 of the format"_s };
    QTRY_COMPARE(text(u"latencyTitle"_s), u"The event latency cannot be read"_s);
    QCOMPARE(text(u"latencyText"_s), u"it has version 9 of the format"_s);
    QVERIFY(!item(u"latencyCommand"_s));
    m_answers->latency = readyLatency(SampleLatency::none());
    QTRY_COMPARE(text(u"latencyTitle"_s), u"No events yet"_s);
    m_answers->latency = { LatencyReading::Status::Impossible, {}, u"no feature"_s };
    QTRY_COMPARE(text(u"latencyTitle"_s), u"There is no event latency"_s);
    QCOMPARE(text(u"latencyText"_s), u"no feature"_s);
    m_answers->latency = readyLatency();
    QTRY_VERIFY(item(u"latencyList"_s));
    QVERIFY(!item(u"latencyTitle"_s));
}

// Readings of the process become intervals.
void tst_HistogramLatency::pageShowsIntervals()
{
    open(Wide, sampleSnapshot(), onLatency());
    QTRY_COMPARE(m_monitor->latency()->count(), 4);
    layOut();
    QVERIFY(item(u"noIntervals"_s));
    m_answers->latency = readyLatency(SampleLatency::later(SampleLatency::sample(), 2, 655'360, 4));
    QTRY_COMPARE(m_monitor->latency()->threadCount(), 1);
    layOut();
    QVERIFY(!item(u"noIntervals"_s));
    QVERIFY(item(u"heatStrip"_s));
}

void tst_HistogramLatency::pageStaysAfterTheEnd()
{
    open(Wide, sampleSnapshot(), onLatency());
    QTRY_COMPARE(m_monitor->latency()->count(), 4);
    m_answers->become(SnapshotSource::Status::Gone, u"program (process 4242) has ended"_s);
    QTRY_VERIFY(item(u"goneBanner"_s));
    QCOMPARE(m_monitor->latency()->count(), 4);
    QVERIFY(item(u"latencyList"_s));
}

void tst_HistogramLatency::pausedIsNotRead()
{
    open(Wide, sampleSnapshot(), onLatency());
    QTRY_COMPARE(m_monitor->latency()->count(), 4);
    key(Qt::Key_Space);
    QVERIFY(m_monitor->isPaused());
    m_answers->latency = readyLatency(SampleLatency::none());
    const int reads = m_answers->reads;
    QTRY_VERIFY(m_answers->reads > reads + 8); // longer than from one reading of latency to the next
    QCOMPARE(m_monitor->latency()->count(), 4);
    key(Qt::Key_Space);
    QTRY_COMPARE(m_monitor->latency()->state(), LatencyModel::Empty);
}

void tst_HistogramLatency::savedLatencyOpensAgain()
{
    open(Wide, sampleSnapshot(), onLatency());
    QTRY_COMPARE(m_monitor->latency()->count(), 4);
    const QTemporaryDir folder;
    const QString file = folder.filePath(u"saved.json"_s);
    QVERIFY(m_exporter->write(Exporter::Json, file));
    close();
    open(Wide, sampleSnapshot(), onLatency());
    m_control->openFile(file);
    QCOMPARE(m_monitor->origin(), PoolMonitor::SavedFile);
    QCOMPARE(m_monitor->liveBytes(), 8160);
    QCOMPARE(m_monitor->latency()->count(), 4);
    // A snapshot without latency says so.
    m_answers->latency = { LatencyReading::Status::NotRecorded, {}, {} };
    m_control->watchThis();
    PoolMonitor other;
    auto answers = std::make_shared<FakeAnswers>();
    answers->latency = { LatencyReading::Status::NotRecorded, {}, {} };
    answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    other.setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Own, u"x"_s, answers));
    QVERIFY(Exporter(&other).write(Exporter::Json, file));
    FileSource source(file);
    QCOMPARE(source.latency().status, LatencyReading::Status::Impossible);
}

QTEST_MAIN(tst_HistogramLatency)

#include "tst_histogramlatency.moc"
