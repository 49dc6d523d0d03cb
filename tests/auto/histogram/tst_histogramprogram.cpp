// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "snapshot.h"

#include <QtCore/qdir.h>
#include <QtCore/qfile.h>
#include <QtCore/qprocess.h>
#include <QtCore/qtemporarydir.h>
#include <QtGui/qimage.h>
#include <QtTest/qtest.h>

using namespace Qt::StringLiterals;

// The program itself, as a process, on a fake pool or on none.
class tst_HistogramProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

    void helpAndVersion();
    void badValues_data();
    void badValues();
    void stockQtCore();
    void noFigures_data();
    void noFigures();
    void noDisplay();
    void unwritable_data();
    void unwritable();
    void writesFiles();
    void openBadFiles();
    void pages();
    void frames();
    void picture_data();
    void picture();
    void textByDefault();
    void growingSnapshot();

private:
    struct Result
    {
        int code = -1;
        QString out;
        QString err;
    };

    Result run(const QStringList &arguments, const QByteArray &fakePool = "fixed") const;
    QString file(const QString &name) const { return m_directory->filePath(name); }

    QProcessEnvironment m_environment;
    std::unique_ptr<QTemporaryDir> m_directory;
};

void tst_HistogramProgram::initTestCase()
{
    m_environment = QProcessEnvironment::systemEnvironment();
    // Whatever this test runs on, the program gets the distribution's QtCore.
    m_environment.remove(u"LD_LIBRARY_PATH"_s);
    for (const auto &name : { u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s,
                              u"QT_QUICK_BACKEND"_s, u"LD_PRELOAD"_s })
        m_environment.remove(name);
}

void tst_HistogramProgram::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
    // Kept from the user's, and Qt says nothing about its absence.
    QVERIFY(QFile::setPermissions(m_directory->path(),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_environment.insert(u"XDG_RUNTIME_DIR"_s, m_directory->path());
}

tst_HistogramProgram::Result tst_HistogramProgram::run(const QStringList &arguments,
                                                       const QByteArray &fakePool) const
{
    QProcessEnvironment environment = m_environment;
    if (!fakePool.isEmpty()) {
        environment.insert(u"LD_PRELOAD"_s, QStringLiteral(FAKE_POOL_LIBRARY));
        environment.insert(u"FAKE_POOL"_s, QString::fromLatin1(fakePool));
    }
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_directory->path());
    process.start(QStringLiteral(HISTOGRAM_PROGRAM), arguments);
    Result result;
    if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit)
        result.code = process.exitCode();
    result.out = QString::fromUtf8(process.readAllStandardOutput());
    result.err = QString::fromUtf8(process.readAllStandardError());
    return result;
}

void tst_HistogramProgram::helpAndVersion()
{
    const Result help = run({ u"--help"_s }, {});
    QCOMPARE(help.code, 0);
    QVERIFY(help.out.startsWith(u"Usage: qpool-histogram"_s));
    for (const auto &option :
         { u"--headless"_s, u"--seconds"_s, u"--json"_s, u"--png"_s, u"--text"_s, u"--workloads"_s,
           u"--view"_s, u"--theme"_s, u"--size"_s, u"--csv"_s, u"--frames"_s, u"--tour"_s,
           u"--page"_s, u"--open"_s, u"--attach"_s, u"--choose"_s, u"--scale"_s, u"--filter"_s })
        QVERIFY2(help.out.contains(option), qPrintable(option));
    QCOMPARE(help.err, QString());
    const Result version = run({ u"--version"_s }, {});
    QCOMPARE(version.code, 0);
    QVERIFY(version.out.startsWith(u"qpool-histogram "_s));
}

void tst_HistogramProgram::badValues_data()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("complaint");
    const auto row = [](const QString &arguments, const QString &complaint) {
        QTest::newRow(qPrintable(arguments)) << arguments.split(u' ') << complaint;
    };
    row(u"--nonsense"_s, u"nonsense"_s);
    row(u"file.json"_s, u"file.json"_s);
    row(u"--headless --seconds many"_s, u"'many'"_s);
    row(u"--headless --seconds 0"_s, u"'0'"_s);
    row(u"--headless --seconds -3"_s, u"'-3'"_s);
    row(u"--headless --seconds 99999999"_s, u"'99999999'"_s);
    row(u"--headless --seconds"_s, u"seconds"_s);
    row(u"--headless --json="_s, u"--json needs a value"_s);
    row(u"--json s.json"_s, u"--json needs --headless"_s);
    row(u"--text"_s, u"--text needs --headless"_s);
    row(u"--workloads queued,nothing"_s, u"'nothing'"_s);
    row(u"--workloads="_s, u"''"_s);
    row(u"--theme blue"_s, u"'blue'"_s);
    row(u"--page last"_s, u"'last'"_s);
    row(u"--scale round"_s, u"'round'"_s);
    row(u"--attach me"_s, u"'me'"_s);
    row(u"--attach -1"_s, u"-1"_s);
    row(u"--attach 1 --choose"_s, u"exclude each other"_s);
    row(u"--open a.json --attach 1"_s, u"exclude each other"_s);
    row(u"--csv a.csv"_s, u"--csv needs --headless"_s);
    row(u"--tour"_s, u"--tour needs --headless"_s);
    row(u"--view sideways"_s, u"'sideways'"_s);
    row(u"--size 100x100"_s, u"'100x100'"_s);
    row(u"--size huge"_s, u"'huge'"_s);
    row(u"--size 99999x99999"_s, u"'99999x99999'"_s);
}

