// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "cachemodel.h"
#include "snapshot.h"

#include <QtCore/qregularexpression.h>
#include <QtGui/qimage.h>

// The object caches of a process: how they are read, their rows, and their card on the page of arenas.
class tst_HistogramCaches : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void readsEveryCount();
    void refusesDamagedCaches_data();
    void refusesDamagedCaches();
    void rowsFollowTheCaches();
    void notesWhatIsNotSeen();
    void pageShowsAllCachesAtEverySize_data();
    void pageShowsAllCachesAtEverySize();
    void cardComesAndGoesWithTheCaches();
    void anotherSourceReplacesTheCaches();
};

static QPool::CacheListing sampleCaches()
{
    QString error;
    return Snapshot::fromJson(cachesSnapshot(), &error).value().caches;
}

void tst_HistogramCaches::readsEveryCount()
{
    const QPool::CacheListing listing = sampleCaches();
    QCOMPARE(listing.missing, 0u);
    QVERIFY(listing.problem.empty());
    QCOMPARE(listing.caches.size(), std::size_t(2));
    const QPool::CacheStatistics &requests = listing.caches.front();
    QCOMPARE(requests.name, std::string("requests"));
    QCOMPARE(requests.objectSize, std::uint64_t(104));
    QCOMPARE(requests.categories.size(), std::size_t(3));
    const QPool::CacheCounts sum = requests.counts();
    QCOMPARE(sum.inUse, std::uint64_t(125));
    QCOMPARE(sum.inStocks, std::uint64_t(40));
    QCOMPARE(sum.inDepot, std::uint64_t(16));
    QCOMPARE(sum.made, std::uint64_t(185));
    QCOMPARE(sum.destroyed, std::uint64_t(4));
    QCOMPARE(sum.ownHits, std::uint64_t(98700));
    QCOMPARE(sum.depotHits, std::uint64_t(1520));
    QCOMPARE(sum.misses, std::uint64_t(185));
    QCOMPARE(sum.resets, std::uint64_t(100280));
    QCOMPARE(sum.takes(), std::uint64_t(100405));
    // A process without caches has no rows.
    QString error;
    QVERIFY(Snapshot::fromJson(sampleSnapshot(), &error)->caches.caches.empty());
}

void tst_HistogramCaches::refusesDamagedCaches_data()
{
    QTest::addColumn<QByteArray>("from");
    QTest::addColumn<QByteArray>("to");
    QTest::addColumn<QString>("error");
    QTest::newRow("no list") << QByteArray("\"caches\": [") << QByteArray("\"caches\": 1, \"other\": [")
                             << u"'caches' is missing or not an array"_s;
    QTest::newRow("no number") << QByteArray("\"inUse\": 120") << QByteArray("\"inUse\": \"x\"")
                               << u"'inUse' is missing or not a number"_s;
    QTest::newRow("negative") << QByteArray("\"made\": 170") << QByteArray("\"made\": -1")
                              << u"'made' is not a count"_s;
    QTest::newRow("twice") << QByteArray("\"id\": 5") << QByteArray("\"id\": 1")
                           << u"object cache 1 is listed twice"_s;
    QTest::newRow("no missing") << QByteArray("\"missingCategories\": 0,") << QByteArray()
                                << u"'missingCategories' is missing or not a number"_s;
}

void tst_HistogramCaches::refusesDamagedCaches()
{
    QFETCH(QByteArray, from);
    QFETCH(QByteArray, to);
    QByteArray json = cachesSnapshot();
    QVERIFY(json.contains(from));
    QString error;
    QVERIFY(!Snapshot::fromJson(json.replace(from, to), &error));
    QTEST(error, "error");
}

static QStringList titles(const CacheModel &model)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row)
        result += model.index(row).data(CacheModel::TitleRole).toString();
    return result;
}

void tst_HistogramCaches::rowsFollowTheCaches()
{
    CacheModel model;
    QVERIFY(!model.isPresent());
    QPool::CacheListing listing = sampleCaches();
    model.setCaches(listing);
    QVERIFY(model.isPresent());
    // Without the first cache's own category, which is unused, and the second's, which is its only one.
    QCOMPARE(titles(model), (QStringList { u"requests"_s, u"network"_s, u"files"_s, u"std::vector<Parser>"_s }));
    const QModelIndex network = model.index(1);
    QVERIFY(network.data(CacheModel::PartRole).toBool());
    QVERIFY(!model.index(0).data(CacheModel::PartRole).toBool());
    const QHash<int, qint64> values { { CacheModel::InUseRole, 120 },    { CacheModel::InStocksRole, 30 },
                                       { CacheModel::InDepotRole, 16 },   { CacheModel::MadeRole, 170 },
                                       { CacheModel::DestroyedRole, 4 },  { CacheModel::OwnHitsRole, 98000 },
                                       { CacheModel::DepotHitsRole, 1500 }, { CacheModel::MissesRole, 170 },
                                       { CacheModel::ResetsRole, 99550 }, { CacheModel::ObjectSizeRole, 0 } };
    for (auto it = values.cbegin(); it != values.cend(); ++it)
        QCOMPARE(network.data(it.key()).toLongLong(), it.value());
    QCOMPARE(model.index(0).data(CacheModel::InUseRole).toLongLong(), 125);
    QCOMPARE(model.index(0).data(CacheModel::ObjectSizeRole).toLongLong(), 104);

    // A new category and a removed cache; the other rows remain.
    listing.caches[0].categories.emplace_back().name = "disk";
    listing.caches.pop_back();
    model.setCaches(listing);
    QCOMPARE(titles(model), (QStringList { u"requests"_s, u"network"_s, u"files"_s, u"disk"_s }));
    listing.caches[0].categories[0].misses = 1;
    model.setCaches(listing);
    QCOMPARE(titles(model).at(1), u"no category"_s);
    model.setCaches({});
    QVERIFY(!model.isPresent());
}

