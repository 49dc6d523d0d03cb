// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qfile.h>
#include <QtCore/qjsonarray.h>
#include <QtCore/qjsondocument.h>
#include <QtCore/qjsonobject.h>
#include <QtCore/qregularexpression.h>
#include <QtCore/qtemporarydir.h>
#include <QtGui/qimage.h>
#include <QtTest/qsignalspy.h>

// The sources of statistics: their states, the list of processes, files.
class tst_HistogramSources : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void explainsEachStateOfTheSource_data();
    void explainsEachStateOfTheSource();
    void emptyListFillsItself();
    void opensAProcessFromTheList();
    void showsSegmentsBelowTheProcesses();
    void showsSegmentsFromTheStart();
    void keysOpenAProcessFromTheList();
    void keepsStatisticsOfAGoneProcess();
    void saysThatAProcessHasEnded();
    void bannerLeadsBackToThisProcess();
    void opensWhatItSaved();
    void reportsWhatCannotBeSaved();
    void dialogsSaveAndOpen();

private:
    void choose(QSize size = Wide);
};

void tst_HistogramSources::choose(QSize size)
{
    CommandLine options;
    options.choose = true;
    open(size, sampleSnapshot(), options);
}

void tst_HistogramSources::explainsEachStateOfTheSource_data()
{
    QTest::addColumn<SnapshotSource::Reading>("reading");
    QTest::addColumn<QString>("title");
    QTest::addColumn<QString>("command");
    using Status = SnapshotSource::Status;
    const auto row = [](const char *name, const SnapshotSource::Reading &reading,
                        const QString &title, const QString &command) {
        QTest::newRow(name) << reading << title << command;
    };
    row("missing", { Status::Missing, {}, {} }, u"This QtCore has no pool"_s,
        u"./qpool run qpool-histogram"_s);
    row("disabled", { Status::Ready, R"({"version":2,"pid":7,"qt":"6.8.2","enabled":false})", {} },
        u"The pool is disabled"_s, u"QT_POOL_ALLOCATOR=0"_s);
    row("damaged", { Status::Ready, "{", {} }, u"The statistics cannot be read"_s, {});
    row("incompatible", { Status::Ready, R"({"version":9})", {} },
        u"The statistics have another version"_s, {});
    row("waiting", { Status::Waiting, {}, {} }, u"Waiting for statistics"_s, {});
    row("gone", { Status::Gone, {}, u"there is no process 7"_s }, u"The process has ended"_s, {});
}

void tst_HistogramSources::explainsEachStateOfTheSource()
{
    QFETCH(SnapshotSource::Reading, reading);
    for (QSize size : { Small, Wide }) {
        open(size);
        m_answers->reading = reading;
        m_monitor->setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Own,
                                                          u"This program"_s, m_answers));
        QTEST(text(u"emptyTitle"_s), "title");
        QFETCH(QString, command);
        QCOMPARE(item(u"emptyCommand"_s) != nullptr, !command.isEmpty());
        if (!command.isEmpty())
            QCOMPARE(text(u"emptyCommand"_s), command);
        QVERIFY(histograms().isEmpty());
        QVERIFY(!item(u"filterField"_s));
        QVERIFY(!m_window->grabWindow().isNull());
        click(item(u"emptyProcesses"_s)); // the list is always available
        QVERIFY(item(u"processList"_s));
        close();
    }
}

void tst_HistogramSources::emptyListFillsItself()
{
    choose();
    QCOMPARE(text(u"pageTitle"_s), u"Processes"_s);
    QVERIFY(item(u"noProcesses"_s));
    QCOMPARE(text(u"publishCommand"_s), u"./qpool run -- designer"_s);
    // A process that starts to publish appears automatically.
    m_processes.list = { { 70, u"designer"_s, {}, {}, 4096 } };
    QTRY_VERIFY(item(u"process_70"_s));
    QVERIFY(!item(u"noProcesses"_s));
    click(item(u"watchThis"_s));
    QVERIFY(!item(u"processList"_s));
    QCOMPARE(m_monitor->origin(), PoolMonitor::OwnProcess);
}

