// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../modes/classes.h"
#include "../shared/childprocess.h"
#include "judgement.h"
#include "objectfiles.h"

#include <QtCore/QFileInfo>
#include <QtCore/QJsonArray>
#include <QtCore/QJsonDocument>
#include <QtCore/QJsonObject>
#include <QtCore/QLibrary>
#include <QtCore/QTemporaryDir>

#include <memory>

#include <sys/stat.h>

// What is reported of files that are not run, and what happens when they are run.
class tst_Check : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void predictsWhetherProgramsRun_data();
    void predictsWhetherProgramsRun();
    void predictsWhetherPluginsLoad_data();
    void predictsWhetherPluginsLoad();
    void acceptsInstalledPrograms_data();
    void acceptsInstalledPrograms();
    void refusesProgramsOnStockQtCore();
    void reportsAMissingLibrary();
    void namesEveryRefusedClass();
    void findsConflictsBetweenObjectFiles_data();
    void findsConflictsBetweenObjectFiles();
    void cutObjectFilesAreBrokenOrJudged_data();
    void cutObjectFilesAreBrokenOrJudged();
    void reportsUnreadableFiles_data();
    void reportsUnreadableFiles();
    void exitCodeTellsTheResult_data();
    void exitCodeTellsTheResult();
    void writesJudgementsAndErrorsAsJson();

private:
    QString path(const QString &name) const { return m_folder + '/' + name; }
    ChildResult check(const QStringList &arguments) const
    {
        return runProgram(qEnvironmentVariable("QPOOL_CHECK"), arguments);
    }

    QString m_folder;
};

namespace {

constexpr auto None = Judgement::Mode::NoQt;
constexpr auto DropIn = Judgement::Mode::DropIn;
constexpr auto Full = Judgement::Mode::Full;

int loadInChild(const QByteArray &plugin, int &, char **)
{
    // These are the process's own before a plugin brings others.
    const std::unique_ptr<QEvent> events[] = { std::unique_ptr<QEvent>(makeHeaderOnly()),
                                               std::unique_ptr<QEvent>(makeCMD0Event()) };
    QLibrary library(QFile::decodeName(plugin));
    return library.load() ? 0 : 1;
}

} // namespace

Q_DECLARE_METATYPE(Judgement::Mode)

void tst_Check::initTestCase()
{
    m_folder = qEnvironmentVariable("QPOOL_MODES");
    if (m_folder.isEmpty())
        QSKIP("QPOOL_MODES names no folder: run this with ctest.");
}

void tst_Check::predictsWhetherProgramsRun_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<Judgement::Mode>("mode");
    QTest::addColumn<QString>("created");
    QTest::addColumn<QString>("library");
    QTest::newRow("constructor") << "mode_events.program" << Full << "QMouseEvent" << "libQt6Gui.so.6";
    QTest::newRow("vtable") << "mode_inline.program" << Full << "InlineConstructed"
                            << "libmode_classes.so";
    QTest::newRow("harmless") << "mode_harmless.program" << Full << "" << "";
    QTest::newRow("on the stack") << "mode_stack.program" << Full << "" << "";
    QTest::newRow("marked slots") << "mode_marked_slots.program" << Full << "" << "";
    QTest::newRow("stock") << "mode_stock_slots.program" << DropIn << "" << "";
}

void tst_Check::predictsWhetherProgramsRun()
{
    QFETCH(QString, program);
    QFETCH(QString, created);
    QFETCH(QString, library);
    const Judgement judgement = Judgement::of(path(program));
    QCOMPARE(judgement.error, QString());
    QVERIFY(judgement.isProgram);
    QTEST(judgement.mode, "mode");
    QCOMPARE(judgement.refusals.size(), created.isEmpty() ? 0 : 1);
    if (!created.isEmpty()) {
        const Judgement::Refusal &refusal = judgement.refusals.first();
        QCOMPARE(refusal.creator, path(program));
        QCOMPARE(refusal.className, created);
        QCOMPARE(QFileInfo(refusal.found).fileName(), library);
    }
    const ChildResult run = runProgram(path(program), {});
    QVERIFY(run.exited);
    QCOMPARE(run.exitCode, judgement.runs() ? 0 : 127);
}

