// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include "classmodel.h"

#include <QtCore/qregularexpression.h>

// Live objects by class: the rows, their order, their growth since a mark, and the page.
class tst_HistogramClasses : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void listsClassesByBytes();
    void refusesGrowthOrderWithoutAMark();
    void countsGrowthSinceTheMark();
    void findsClassesByNameAndModule();
    void failedCensusKeepsTheRows();
    void changesRowsWithoutAReset();
    void pageShowsClassesAtEverySize();
    void pageSetsAndClearsTheMark();
    void pageSearches();
    void pageShowsMarkupAsItIs();
    void pageShowsThatThereIsNoCensus();
    void bannerSaysOnceThatTheProcessIsGone();
    void takesACensusOnlyWhileShown();
};

static QStringList titles(const ClassModel &model)
{
    QStringList result;
    for (int row = 0; row < model.count(); ++row)
        result += model.index(row).data(ClassModel::TitleRole).toString();
    return result;
}

void tst_HistogramClasses::listsClassesByBytes()
{
    ClassModel model;
    model.setCensus(sampleCensus());
    QCOMPARE(model.count(), 5);
    QCOMPARE(model.live(), 9282);
    QCOMPARE(model.bytes(), 565008);
    QCOMPARE(titles(model), (QStringList { u"(no class)"_s, u"QTimerPrivate"_s, u"QTimer"_s,
                                           u"QQuickRectangle"_s, u"QEvent (DeferredDelete)"_s }));
    const QModelIndex timer = model.index(2);
    QCOMPARE(timer.data(ClassModel::DomainRole).toString(), u"object"_s);
    QCOMPARE(timer.data(ClassModel::NumberRole).toLongLong(), 120);
    QCOMPARE(timer.data(ClassModel::BytesRole).toLongLong(), 3840);
    QCOMPARE(timer.data(ClassModel::GrowthRole).toLongLong(), 0);
    QVERIFY(qAbs(timer.data(ClassModel::ShareRole).toReal() - 3840.0 / 565008) < 1e-9);
    QCOMPARE(model.index(0).data(ClassModel::BarRole).toReal(), 1.0);
    QVERIFY(qAbs(timer.data(ClassModel::BarRole).toReal() - 3840.0 / 540000) < 1e-9);
}

void tst_HistogramClasses::refusesGrowthOrderWithoutAMark()
{
    ClassModel model;
    model.setCensus(sampleCensus());
    model.setOrder(ClassModel::Count);
    QCOMPARE(titles(model).at(1), u"QTimerPrivate"_s); // as many as timers, of more bytes
    QCOMPARE(titles(model).at(2), u"QTimer"_s);
    model.setOrder(ClassModel::Growth); // ignored without a mark
    QCOMPARE(model.order(), ClassModel::Count);
}

void tst_HistogramClasses::countsGrowthSinceTheMark()
{
    ClassModel model;
    ClassCensus census = sampleCensus();
    model.setCensus(census);
    model.toggleMark();
    QVERIFY(model.isMarked());
    QCOMPARE(model.order(), ClassModel::Growth);
    QCOMPARE(model.index(0).data(ClassModel::BarRole).toReal(), 0.0);
    census.classes[1].count += 30;
    census.classes[3].count -= 5;
    census.classes.removeLast();
    census.classes.append({ u"object"_s, u"New"_s, u"libnew.so"_s, 7, 700 });
    model.setCensus(census);
    QCOMPARE(titles(model), (QStringList { u"QTimer"_s, u"New"_s, u"QTimerPrivate"_s,
                                           u"QEvent (DeferredDelete)"_s, u"QQuickRectangle"_s,
                                           u"(no class)"_s }));
    QCOMPARE(model.index(0).data(ClassModel::GrowthRole).toLongLong(), 30);
    QCOMPARE(model.index(1).data(ClassModel::GrowthRole).toLongLong(), 7);
    QCOMPARE(model.index(3).data(ClassModel::GrowthRole).toLongLong(), -2);
    QCOMPARE(model.index(3).data(ClassModel::NumberRole).toLongLong(), 0);
    QCOMPARE(model.index(4).data(ClassModel::GrowthRole).toLongLong(), -5);
    model.toggleMark();
    QVERIFY(!model.isMarked());
    QCOMPARE(model.order(), ClassModel::Bytes);
    QCOMPARE(model.count(), 5);
    model.toggleMark();
    model.clear();
    QVERIFY(!model.isMarked());
    QCOMPARE(model.count(), 0);
}

