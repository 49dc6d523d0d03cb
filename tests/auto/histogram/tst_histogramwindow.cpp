// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>
#include <QtGui/qimage.h>
#include <QtGui/qscreen.h>

// What each page shows, at every size and in both themes.
class tst_HistogramWindow : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void pagesFitAtEverySize_data();
    void pagesFitAtEverySize();
    void jumpsBetweenSizesEndAsAWindowOpenedSo_data();
    void jumpsBetweenSizesEndAsAWindowOpenedSo();
    void fitsOnTheScreen();
    void showsAsManyAsThereIsRoomFor();
    void headlinesShowTheTotals();
    void arenasShowOwnersAndChanges();
    void memoryShowsTheTotals();

private:
    QStringList layout();
};

// Where each visible item is; without those that only contain others.
QStringList tst_HistogramWindow::layout()
{
    layOut();
    QStringList result;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        const QString name = QString::fromLatin1(item->metaObject()->className()).section(u'_', 0, 0);
        if (!item->isVisible() || item->size().isEmpty() || name == u"QQuickItem")
            return;
        const QRect rect = item->mapRectToScene(item->boundingRect()).toRect();
        result.append(u"%1 %2: %3 x %4 at %5, %6"_s
                              .arg(name, item->objectName())
                              .arg(rect.width())
                              .arg(rect.height())
                              .arg(rect.x())
                              .arg(rect.y()));
    });
    result.sort();
    return result;
}

void tst_HistogramWindow::pagesFitAtEverySize_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("page");
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QByteArray>("json");
    for (QSize size : { Small, QSize(800, 600), Wide, QSize(1280, 500), QSize(3840, 2160) }) {
        for (int page = 0; page < CommandLine::pages().size(); ++page) {
            for (const QString &theme : { u"light"_s, u"dark"_s }) {
                const QString name = u"%1 %2x%3 %4"_s.arg(CommandLine::pages().at(page))
                                             .arg(size.width())
                                             .arg(size.height())
                                             .arg(theme);
                QTest::newRow(qPrintable(name)) << size << page << theme << sampleSnapshot();
                if (page == 0 || page == 2) {
                    QTest::newRow(qPrintable(name + u" whole"_s))
                            << size << page << theme << wholeSnapshot();
                }
            }
        }
    }
}

void tst_HistogramWindow::pagesFitAtEverySize()
{
    QFETCH(QSize, size);
    CommandLine options;
    QFETCH(int, page);
    options.page = page;
    QFETCH(QString, theme);
    options.theme = theme;
    QFETCH(QByteArray, json);
    open(size, json, options);
    const QRectF room({ 0, 0 }, QSizeF(size));
    const auto shown = histograms();
    for (HistogramItem *histogram : shown) {
        const QRectF rect = histogram->mapRectToScene(histogram->boundingRect());
        QVERIFY(room.contains(rect));
        QVERIFY(rect.height() >= 90);
    }
    // Nothing sticks out of the window, and no text is cut off; but a page that
    // scrolls may have more below.
    const QQuickItem *nav = item(u"nav_"_s + CommandLine::pages().at(page));
    QVERIFY(nav && nav->property("checked").toBool());
    int texts = 0;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        if (!item->isVisible() || !item->inherits("QQuickText"))
            return;
        const QString text = item->property("text").toString();
        if (text.isEmpty())
            return;
        ++texts;
        const QRectF rect = item->mapRectToScene(item->boundingRect());
        const bool inside = room.adjusted(-1, -1, 1, 1).contains(rect);
        const bool below = page != 0 && page != 2 && rect.top() > 0;
        QVERIFY2(inside || below, qPrintable(text));
        QVERIFY2(!item->property("truncated").toBool(), qPrintable(text));
    });
    QVERIFY(texts > 10);
    QVERIFY(!m_window->grabWindow().isNull());
}

void tst_HistogramWindow::jumpsBetweenSizesEndAsAWindowOpenedSo_data()
{
    QTest::addColumn<int>("page");
    QTest::addColumn<QByteArray>("json");
    for (int page = 0; page < CommandLine::pages().size(); ++page) {
        // What these show comes later. tst_histogrammemory and tst_histogramsites wait for it, and jump, too.
        if (const QString &name = CommandLine::pages().at(page); name == u"memory" || name == u"sites")
            continue;
        QTest::newRow(qPrintable(CommandLine::pages().at(page))) << page << sampleSnapshot();
        QTest::newRow(qPrintable(CommandLine::pages().at(page) + u" whole"_s)) << page << wholeSnapshot();
    }
}

// As maximising and snapping a window do.
void tst_HistogramWindow::jumpsBetweenSizesEndAsAWindowOpenedSo()
{
    QFETCH(int, page);
    QFETCH(QByteArray, json);
    CommandLine options;
    options.page = page;
    const QList<QSize> sizes { QSize(1280, 780), QSize(900, 600), Small, QSize(1280, 500) };
    QList<QStringList> expected;
    for (QSize size : sizes) {
        open(size, json, options);
        expected.append(layout());
        close();
    }
    open(sizes.constFirst(), json, options);
    for (qsizetype from = 0; from < sizes.size(); ++from) {
        for (qsizetype to = 0; to < sizes.size(); ++to) {
            for (qsizetype index : { from, to }) {
                m_window->resize(sizes.at(index));
                QTRY_COMPARE(m_window->contentItem()->size().toSize(), sizes.at(index));
                QCOMPARE(layout(), expected.at(index));
            }
        }
    }
}