void tst_Check::predictsWhetherPluginsLoad_data()
{
    QTest::addColumn<QString>("plugin");
    QTest::addColumn<Judgement::Mode>("mode");
    QTest::addColumn<QString>("created");
    const auto row = [](const char *plugin, Judgement::Mode mode, const char *created) {
        QTest::newRow(plugin) << QString("mode_%1_plugin.so").arg(plugin) << mode << created;
    };
    row("marked", Full, "");
    row("marked_gui", Full, "QMouseEvent");
    row("marked_HeaderOnly", Full, "HeaderOnly");
    row("marked_ABC1Event", Full, "ABC1Event");
    row("marked_CMD0Event", Full, "CMD0Event");
    row("marked_quiet", Full, "QMouseEvent");
    row("marked_unlinked", Full, "ABC1Event");
    row("marked_symbolic", Full, "");
    row("marked_static", Full, "QMouseEvent");
    row("stock_needing", DropIn, "QMouseEvent");
    row("stock", DropIn, "");
}

// Judged as this test would load it, and then loaded.
void tst_Check::predictsWhetherPluginsLoad()
{
    QFETCH(QString, plugin);
    QFETCH(QString, created);
    const Judgement judgement = Judgement::of(path(plugin),
                                              QCoreApplication::applicationFilePath());
    QCOMPARE(judgement.error, QString());
    QVERIFY(!judgement.isProgram);
    QTEST(judgement.mode, "mode");
    QCOMPARE(judgement.refusals.size(), created.isEmpty() ? 0 : 1);
    if (!created.isEmpty())
        QCOMPARE(judgement.refusals.first().className, created);
    const ChildResult run = runChild(path(plugin));
    QVERIFY(run.exited);
    QCOMPARE(run.exitCode, judgement.runs() ? 0 : 1);
}

void tst_Check::acceptsInstalledPrograms_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<Judgement::Mode>("mode");
    QTest::newRow("shell") << "/bin/sh" << None;
    QTest::newRow("qml") << "/usr/lib/qt6/bin/qml" << DropIn;
}

void tst_Check::acceptsInstalledPrograms()
{
    QFETCH(QString, program);
    if (!QFileInfo::exists(program))
        QSKIP("It is not installed.");
    const Judgement judgement = Judgement::of(program);
    QCOMPARE(judgement.error, QString());
    QTEST(judgement.mode, "mode");
    QVERIFY(judgement.runs());
    QCOMPARE(judgement.creates, QStringList());
}

// If it would find the distribution's QtCore, the dynamic linker ends it.
void tst_Check::refusesProgramsOnStockQtCore()
{
    const QByteArray folders = qgetenv("LD_LIBRARY_PATH");
    qunsetenv("LD_LIBRARY_PATH");
    const Judgement judgement = Judgement::of(path("mode_harmless.program"));
    const ChildResult run = runProgram(path("mode_harmless.program"), {});
    qputenv("LD_LIBRARY_PATH", folders);
    QCOMPARE(judgement.error, QString());
    QVERIFY(judgement.stockCore.contains("libQt6Core.so.6"));
    QVERIFY(!judgement.runs());
    QCOMPARE(run.exitCode, 127);
}

void tst_Check::reportsAMissingLibrary()
{
    QFile original(path("mode_inline.program"));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QByteArray content = original.readAll();
    content.replace("libmode_classes.so", "libmode_classes_so");
    QTemporaryDir folder;
    const QString copy = folder.filePath("program");
    QFile file(copy);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    const Judgement judgement = Judgement::of(copy);
    QCOMPARE(judgement.error, QString());
    QCOMPARE(judgement.missing, QStringList("libmode_classes_so"));
    QVERIFY(!judgement.runs());
}

// Not only the first, as QtCore does.
void tst_Check::namesEveryRefusedClass()
{
    const Judgement judgement = Judgement::of(path("mode_marked_several_plugin.so"));
    QStringList names;
    for (const Judgement::Refusal &refusal : judgement.refusals)
        names.append(refusal.className);
    names.sort();
    QCOMPARE(names, QStringList({ "QKeyEvent", "QMouseEvent" }));
    QCOMPARE(judgement.creates, QStringList("QEvent"));
}