void tst_HistogramClasses::findsClassesByNameAndModule()
{
    ClassModel model;
    model.setCensus(sampleCensus());
    model.setSearch(u"timer"_s);
    QCOMPARE(titles(model), (QStringList { u"QTimerPrivate"_s, u"QTimer"_s }));
    model.setSearch(u"QUICK.SO"_s);
    QCOMPARE(titles(model), QStringList(u"QQuickRectangle"_s));
    model.setSearch(u"event"_s);
    QCOMPARE(titles(model), QStringList(u"QEvent (DeferredDelete)"_s));
    model.setSearch(u"nothing"_s);
    QCOMPARE(model.count(), 0);
    QCOMPARE(model.total(), 5);
}

// A failed census leaves the page as it is.
void tst_HistogramClasses::failedCensusKeepsTheRows()
{
    ClassModel model;
    model.setCensus(sampleCensus());
    model.setCensus({ {}, 0, u"process 1 has ended"_s });
    QCOMPARE(model.count(), 5);
    QCOMPARE(model.error(), u"process 1 has ended"_s);
    model.setCensus(sampleCensus());
    QCOMPARE(model.error(), QString());
}

void tst_HistogramClasses::changesRowsWithoutAReset()
{
    ClassModel model;
    int inserted = 0;
    int removed = 0;
    int resets = 0;
    connect(&model, &ClassModel::rowsInserted, this,
            [&](const QModelIndex &, int first, int last) { inserted += last - first + 1; });
    connect(&model, &ClassModel::rowsRemoved, this,
            [&](const QModelIndex &, int first, int last) { removed += last - first + 1; });
    connect(&model, &ClassModel::modelReset, this, [&] { ++resets; });
    model.setCensus(sampleCensus());
    QCOMPARE(inserted, 5);
    model.setCensus(sampleCensus());
    QCOMPARE(inserted, 5);
    ClassCensus fewer = sampleCensus();
    fewer.classes.remove(1, 3);
    model.setCensus(fewer);
    QCOMPARE(removed, 3);
    QCOMPARE(resets, 0);
}

static CommandLine onClasses()
{
    CommandLine options;
    options.page = int(CommandLine::pages().indexOf(u"classes"_s));
    return options;
}

void tst_HistogramClasses::pageShowsClassesAtEverySize()
{
    for (QSize size : { Small, Wide, QSize(3840, 2160) }) {
        open(size, sampleSnapshot(), onClasses());
        QTRY_COMPARE(item(u"classList"_s)->property("count").toInt(), 5);
        layOut();
        QCOMPARE(text(u"pageTitle"_s), u"Classes"_s);
        QCOMPARE(item(u"classesTile"_s)->property("value").toString(), u"5"_s);
        QCOMPARE(item(u"liveObjectsTile"_s)->property("value").toString(), u"9,282"_s);
        QVERIFY(!item(u"filterField"_s)); // the page has its own search field
        QVERIFY(!item(u"censusError"_s));
        QStringList shown;
        forEachItem(item(u"classList"_s), [&](QQuickItem *item) {
            if (item->isVisible() && item->objectName() == u"classRow"_s)
                shown += item->property("titleText").toString();
        });
        QVERIFY(shown.contains(u"QTimerPrivate"_s));
        if (const QString folder = qEnvironmentVariable("QPOOL_PICTURES"); !folder.isEmpty())
            m_window->grabWindow().save(folder + u"/classes-%1.png"_s.arg(size.width()));
        close();
    }
}

void tst_HistogramClasses::pageSetsAndClearsTheMark()
{
    open(Wide, sampleSnapshot(), onClasses());
    QTRY_COMPARE(m_monitor->classes()->count(), 5);
    click(item(u"markButton"_s));
    QVERIFY(m_monitor->classes()->isMarked());
    QCOMPARE(text(u"markButton"_s), u"Clear mark"_s);
    m_answers->census.classes[1].count += 10;
    QTRY_COMPARE(m_monitor->classes()->index(0).data(ClassModel::TitleRole).toString(), u"QTimer"_s);
    click(segment(u"classOrder"_s, 1));
    QCOMPARE(m_monitor->classes()->order(), ClassModel::Count);
    click(segment(u"classOrder"_s, 2));
    QCOMPARE(m_monitor->classes()->order(), ClassModel::Growth);
    key(Qt::Key_M);
    QVERIFY(!m_monitor->classes()->isMarked());
    QCOMPARE(m_monitor->classes()->order(), ClassModel::Bytes);
}

