// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "monitorfinder.h"
#include "sharedsegments.h"
#include "windowfixture.h"

#include <QtCore/qfileinfo.h>
#include <QtCore/qprocess.h>
#include <QtCore/qregularexpression.h>
#include <QtCore/qtemporarydir.h>

// The window on real processes: an unmodified program of the distribution, on the
// pooled QtCore, followed from outside and killed.
class tst_HistogramAttach : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void cleanup() { close(); }

    void followsAProcessUntilItIsKilled();
    void showsTheHeapOfAWholeProgram();
    void showsWhoHoldsAndWhoAllocates();
    void listsProcessesAsTheyComeAndGo();
    void statisticsAgree();
    void showsEventLatencyIfRecorded();
    void attachesByCommandLine();
    void refusesProcessesWithoutStatistics_data();
    void refusesProcessesWithoutStatistics();

private:
    void start(QProcess *process, const QString &program, const QStringList &arguments,
               const QString &preloaded = {}, const QString &wishes = u"monitor"_s);
    void watch();

    QTemporaryDir m_folder;
};

void tst_HistogramAttach::initTestCase()
{
    if (!QFileInfo::exists(QStringLiteral(POOLED_RUNTIME "/libQt6Core.so.6")))
        QSKIP("The pooled QtCore is not built.");
    if (!QFileInfo(QStringLiteral(DESIGNER)).isExecutable())
        QSKIP("Qt Designer is not installed.");
}

void tst_HistogramAttach::start(QProcess *process, const QString &program,
                                const QStringList &arguments, const QString &preloaded,
                                const QString &wishes)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"LD_LIBRARY_PATH"_s, QStringLiteral(POOLED_RUNTIME));
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    environment.insert(u"QT_POOL_ALLOCATOR"_s, wishes);
    if (!preloaded.isEmpty())
        environment.insert(u"LD_PRELOAD"_s, preloaded);
    environment.insert(u"XDG_CONFIG_HOME"_s, m_folder.path()); // not the user's settings
    environment.insert(u"XDG_RUNTIME_DIR"_s, m_folder.path());
    process->setProcessEnvironment(environment);
    process->start(program, arguments);
    QVERIFY2(process->waitForStarted(), qPrintable(process->errorString()));
}

// The window that the program opens with --choose.
void tst_HistogramAttach::watch()
{
    CommandLine options;
    options.choose = true;
    open(Wide, sampleSnapshot(), options);
    m_scene.reset();
    m_control = std::make_unique<ViewControl>(m_monitor.get(), std::make_unique<MonitorFinder>(),
                                              std::make_unique<SharedSegments>());
    options.headless = true;
    options.theme = u"light"_s;
    const ViewParts parts { m_monitor.get(), m_workloads.get(), m_control.get(), m_exporter.get() };
    m_scene = std::make_unique<HistogramWindow>(parts, options);
    m_window = m_scene->window();
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
}

void tst_HistogramAttach::followsAProcessUntilItIsKilled()
{
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {});
    watch();
    const qint64 pid = designer.processId(); // QProcess forgets it when it ends
    const QString row = u"process_%1"_s.arg(pid);
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    QCOMPARE(m_monitor->state(), PoolMonitor::Ready);
    QCOMPARE(m_monitor->pid(), pid);
    QCOMPARE(text(u"subtitle"_s).section(u' ', 0, 0), u"designer"_s);
    QCOMPARE(histograms().size(), 3);
    // Designer creates thousands of objects when it starts.
    QTRY_VERIFY_WITH_TIMEOUT(m_monitor->privates()->allocated() > 1000, 30000);
    QVERIFY(m_monitor->arenas()->total() >= 1);
    QVERIFY(m_monitor->committedBytes() >= m_monitor->liveBytes());
    QCOMPARE(designer.state(), QProcess::Running);

    designer.kill();
    QTRY_VERIFY_WITH_TIMEOUT(item(u"goneBanner"_s), 30000);
    QVERIFY2(text(u"bannerText"_s).contains(u"has ended"_s), qPrintable(text(u"bannerText"_s)));
    QVERIFY(text(u"bannerText"_s).contains(QString::number(pid)));
    QCOMPARE(text(u"stateChip"_s), u"ended"_s);
    QVERIFY(m_monitor->privates()->allocated() > 1000); // the last statistics remain
    click(item(u"bannerButton"_s));
    QVERIFY(item(u"processList"_s));
    QTRY_VERIFY(!item(row));
    designer.waitForFinished();
}