void tst_Check::findsConflictsBetweenObjectFiles_data()
{
    QTest::addColumn<QStringList>("files");
    QTest::addColumn<bool>("isRefused");
    const QString marked = qEnvironmentVariable("QPOOL_MARKED_OBJECT");
    const QString stock = qEnvironmentVariable("QPOOL_STOCK_OBJECT");
    const QString markedArchive = qEnvironmentVariable("QPOOL_MARKED_ARCHIVE");
    const QString stockArchive = qEnvironmentVariable("QPOOL_STOCK_ARCHIVE");
    QTest::newRow("marked") << QStringList { marked } << false;
    QTest::newRow("marked, twice") << QStringList { marked, markedArchive } << false;
    QTest::newRow("stock, twice") << QStringList { stock, stockArchive } << false;
    QTest::newRow("both") << QStringList { marked, stock } << true;
    QTest::newRow("both, the other way round") << QStringList { stock, marked } << true;
    QTest::newRow("both as libraries") << QStringList { stockArchive, markedArchive } << true;
}

// The linker's output does not show which of the two it kept.
void tst_Check::findsConflictsBetweenObjectFiles()
{
    QFETCH(QStringList, files);
    QFETCH(bool, isRefused);
    const ChildResult run = check(files);
    QCOMPARE(run.errors, QByteArray());
    QCOMPARE(run.exitCode, int(isRefused));
    QCOMPARE(run.output.contains("HeaderOnly is deleted into the pool by "), isRefused);
    const ChildResult asJson = check(QStringList { "--json" } + files);
    QCOMPARE(asJson.exitCode, int(isRefused));
    const QJsonArray conflicts =
            QJsonDocument::fromJson(asJson.output)["conflicts"].toArray();
    QCOMPARE(conflicts.size(), int(isRefused));
    if (isRefused) {
        QCOMPARE(conflicts[0]["class"].toString(), "HeaderOnly");
        QVERIFY(files.contains(conflicts[0]["pooled"].toString()));
        QVERIFY(files.contains(conflicts[0]["unpooled"].toString()));
    }
}

void tst_Check::cutObjectFilesAreBrokenOrJudged_data()
{
    QTest::addColumn<QByteArray>("file");
    QTest::newRow("object file") << QByteArray("QPOOL_MARKED_OBJECT");
    QTest::newRow("static library") << QByteArray("QPOOL_MARKED_ARCHIVE");
}

// Cut at any point, the file is judged or reported as broken.
void tst_Check::cutObjectFilesAreBrokenOrJudged()
{
    QFETCH(QByteArray, file);
    QFile original(qEnvironmentVariable(file));
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray content = original.readAll();
    QTemporaryDir folder;
    const QString copy = folder.filePath("copy");
    int broken = 0;
    constexpr int parts = 500;
    for (int i = 1; i < parts; ++i) {
        QFile target(copy);
        QVERIFY(target.open(QIODevice::WriteOnly));
        target.write(content.first(content.size() * i / parts));
        target.close();
        ObjectFiles objects;
        const QString error = objects.add(copy);
        QVERIFY2(error.isEmpty() || error == "broken or not complete", qPrintable(error));
        broken += !error.isEmpty();
    }
    QVERIFY(broken > parts / 2);
}

void tst_Check::reportsUnreadableFiles_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("error");
    QTest::newRow("empty") << QByteArray() << "not a program or library";
    QTest::newRow("text") << QByteArray(1000, 'x') << "not a program or library";
    QFile program(path("mode_stack.program"));
    if (!program.open(QIODevice::ReadOnly))
        return;
    const QByteArray whole = program.readAll();
    QTest::newRow("only its header") << whole.left(64) << "broken or not complete";
    QTest::newRow("only its beginning") << whole.left(4096) << "broken or not complete";
    QByteArray other = whole;
    other[4] = char(3 - other[4]);
    QTest::newRow("of another word size") << other << "for a processor of another kind";
    QByteArray dump = whole;
    dump[16] = 4;
    QTest::newRow("core dump") << dump << "not a program or library";
}