void tst_HistogramClasses::pageSearches()
{
    open(Small, sampleSnapshot(), onClasses());
    QTRY_COMPARE(m_monitor->classes()->count(), 5);
    key(Qt::Key_Slash);
    QVERIFY(item(u"classSearch"_s)->hasActiveFocus());
    type(u"timer"_s);
    QCOMPARE(m_monitor->classes()->count(), 2);
    type(u"x"_s);
    layOut();
    QCOMPARE(text(u"noClasses"_s), u"No class matches the search"_s);
    key(Qt::Key_Escape);
    QCOMPARE(m_monitor->classes()->count(), 5);
    QVERIFY(!item(u"classSearch"_s)->hasActiveFocus());
    key(Qt::Key_1);
    QCOMPARE(text(u"pageTitle"_s), u"Overview"_s);
    key(Qt::Key_5);
    QCOMPARE(text(u"pageTitle"_s), u"Classes"_s);
}

// A name that would open a file if it were interpreted. An image that cannot be opened is a warning, which
// fails the test.
void tst_HistogramClasses::pageShowsMarkupAsItIs()
{
    open(Wide, sampleSnapshot(), onClasses());
    const QString name = u"<img src=\"file:///nowhere.png\"> <b>bold</b>"_s;
    m_answers->census.classes[1].title = name;
    m_answers->census.classes[1].module = name;
    QTRY_COMPARE(titles(*m_monitor->classes()).count(name), 1);
    layOut();
    int shown = 0;
    int texts = 0;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        // What a field shows while it is empty is Qt's own kind of text, and the window's own.
        if (!item->inherits("QQuickText") || item->inherits("QQuickPlaceholderText"))
            return;
        ++texts;
        QCOMPARE(item->property("textFormat").toInt(), int(Qt::PlainText));
        shown += item->property("text").toString().contains(name);
    });
    QVERIFY(shown > 0);
    QVERIFY(texts > 20);
}

void tst_HistogramClasses::pageShowsThatThereIsNoCensus()
{
    open(Small, sampleSnapshot());
    m_answers->census = { {}, 0, u"process 4242 may not be read"_s };
    key(Qt::Key_5);
    QTRY_VERIFY(item(u"censusError"_s));
    QCOMPARE(text(u"noClasses"_s), u"No census available"_s);
    m_answers->census = {};
    QTRY_VERIFY(!item(u"censusError"_s));
    QCOMPARE(text(u"noClasses"_s), u"No live objects"_s);
}

void tst_HistogramClasses::bannerSaysOnceThatTheProcessIsGone()
{
    open(Small, sampleSnapshot());
    m_answers->census = { {}, 0, u"there is no process 4242"_s };
    key(Qt::Key_5);
    QTRY_VERIFY(item(u"censusError"_s));
    QVERIFY(!item(u"bannerButton"_s)); // it has nothing to offer
    m_answers->become(SnapshotSource::Status::Gone, u"there is no process 4242"_s);
    QTRY_VERIFY(item(u"goneBanner"_s));
    QVERIFY(!item(u"censusError"_s));
}

// No census is taken while the page is not shown.
void tst_HistogramClasses::takesACensusOnlyWhileShown()
{
    open(Wide);
    const int reads = m_answers->reads;
    QTRY_VERIFY(m_answers->reads > reads + 2);
    QCOMPARE(m_answers->censuses, 0);
    key(Qt::Key_5);
    QTRY_VERIFY(m_answers->censuses > 0);
    key(Qt::Key_Space);
    const int censuses = m_answers->censuses;
    key(Qt::Key_1);
    key(Qt::Key_5);
    QCOMPARE(m_answers->censuses, censuses); // paused
}

QTEST_MAIN(tst_HistogramClasses)

#include "tst_histogramclasses.moc"