void tst_HistogramAttach::showsTheHeapOfAWholeProgram()
{
    if (QStringLiteral(MALLOC_FRONT).isEmpty())
        QSKIP("There is no malloc front that goes with this QtCore.");
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {}, QStringLiteral(MALLOC_FRONT));
    watch();
    const QString row = u"process_%1"_s.arg(designer.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    QTRY_VERIFY_WITH_TIMEOUT(m_monitor->privates()->allocated() > 1000, 30000);
    QVERIFY(m_monitor->hasHeap());
    QCOMPARE(histograms().size(), 4);
    QCOMPARE(histograms().constLast()->model(), m_monitor->heap());
    // Most of what a program allocates is neither event nor object.
    QVERIFY(m_monitor->heap()->allocated() > m_monitor->privates()->allocated());
    QCOMPARE(m_monitor->heap()->count(), 51); // no class that the model did not expect
    QVERIFY(m_monitor->liveBytesByDomain().at(3) > 0);
    QVERIFY(text(u"qmlNote"_s).contains(u"Whole program"_s));
    designer.kill();
    designer.waitForFinished();
}

// A program that leaks timers, each with an objectName and the same parent.
void tst_HistogramAttach::showsWhoHoldsAndWhoAllocates()
{
    if (QStringLiteral(MALLOC_FRONT).isEmpty())
        QSKIP("There is no malloc front that goes with this QtCore.");
    QProcess leaking;
    start(&leaking, QStringLiteral(LEAKED_TIMER), {}, QStringLiteral(MALLOC_FRONT));
    watch();
    const QString row = u"process_%1"_s.arg(leaking.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    Inspection *inspection = m_monitor->inspection();

    key(Qt::Key_3);
    QTRY_VERIFY_WITH_TIMEOUT(inspection->memory()->isReady(), 30000);
    QVERIFY(inspection->memory()->pool() > 0);
    QVERIFY(inspection->memory()->resident() > inspection->memory()->pool());

    key(Qt::Key_7);
    SiteModel *sites = inspection->sites();
    QTRY_VERIFY_WITH_TIMEOUT(item(u"startSampling"_s), 30000);
    click(item(u"startSampling"_s));
    QTRY_VERIFY_WITH_TIMEOUT(sites->isSampled(), 30000);
    // 50,000 timers take some 30 MiB, and so some sixty samples.
    leaking.write("\n\n\n\n\n");
    const auto isFound = [sites] {
        for (int row = 0; row < sites->count(); ++row) {
            const QModelIndex index = sites->index(row);
            if ((index.data(SiteModel::FunctionRole).toString() + index.data(SiteModel::CallerRole).toString())
                        .contains(u"Session::send"_s))
                return true;
        }
        return false;
    };
    QTRY_VERIFY_WITH_TIMEOUT(isFound(), 60000);
    QVERIFY(sites->stacks()->count() > 2);
    jumpTo(QSize(900, 600), u"attached-sites"_s);
    click(segment(u"sitesView"_s, 1));
    jumpTo(QSize(1280, 800), u"attached-stacks"_s);
    QCOMPARE(overlaps().join(u"; "_s), QString());

    key(Qt::Key_5);
    inspection->chooseClass(u"object"_s, u"QTimer"_s);
    QString known;
    const auto knows = [&](const QString &text) {
        known.clear();
        const HolderModel *holders = inspection->holders();
        for (int row = 0; row < holders->count(); ++row)
            known += holders->index(row).data(HolderModel::TextRole).toString() + u'\n';
        return known.contains(text);
    };
    QTRY_VERIFY_WITH_TIMEOUT(knows(u"of class Session"_s), 30000);
    QVERIFY2(known.contains(u"reply-timeout"_s), qPrintable(known));
    QVERIFY2(known.contains(u"\"printer\""_s), qPrintable(known));
    jumpTo(QSize(900, 600), u"attached-holders"_s);

    leaking.kill();
    QTRY_VERIFY_WITH_TIMEOUT(item(u"goneBanner"_s), 30000);
    QVERIFY(item(u"holdersCard"_s)); // what was read remains
    leaking.waitForFinished();
}

void tst_HistogramAttach::listsProcessesAsTheyComeAndGo()
{
    watch();
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {});
    const QString row = u"process_%1"_s.arg(designer.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000); // appears automatically
    designer.kill();
    QTRY_VERIFY_WITH_TIMEOUT(!item(row), 30000); // and disappears
    designer.waitForFinished();
}

void tst_HistogramAttach::statisticsAgree()
{
    // The bars show the values of the snapshot.
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {});
    watch();
    const QString row = u"process_%1"_s.arg(designer.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    QTRY_VERIFY_WITH_TIMEOUT(m_monitor->privates()->live() > 500, 30000);
    m_monitor->setPaused(true);
    m_monitor->sample();
    QString error;
    const auto snapshot = Snapshot::fromJson(m_monitor->json(), &error);
    QVERIFY2(snapshot, qPrintable(error));
    const QList<SizeClassModel *> models { m_monitor->events(), m_monitor->objects(),
                                           m_monitor->privates() };
    const auto shown = histograms();
    QCOMPARE(shown.size(), 3);
    for (int d = 0; d < models.size(); ++d) {
        qint64 live = 0;
        for (int row = 0; row < models.at(d)->count(); ++row)
            live += qint64(shown.at(d)->barValue(row));
        QCOMPARE(live, snapshot->live(Domain(d)));
        QCOMPARE(models.at(d)->allocated(), snapshot->allocated(Domain(d)));
    }
    QCOMPARE(m_monitor->arenas()->total(), int(snapshot->arenas.size()));
    designer.kill();
    designer.waitForFinished();
}