void tst_Check::reportsUnreadableFiles()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, error);
    QTemporaryDir folder;
    QFile file(folder.filePath("file"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
    file.close();
    QCOMPARE(Judgement::of(file.fileName()).error, error);
    const ChildResult run = check({ file.fileName() });
    QCOMPARE(run.exitCode, 2);
    QCOMPARE(run.output, QByteArray());
    QCOMPARE(run.errors, "qpool: " + file.fileName().toLocal8Bit() + ": " + error.toLocal8Bit() + '\n');
}

void tst_Check::exitCodeTellsTheResult_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<int>("exitCode");
    QTest::addColumn<QByteArray>("errors");
    QTemporaryDir folder;
    const QString good = path("mode_harmless.program");
    const QString bad = path("mode_events.program");
    QTest::newRow("runs") << QStringList { good } << 0 << QByteArray();
    QTest::newRow("refused") << QStringList { bad } << 1 << QByteArray();
    QTest::newRow("one refused") << QStringList { good, bad, good } << 1 << QByteArray();
    QTest::newRow("not there") << QStringList { bad, "/nowhere" } << 2
                               << QByteArray("qpool: /nowhere: No such file or directory\n");
    QTest::newRow("folder") << QStringList { "/" } << 2 << QByteArray("qpool: /: not a file\n");
    QTest::newRow("device") << QStringList { "/dev/null" } << 2
                            << QByteArray("qpool: /dev/null: not a file\n");
    QTest::newRow("nothing") << QStringList {} << 2
                             << QByteArray("qpool: check needs a program, library or plugin: see "
                                           "--help\n");
    QTest::newRow("unknown option") << QStringList { "--nonsense" } << 2
                                    << QByteArray("qpool: Unknown option 'nonsense'.\n");
    QTest::newRow("plugin of nothing") << QStringList { "--in", "/nowhere", good } << 2
            << "qpool: " + good.toLocal8Bit() + ": /nowhere: No such file or directory\n";
}

void tst_Check::exitCodeTellsTheResult()
{
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, errors);
    const ChildResult run = check(arguments);
    QVERIFY(run.exited);
    QTEST(run.exitCode, "exitCode");
    QCOMPARE(run.errors, errors);
}

void tst_Check::writesJudgementsAndErrorsAsJson()
{
    const QString bad = path("mode_events.program");
    const ChildResult run = check({ "--json", bad, "/nowhere" });
    QCOMPARE(run.exitCode, 2);
    const QJsonObject result = QJsonDocument::fromJson(run.output).object();
    QCOMPARE(result["version"].toInt(), 1);
    const QJsonArray files = result["files"].toArray();
    QCOMPARE(files.size(), 2);
    const QJsonObject first = files[0].toObject();
    QCOMPARE(first["file"].toString(), bad);
    QCOMPARE(first["kind"].toString(), "program");
    QCOMPARE(first["mode"].toString(), "full");
    QCOMPARE(first["runs"], QJsonValue(false));
    QCOMPARE(first["creates"].toArray(), QJsonArray({ "QEvent" }));
    QCOMPARE(first["refusals"].toArray().size(), 1);
    const QJsonObject refusal = first["refusals"][0].toObject();
    QCOMPARE(refusal["class"].toString(), "QMouseEvent");
    QVERIFY(refusal["found"].toString().contains("libQt6Gui.so.6"));
    QVERIFY(refusal["reason"].toString().contains("cannot run together"));
    bool hasPooledCore = false;
    for (const QJsonValue library : first["libraries"].toArray()) {
        if (library["path"].toString().contains("libQt6Core.so.6")) {
            QVERIFY(library["pooled"].toBool());
            QVERIFY(library["usesQt"].toBool());
            hasPooledCore = true;
        }
    }
    QVERIFY(hasPooledCore);
    const QJsonObject second = files[1].toObject();
    QCOMPARE(second["file"].toString(), "/nowhere");
    QCOMPARE(second["error"].toString(), "No such file or directory");
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_Check, loadInChild)
#include "tst_check.moc"