void tst_HistogramCaches::notesWhatIsNotSeen()
{
    CacheModel model;
    QPool::CacheListing listing = sampleCaches();
    listing.missing = 2;
    listing.caches[1].categories[0].missingStocks = 1;
    model.setCaches(listing);
    QVERIFY2(model.note().startsWith(u"2 more: created before"_s), qPrintable(model.note()));
    QVERIFY(model.index(3).data(CacheModel::IncompleteRole).toBool());
    QVERIFY(!model.index(0).data(CacheModel::IncompleteRole).toBool());
    listing = {};
    listing.problem = "it has version 2 of the format";
    model.setCaches(listing);
    QVERIFY(model.isPresent());
    QCOMPARE(model.note(), u"The object caches cannot be read: it has version 2 of the format"_s);
}

void tst_HistogramCaches::pageShowsAllCachesAtEverySize_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("theme");
    for (const QString &theme : { u"light"_s, u"dark"_s }) {
        for (QSize size : { Small, Wide, QSize(3840, 2160) })
            QTest::addRow("%d-%s", size.width(), qPrintable(theme)) << size << theme;
    }
}

void tst_HistogramCaches::pageShowsAllCachesAtEverySize()
{
    QFETCH(QSize, size);
    QFETCH(QString, theme);
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"arenas"_s));
    options.theme = theme;
    open(size, cachesSnapshot(), options);
    layOut();
    if (size == Small) {
        QVERIFY(!item(u"cacheCard"_s));
        QVERIFY(item(u"arenaGrid"_s));
        click(segment(u"arenaSegments"_s, 2));
        QVERIFY(!item(u"arenaGrid"_s));
    }
    if (const QString folder = qEnvironmentVariable("QPOOL_PICTURES"); !folder.isEmpty())
        m_window->grabWindow().save(folder + u"/caches-%1-%2.png"_s.arg(size.width()).arg(theme));
    if (size != Small) {
        QQuickItem *grid = item(u"arenaGrid"_s);
        QVERIFY(grid);
        // The arenas keep most of the page; large windows are zoomed.
        QVERIFY(grid->mapRectToScene(grid->boundingRect()).height() >= size.height() / 3);
    }
    QQuickItem *card = item(u"cacheCard"_s);
    QVERIFY(card);
    QQuickItem *list = item(u"cacheList"_s);
    QVERIFY(list);
    QCOMPARE(list->property("count").toInt(), 4);
    // The card is within the window, all rows are visible, and no name is elided.
    QVERIFY(card->mapToScene(QPointF(card->width(), 0)).x() <= size.width());
    QVERIFY(card->mapToScene(QPointF(0, card->height())).y() <= size.height());
    QVERIFY(list->height() >= 4 * 26);
    QStringList shown;
    forEachItem(list, [&](QQuickItem *item) {
        if (item->isVisible() && item->objectName() == u"cacheRow"_s)
            shown += item->property("titleText").toString();
        if (item->isVisible() && item->objectName() == u"cacheTitle"_s)
            QVERIFY2(!item->property("truncated").toBool(), qPrintable(item->property("text").toString()));
    });
    shown.sort();
    QCOMPARE(shown, (QStringList { u"files"_s, u"network"_s, u"requests"_s, u"std::vector<Parser>"_s }));
}

// The card appears with the first cache; without caches the page is unchanged.
void tst_HistogramCaches::cardComesAndGoesWithTheCaches()
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"arenas"_s));
    for (QSize size : { Small, Wide }) {
        open(size, sampleSnapshot(), options);
        layOut();
        QVERIFY(!item(u"cacheCard"_s));
        QVERIFY(size != Small || !segment(u"arenaSegments"_s, 2));
        m_answers->become(SnapshotSource::Status::Ready, {}, cachesSnapshot());
        QTRY_VERIFY(size == Small ? bool(segment(u"arenaSegments"_s, 2)) : bool(item(u"cacheCard"_s)));
        if (size == Small)
            click(segment(u"arenaSegments"_s, 2));
        QVERIFY(item(u"cacheCard"_s));
        m_answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
        QTRY_VERIFY(!item(u"cacheCard"_s));
        layOut();
        QVERIFY(item(size == Small ? u"arenaLog"_s : u"arenaGrid"_s)); // not an empty page
        close();
    }
}

void tst_HistogramCaches::anotherSourceReplacesTheCaches()
{
    open(Wide, cachesSnapshot());
    QCOMPARE(m_monitor->caches()->count(), 4);
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    m_control->watch(70);
    QCOMPARE(m_monitor->caches()->count(), 0);
}

QTEST_MAIN(tst_HistogramCaches)
#include "tst_histogramcaches.moc"