void tst_HistogramWindow::fitsOnTheScreen()
{
    open(Wide);
    const HistogramWindow other({ m_monitor.get(), m_workloads.get(), m_control.get(), m_exporter.get() }, {});
    const QSize screen = other.window()->screen()->availableSize();
    QVERIFY(other.window()->width() <= screen.width());
    QVERIFY(other.window()->height() < screen.height()); // has a title bar
}

void tst_HistogramWindow::showsAsManyAsThereIsRoomFor()
{
    open(Wide);
    QCOMPARE(histograms().size(), 3);
    QCOMPARE(histograms().constFirst()->model(), m_monitor->events());
    close();
    open(Small);
    QCOMPARE(histograms().size(), 1);
    click(segment(u"domainSegments"_s, 2));
    QTRY_COMPARE(histograms().size(), 1);
    QCOMPARE(histograms().constFirst()->model(), m_monitor->privates());
    click(segment(u"domainSegments"_s, 3));
    QTRY_VERIFY(item(u"trend"_s));
    QVERIFY(histograms().isEmpty());
}

void tst_HistogramWindow::headlinesShowTheTotals()
{
    open(Wide);
    QCOMPARE(item(u"liveTile"_s)->property("value").toString(), u"8\u00a0KiB"_s);
    QCOMPARE(item(u"chunksTile"_s)->property("value").toString(), u"160"_s);
    QCOMPARE(item(u"committedTile"_s)->property("value").toString(), u"384\u00a0KiB"_s);
    QCOMPARE(item(u"rateTile"_s)->property("value").toString(), u"0"_s);
    QVERIFY(text(u"subtitle"_s).contains(u"Qt 6.4.2"_s));
    QVERIFY(text(u"subtitle"_s).contains(u"4242"_s));
    QCOMPARE(text(u"pageTitle"_s), u"Overview"_s);
    QCOMPARE(text(u"stateChip"_s), u"live"_s);
}

void tst_HistogramWindow::arenasShowOwnersAndChanges()
{
    CommandLine options;
    options.page = 1;
    open(Wide, sampleSnapshot(), options);
    QCOMPARE(item(u"arenasTile"_s)->property("value").toString(), u"3"_s);
    QCOMPARE(item(u"orphanedTile"_s)->property("value").toString(), u"1"_s);
    QCOMPARE(item(u"adoptionsTile"_s)->property("value").toString(), u"3"_s);
    QCOMPARE(item(u"backlogTile"_s)->property("value").toString(), u"12"_s);
    const auto words = [this](const QString &name) {
        QStringList result;
        forEachItem(item(u"arenaGrid"_s), [&](QQuickItem *item) {
            if (item->isVisible() && item->objectName() == name)
                result.append(item->property("text").toString());
        });
        result.sort();
        return result;
    };
    QCOMPARE(words(u"arenaOwner"_s),
             QStringList({ u"main thread"_s, u"thread 4243"_s, u"thread 4244 has ended"_s }));
    QCOMPARE(words(u"arenaChip"_s), QStringList({ u"adopted ×2"_s, u"orphaned"_s }));

    // A change is marked immediately.
    QByteArray json = sampleSnapshot();
    json.replace("\"orphaned\": true, \"adoptions\": 1", "\"orphaned\": false, \"adoptions\": 2");
    m_answers->become(SnapshotSource::Status::Ready, {}, json);
    QTRY_VERIFY(words(u"arenaChip"_s).contains(u"just adopted"_s));
    QTRY_COMPARE(item(u"arenaLog"_s)->property("count").toInt(), 1);
    QCOMPARE(item(u"orphanedTile"_s)->property("value").toString(), u"0"_s);
}

void tst_HistogramWindow::memoryShowsTheTotals()
{
    CommandLine options;
    options.page = 2;
    open(Wide, sampleSnapshot(), options);
    click(segment(u"memoryPart"_s, 1));
    QCOMPARE(item(u"memoryLiveTile"_s)->property("value").toString(), u"8\u00a0KiB"_s);
    QCOMPARE(item(u"memoryCommittedTile"_s)->property("value").toString(), u"384\u00a0KiB"_s);
    QCOMPARE(item(u"memoryReservedTile"_s)->property("value").toString(), u"1\u00a0GiB"_s);
    // An older process does not publish how much it released.
    QCOMPARE(item(u"memoryReleasedTile"_s)->property("value").toString(), u"–"_s);
    QByteArray json = sampleSnapshot();
    json.replace("\"reserved\":", "\"decommitted\": 2048, \"reserved\":");
    m_answers->become(SnapshotSource::Status::Ready, {}, json);
    QTRY_COMPARE(item(u"memoryReleasedTile"_s)->property("value").toString(), u"2\u00a0KiB"_s);
    click(item(u"trimButton"_s));
    QCOMPARE(m_answers->trims, 1);
}

QTEST_MAIN(tst_HistogramWindow)

#include "tst_histogramwindow.moc"