void tst_HistogramSources::opensAProcessFromTheList()
{
    open(Wide);
    m_processes.list = { { 70, u"designer"_s, {}, QDateTime::currentDateTime(), 4096 },
                         { 71, u"linguist"_s, u"it is of another version"_s, {}, 0 } };
    click(item(u"nav_processes"_s));
    QVERIFY(item(u"process_70"_s));
    click(item(u"process_71"_s)); // it cannot be read
    QCOMPARE(m_processes.opened, 0);
    key(Qt::Key_Escape); // back to the previous page
    QVERIFY(!item(u"processList"_s));
    QCOMPARE(m_monitor->origin(), PoolMonitor::OwnProcess);
    key(Qt::Key_P);
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    click(item(u"process_70"_s));
    QCOMPARE(m_processes.opened, 70);
    QCOMPARE(m_monitor->origin(), PoolMonitor::OtherProcess);
    QVERIFY(text(u"subtitle"_s).startsWith(u"designer"_s));
    QCOMPARE(m_window->title(), u"designer – QPool"_s);
    QCOMPARE(histograms().size(), 3);
}

// Also in a small window, and if no process publishes.
void tst_HistogramSources::showsSegmentsBelowTheProcesses()
{
    for (QSize size : { QSize(640, 480), Wide, QSize(3840, 2160) }) {
        open(size);
        click(item(u"nav_processes"_s));
        QVERIFY(!item(u"segmentCard"_s));
        m_segments = { { u"prices"_s, {}, u"futex"_s, 64 << 20, 16 << 20, 1234, 0 },
                       { u"orders"_s, {}, u"robust"_s, 1 << 20, 0, 0, 2 },
                       { u"theirs"_s, u"it belongs to another user"_s, {}, 0, 0, 0, 0 },
                       { u"zoo"_s, {}, u"spin"_s, 1 << 20, 1 << 20, 7, 0 } };
        QTRY_VERIFY(item(u"segmentCard"_s)); // automatically
        layOut();
        const auto summary = [this](const QString &name) {
            QQuickItem *row = item(u"segment_"_s + name);
            QQuickItem *label = row ? row->findChild<QQuickItem *>(u"summary"_s) : nullptr;
            return label ? label->property("text").toString() : QString();
        };
        QCOMPARE(summary(u"prices"_s), u"16\u00a0MiB of 64\u00a0MiB · 1,234 blocks · lock: futex"_s);
        QCOMPARE(summary(u"orders"_s),
                 u"0\u00a0B of 1\u00a0MiB · 0 blocks · lock: robust · 2 died holding the lock"_s);
        QCOMPARE(summary(u"theirs"_s), u"it belongs to another user"_s);
        // The lines above still have room.
        QVERIFY(item(u"noProcesses"_s));
        QQuickItem *card = item(u"segmentCard"_s);
        QVERIFY(card->height() >= 3 * 40);
        QVERIFY(card->mapToScene(QPointF(0, card->height())).y() <= size.height());
        QQuickItem *list = item(u"processList"_s);
        QVERIFY(card->mapToScene(QPointF()).y()
                >= list->mapToScene(QPointF(0, list->height())).y());
        m_segments.clear();
        QTRY_VERIFY(!item(u"segmentCard"_s));
        close();
    }
}

// The window opens with the list, and there are segments already.
void tst_HistogramSources::showsSegmentsFromTheStart()
{
    m_segments = { { u"prices"_s, {}, u"futex"_s, 64 << 20, 16 << 20, 1234, 0 } };
    choose(QSize(640, 480));
    QTRY_VERIFY(item(u"segmentCard"_s));
    layOut();
    QQuickItem *card = item(u"segmentCard"_s);
    QQuickItem *list = item(u"processList"_s);
    QVERIFY(card->width() >= list->width());
    QVERIFY(card->mapToScene(QPointF()).y() >= list->mapToScene(QPointF(0, list->height())).y());
}

void tst_HistogramSources::keysOpenAProcessFromTheList()
{
    choose();
    m_processes.list = { { 70, u"designer"_s, {}, {}, 4096 }, { 71, u"linguist"_s, {}, {}, 0 } };
    QTRY_VERIFY(item(u"process_71"_s));
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    key(Qt::Key_Down);
    key(Qt::Key_Return);
    QCOMPARE(m_processes.opened, 71);
    QVERIFY(!item(u"processList"_s));
}