void tst_HistogramProgram::badValues()
{
    QFETCH(QStringList, arguments);
    QFETCH(QString, complaint);
    const Result result = run(arguments);
    QCOMPARE(result.code, 2);
    QCOMPARE(result.out, QString());
    QVERIFY2(result.err.contains(complaint), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramProgram::stockQtCore()
{
    const Result result = run({ u"--headless"_s, u"--json"_s, file(u"s.json"_s) }, {});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(u"This QtCore has no pool"_s), qPrintable(result.err));
    QVERIFY2(result.err.contains(u"./qpool run"_s), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
    QVERIFY(!QFile::exists(file(u"s.json"_s)));
}

void tst_HistogramProgram::noFigures_data()
{
    QTest::addColumn<QByteArray>("fakePool");
    QTest::addColumn<QString>("complaint");
    QTest::newRow("disabled") << QByteArray("disabled") << u"QT_POOL_ALLOCATOR=0"_s;
    QTest::newRow("damaged") << QByteArray("damaged") << u"cannot be read"_s;
}

void tst_HistogramProgram::noFigures()
{
    QFETCH(QByteArray, fakePool);
    QFETCH(QString, complaint);
    const Result result = run({ u"--headless"_s }, fakePool);
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(complaint), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramProgram::noDisplay()
{
    const Result result = run({});
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(u"--headless"_s), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1);
}

void tst_HistogramProgram::unwritable_data()
{
    QTest::addColumn<QString>("option");
    QTest::newRow("json") << u"--json"_s;
    QTest::newRow("csv") << u"--csv"_s;
    QTest::newRow("png") << u"--png"_s;
}

void tst_HistogramProgram::unwritable()
{
    QFETCH(QString, option);
    const QString path = file(u"no/such/folder/file"_s);
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"30"_s, option, path });
    QCOMPARE(result.code, 1);
    QVERIFY2(result.err.contains(path), qPrintable(result.err));
    QCOMPARE(result.err.count(u'\n'), 1); // said at once, not after 30 seconds
}