// A program that records how long its events wait, and one that does not.
void tst_HistogramAttach::showsEventLatencyIfRecorded()
{
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {}, {}, u"monitor,latency"_s);
    watch();
    QString row = u"process_%1"_s.arg(designer.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    key(Qt::Key_6);
    const LatencyModel *latency = m_monitor->latency();
    QTRY_COMPARE_WITH_TIMEOUT(latency->state(), LatencyModel::Ready, 30000);
    QTRY_VERIFY_WITH_TIMEOUT(latency->delivered() > 0, 30000);
    QVERIFY(latency->worstWait() > 0);
    layOut();
    QVERIFY(item(u"latencyRow"_s));
    designer.kill();
    QTRY_VERIFY_WITH_TIMEOUT(item(u"goneBanner"_s), 30000);
    QVERIFY(latency->delivered() > 0); // the last statistics remain
    designer.waitForFinished();

    QProcess other;
    start(&other, QStringLiteral(DESIGNER), {});
    click(item(u"bannerButton"_s));
    row = u"process_%1"_s.arg(other.processId());
    QTRY_VERIFY_WITH_TIMEOUT(item(row), 30000);
    click(item(row));
    key(Qt::Key_6);
    QTRY_COMPARE_WITH_TIMEOUT(latency->state(), LatencyModel::NotRecorded, 30000);
    layOut();
    QCOMPARE(text(u"latencyTitle"_s), u"Event latency is not recorded"_s);
    QVERIFY(text(u"latencyCommand"_s).endsWith(u"./qpool run --latency -- PROGRAM"_s));
    other.kill();
    other.waitForFinished();
}

void tst_HistogramAttach::attachesByCommandLine()
{
    QProcess designer;
    start(&designer, QStringLiteral(DESIGNER), {});
    watch();
    QTRY_VERIFY_WITH_TIMEOUT(item(u"process_%1"_s.arg(designer.processId())), 30000);
    const QString png = m_folder.filePath(u"attached.png"_s);
    QProcess view;
    start(&view, QStringLiteral(HISTOGRAM_PROGRAM),
          { u"--headless"_s, u"--attach"_s, QString::number(designer.processId()), u"--seconds"_s,
            u"1"_s, u"--png"_s, png, u"--text"_s });
    QVERIFY(view.waitForFinished(60000));
    QCOMPARE(view.exitCode(), 0);
    const QString text = QString::fromUtf8(view.readAllStandardOutput());
    QVERIFY2(text.contains(u"process %1"_s.arg(designer.processId())), qPrintable(text));
    QVERIFY(QFileInfo(png).size() > 0);

    // The process ends while it is watched: the last values are reported, and the end is, too.
    start(&view, QStringLiteral(HISTOGRAM_PROGRAM),
          { u"--headless"_s, u"--attach"_s, QString::number(designer.processId()), u"--seconds"_s,
            u"600"_s });
    QByteArray said;
    // A process that ends before the first sample has no statistics to report.
    QTRY_VERIFY_WITH_TIMEOUT((said += view.readAllStandardError()).contains("1/600 s"), 60000);
    designer.kill();
    QVERIFY(view.waitForFinished(60000));
    said += view.readAllStandardError();
    QVERIFY2(view.exitCode() == 0, said.constData());
    QVERIFY2(said.contains("has ended; these are its last statistics"), said.constData());
    designer.waitForFinished();
}

void tst_HistogramAttach::refusesProcessesWithoutStatistics_data()
{
    QTest::addColumn<bool>("running");
    QTest::addColumn<QByteArray>("complaint");
    QTest::newRow("no such process") << false << QByteArray("there is no process");
    QTest::newRow("not publishing") << true << QByteArray("publishes nothing");
}

void tst_HistogramAttach::refusesProcessesWithoutStatistics()
{
    QFETCH(bool, running);
    QProcess sleeper;
    start(&sleeper, u"sleep"_s, { u"600"_s });
    const qint64 pid = sleeper.processId();
    if (!running) {
        sleeper.kill();
        sleeper.waitForFinished();
    }
    QProcess view;
    start(&view, QStringLiteral(HISTOGRAM_PROGRAM),
          { u"--headless"_s, u"--attach"_s, QString::number(pid), u"--seconds"_s, u"600"_s });
    QVERIFY(view.waitForFinished(60000));
    QCOMPARE(view.exitCode(), 1);
    const QByteArray error = view.readAllStandardError();
    QCOMPARE(error.count('\n'), 1);
    QFETCH(QByteArray, complaint);
    QVERIFY2(error.contains(complaint), error.constData());
    sleeper.kill();
    sleeper.waitForFinished();
}

QTEST_MAIN(tst_HistogramAttach)

#include "tst_histogramattach.moc"