void tst_HistogramSources::keepsStatisticsOfAGoneProcess()
{
    choose();
    m_processes.list = { { 70, u"designer"_s, {}, {}, 4096 } };
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    QTRY_VERIFY(item(u"process_70"_s));
    click(item(u"process_70"_s));
    QTRY_COMPARE(text(u"stateChip"_s), u"live"_s);
    QVERIFY(!item(u"goneBanner"_s));

    m_processes.answers->become(SnapshotSource::Status::Gone, u"designer (process 70) has ended"_s);
    m_processes.list.clear();
    QTRY_VERIFY(item(u"goneBanner"_s));
    QCOMPARE(text(u"bannerText"_s),
             u"designer (process 70) has ended. These are its last statistics."_s);
    QCOMPARE(text(u"stateChip"_s), u"ended"_s);
    QVERIFY(!item(u"pauseButton"_s));
    QCOMPARE(histograms().size(), 3); // they remain
    click(item(u"bannerButton"_s));
    QVERIFY(item(u"processList"_s));
    QVERIFY(item(u"noProcesses"_s));
    key(Qt::Key_Escape);
    QCOMPARE(histograms().size(), 3);
}

void tst_HistogramSources::saysThatAProcessHasEnded()
{
    open(Wide);
    m_processes.answers->become(SnapshotSource::Status::Gone, u"there is no process 99"_s);
    m_control->watch(99);
    QCOMPARE(text(u"emptyTitle"_s), u"The process has ended"_s);
    QCOMPARE(text(u"emptyText"_s), u"there is no process 99"_s);
}

void tst_HistogramSources::bannerLeadsBackToThisProcess()
{
    open(Wide);
    key(Qt::Key_4);
    QVERIFY(!item(u"otherProcessBanner"_s));
    m_processes.answers->become(SnapshotSource::Status::Ready, {}, sampleSnapshot());
    m_control->watch(70);
    QVERIFY(item(u"otherProcessBanner"_s));
    // Another page's rail has no workloads, which are of this program.
    QVERIFY(item(u"nav_workloads"_s));
    key(Qt::Key_1);
    QVERIFY(!item(u"nav_workloads"_s));
    key(Qt::Key_4);
    click(item(u"bannerButton"_s));
    QCOMPARE(m_monitor->origin(), PoolMonitor::OwnProcess);
}

void tst_HistogramSources::opensWhatItSaved()
{
    QTemporaryDir folder;
    open(Wide);
    const auto url = [&](const QString &name) {
        return QUrl::fromLocalFile(folder.filePath(name));
    };
    const auto content = [&](const QString &name) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QSignalSpy saved(m_exporter.get(), &Exporter::saved);
    m_exporter->save(Exporter::Json, url(u"a.json"_s));
    m_exporter->save(Exporter::Csv, url(u"a.csv"_s));
    m_exporter->save(Exporter::Png, url(u"a.png"_s));
    QCOMPARE(saved.size(), 3);
    QVERIFY(item(u"toast"_s));
    QJsonObject session = QJsonDocument::fromJson(content(u"a.json"_s)).object();
    QVERIFY(QDateTime::fromString(session.take("time").toString(), Qt::ISODate).isValid());
    QCOMPARE(session.take("classes").toArray().size(), sampleCensus().classes.size());
    QCOMPARE(session.take("uncertain").toInt(-1), 0);
    QVERIFY(!session.take("history").toObject().value("points").toArray().isEmpty());
    QCOMPARE(session, QJsonDocument::fromJson(sampleSnapshot()).object());
    QVERIFY(content(u"a.csv"_s).contains("event,24,1000,900,800,100"));
    QCOMPARE(QImage(folder.filePath(u"a.png"_s)).size(), m_window->size());

    m_control->openUrl(url(u"a.json"_s));
    QCOMPARE(m_monitor->origin(), PoolMonitor::SavedFile);
    QCOMPARE(m_monitor->state(), PoolMonitor::Ready);
    QCOMPARE(m_monitor->events()->live(), 150);
    QCOMPARE(text(u"stateChip"_s), u"saved"_s);
    QVERIFY(text(u"subtitle"_s).startsWith(u"a.json · 2"_s)); // the year
    QVERIFY(text(u"subtitle"_s).contains(u" UTC · process 4242"_s));
    QCOMPARE(m_monitor->classes()->total(), int(sampleCensus().classes.size()));
    QVERIFY(!item(u"pauseButton"_s));
    key(Qt::Key_Space); // there is nothing to pause
    QCOMPARE(text(u"stateChip"_s), u"saved"_s);
    QCOMPARE(histograms().constFirst()->barValue(2), 100.0);
    // Saving it again gives the same text.
    m_exporter->save(Exporter::Json, url(u"b.json"_s));
    QCOMPARE(content(u"b.json"_s), content(u"a.json"_s));

    // Without history there is no rate.
    QFile plain(folder.filePath(u"plain.json"_s));
    QVERIFY(plain.open(QIODevice::WriteOnly) && plain.write(sampleSnapshot()) > 0);
    plain.close();
    m_control->openUrl(url(u"plain.json"_s));
    QCOMPARE(item(u"rateTile"_s)->property("value").toString(), u"–"_s);
    QVERIFY(text(u"subtitle"_s).startsWith(u"plain.json · process 4242"_s));

    m_control->openUrl(url(u"a.csv"_s));
    QCOMPARE(text(u"emptyTitle"_s), u"The statistics cannot be read"_s);
    m_control->openUrl(url(u"none.json"_s));
    QVERIFY(text(u"emptyText"_s).contains(u"none.json"_s));
}