void tst_HistogramProgram::writesFiles()
{
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"2"_s, u"--json"_s,
                                file(u"s.json"_s), u"--csv"_s, file(u"s.csv"_s), u"--png"_s,
                                file(u"s.png"_s) });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QCOMPARE(result.out, QString());
    QVERIFY(result.err.contains(u"1/2 s"_s));
    QVERIFY(result.err.contains(u"2/2 s"_s));
    QCOMPARE(result.err.count(u'\n'), 2); // no warnings of Qt or QML either

    QFile json(file(u"s.json"_s));
    QVERIFY(json.open(QIODevice::ReadOnly));
    QString error;
    const auto snapshot = Snapshot::fromJson(json.readAll(), &error);
    QVERIFY2(snapshot, qPrintable(error));
    QCOMPARE(snapshot->domain(Domain::Event).at(1).size, 24);
    QCOMPARE(snapshot->domain(Domain::Event).at(1).allocated, 52310);
    QVERIFY(!QImage(file(u"s.png"_s)).isNull());
    // Nothing half-written lies about.
    QCOMPARE(QDir(m_directory->path()).entryList(QDir::Files),
             QStringList({ u"s.csv"_s, u"s.json"_s, u"s.png"_s }));

    // Opened again it is the same, without a pool and without waiting.
    const Result again = run({ u"--headless"_s, u"--seconds"_s, u"600"_s, u"--open"_s,
                               file(u"s.json"_s), u"--json"_s, file(u"t.json"_s), u"--csv"_s,
                               file(u"t.csv"_s), u"--text"_s }, {});
    QVERIFY2(again.code == 0, qPrintable(again.err));
    QCOMPARE(again.err, QString());
    QVERIFY(again.out.contains(u"52,310"_s));
    const auto content = [this](const QString &name) {
        QFile file(this->file(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QCOMPARE(content(u"t.json"_s).trimmed(), content(u"s.json"_s).trimmed());
    QCOMPARE(content(u"t.csv"_s), content(u"s.csv"_s));
    QVERIFY(content(u"s.csv"_s).contains("event,24,52310,52000,41200,310,"));
}

void tst_HistogramProgram::openBadFiles()
{
    const Result none = run({ u"--headless"_s, u"--open"_s, file(u"none.json"_s) }, {});
    QCOMPARE(none.code, 1);
    QVERIFY2(none.err.contains(u"none.json"_s), qPrintable(none.err));
    QCOMPARE(none.err.count(u'\n'), 1);
    QFile bad(file(u"bad.json"_s));
    QVERIFY(bad.open(QIODevice::WriteOnly));
    bad.write(R"({"version":9})");
    bad.close();
    const Result other = run({ u"--headless"_s, u"--open"_s, bad.fileName() }, {});
    QCOMPARE(other.code, 1);
    QVERIFY2(other.err.contains(u"version 9"_s), qPrintable(other.err));
}

void tst_HistogramProgram::pages()
{
    // Pages that show something else look different, in either theme.
    QList<QImage> images;
    for (const QString &theme : { u"light"_s, u"dark"_s }) {
        for (const QString &page : { u"overview"_s, u"arenas"_s, u"memory"_s, u"workloads"_s }) {
            const QString name = file(page + theme + u".png"_s);
            const Result result = run({ u"--headless"_s, u"--seconds"_s, u"1"_s, u"--workloads"_s,
                                        u"none"_s, u"--theme"_s, theme, u"--page"_s, page,
                                        u"--png"_s, name });
            QVERIFY2(result.code == 0, qPrintable(result.err));
            QCOMPARE(result.err.count(u'\n'), 1);
            const QImage image(name);
            QVERIFY(!image.isNull() && !images.contains(image));
            images.append(image);
        }
    }
}

void tst_HistogramProgram::frames()
{
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"2"_s, u"--workloads"_s,
                                u"none"_s, u"--tour"_s, u"--frames"_s, file(u"frames"_s),
                                u"--size"_s, u"640x480"_s });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QStringList names = QDir(file(u"frames"_s)).entryList(QDir::Files);
    QVERIFY2(names.size() >= 3, qPrintable(names.join(u' ')));
    QCOMPARE(names.constFirst(), u"frame-0001.png"_s);
    const QDir folder(file(u"frames"_s));
    QVERIFY(QImage(folder.filePath(names.constFirst())) != QImage(folder.filePath(names.constLast())));
}

void tst_HistogramProgram::picture_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QColor>("live");
    QTest::addColumn<QColor>("background");
    const QColor light(u"#f3f5f8"_s);
    const QColor dark(u"#0f1318"_s);
    QTest::newRow("light") << QSize(1280, 800) << u"light"_s << QColor(u"#2463d9"_s) << light;
    QTest::newRow("dark") << QSize(1280, 800) << u"dark"_s << QColor(u"#6fa3ff"_s) << dark;
    QTest::newRow("small") << QSize(640, 480) << u"light"_s << QColor(u"#2463d9"_s) << light;
}

void tst_HistogramProgram::picture()
{
    QFETCH(QSize, size);
    QFETCH(QString, theme);
    QFETCH(QColor, live);
    QFETCH(QColor, background);
    const QString name = file(u"s.png"_s);
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"1"_s, u"--workloads"_s,
                                u"none"_s, u"--theme"_s, theme, u"--png"_s, name, u"--size"_s,
                                u"%1x%2"_s.arg(size.width()).arg(size.height()) });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QImage image(name);
    QCOMPARE(image.size(), size);
    QCOMPARE(image.pixelColor(90, 2), background);
    // The bars of the events, in their colour, over a good part of the plot:
    // the widest run of rows with as many pixels of it as six bars have.
    int rows = 0;
    for (int y = size.height() / 5; y < size.height(); ++y) {
        int pixels = 0;
        for (int x = 100; x < size.width() * 2 / 3; ++x)
            pixels += image.pixelColor(x, y) == live;
        rows += pixels >= 20;
    }
    QVERIFY2(rows >= 50, qPrintable(QString::number(rows)));
}

void tst_HistogramProgram::textByDefault()
{
    const Result result = run(
            { u"--headless"_s, u"--seconds"_s, u"1"_s, u"--workloads"_s, u"none"_s });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY(result.out.contains(u"Events"_s));
    QVERIFY(result.out.contains(u"52,310"_s));
    QVERIFY(result.out.contains(u"5 arenas, 1 orphaned"_s));
}

void tst_HistogramProgram::growingSnapshot()
{
    // Longer than the first buffer, and longer again with every call.
    const Result result = run(
            { u"--headless"_s, u"--seconds"_s, u"1"_s, u"--workloads"_s, u"none"_s, u"--text"_s },
            "growing");
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY(result.out.contains(u"52,310"_s));
}

QTEST_GUILESS_MAIN(tst_HistogramProgram)

#include "tst_histogramprogram.moc"