void tst_HistogramSources::reportsWhatCannotBeSaved()
{
    QTemporaryDir folder;
    open(Wide, {});
    QSignalSpy failed(m_exporter.get(), &Exporter::failed);
    const QString name = folder.filePath(u"a.json"_s);
    m_exporter->save(Exporter::Json, QUrl::fromLocalFile(name));
    m_exporter->save(Exporter::Png, QUrl::fromLocalFile(folder.filePath(u"no/such/a.png"_s)));
    m_exporter->save(Exporter::Png, QUrl(u"https://example.org/a.png"_s));
    QCOMPARE(failed.size(), 3);
    QVERIFY(!QFile::exists(name));
    QVERIFY(item(u"toast"_s)->property("bad").toBool());
}

void tst_HistogramSources::dialogsSaveAndOpen()
{
    open(Wide);
    // Saving suggests a name in the user's own folder.
    QTemporaryDir folder;
    qputenv("HOME", folder.path().toLocal8Bit());
    const auto dialog = [this](const QString &name) {
        auto *found = m_window->findChild<QObject *>(name);
        return found && found->property("visible").toBool() ? found : nullptr;
    };
    const QString name = folder.filePath(u"qpool-4242.json"_s);
    key(Qt::Key_S, Qt::ControlModifier);
    QTRY_VERIFY(dialog(u"saveDialog"_s));
    QVERIFY(QMetaObject::invokeMethod(dialog(u"saveDialog"_s), "accept"));
    QTRY_VERIFY(QFile::exists(name));
    QTRY_VERIFY(!dialog(u"saveDialog"_s));
    key(Qt::Key_Space);
    QVERIFY(m_monitor->isPaused()); // keys work after it
    key(Qt::Key_Space);

    key(Qt::Key_O, Qt::ControlModifier);
    QTRY_VERIFY(dialog(u"openDialog"_s));
    QObject *openDialog = dialog(u"openDialog"_s);
    QVERIFY(QMetaObject::invokeMethod(openDialog, "reject"));
    QCOMPARE(m_monitor->origin(), PoolMonitor::OwnProcess);
    openDialog->setProperty("selectedFile", QUrl::fromLocalFile(name));
    key(Qt::Key_O, Qt::ControlModifier);
    QTRY_VERIFY(dialog(u"openDialog"_s));
    QVERIFY(QMetaObject::invokeMethod(openDialog, "accept"));
    QTRY_COMPARE(m_monitor->origin(), PoolMonitor::SavedFile);
    QCOMPARE(m_monitor->state(), PoolMonitor::Ready);
}

QTEST_MAIN(tst_HistogramSources)

#include "tst_histogramsources.moc"
