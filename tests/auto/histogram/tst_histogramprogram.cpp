// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "programfixture.h"

#include "snapshot.h"

#include <QtCore/qdir.h>
#include <QtGui/qimage.h>

// The output of a headless run.
class tst_HistogramProgram : public ProgramFixture
{
    Q_OBJECT

private Q_SLOTS:
    void writesFiles();
    void refusesBadFiles();
    void everyPageLooksDifferent();
    void writesFramesThatDiffer();
    void pictureShowsBarsInTheTheme_data();
    void pictureShowsBarsInTheTheme();
    void writesTextByDefault();
    void readsASnapshotThatGrows();
};

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
    // No incomplete file is left.
    QCOMPARE(QDir(m_directory->path()).entryList(QDir::Files),
             QStringList({ u"s.csv"_s, u"s.json"_s, u"s.png"_s }));

    // Opened again it is the same, without a pool and without waiting.
    const Result again = run({ u"--headless"_s, u"--seconds"_s, u"600"_s, u"--open"_s,
                               file(u"s.json"_s), u"--json"_s, file(u"t.json"_s), u"--csv"_s,
                               file(u"t.csv"_s), u"--text"_s },
                             {});
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

void tst_HistogramProgram::refusesBadFiles()
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

void tst_HistogramProgram::everyPageLooksDifferent()
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

void tst_HistogramProgram::writesFramesThatDiffer()
{
    const Result result = run({ u"--headless"_s, u"--seconds"_s, u"2"_s, u"--workloads"_s,
                                u"none"_s, u"--tour"_s, u"--frames"_s, file(u"frames"_s),
                                u"--size"_s, u"640x480"_s });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    const QStringList names = QDir(file(u"frames"_s)).entryList(QDir::Files);
    QVERIFY2(names.size() >= 3, qPrintable(names.join(u' ')));
    QCOMPARE(names.constFirst(), u"frame-0001.png"_s);
    const QDir folder(file(u"frames"_s));
    QVERIFY(QImage(folder.filePath(names.constFirst()))
            != QImage(folder.filePath(names.constLast())));
}

void tst_HistogramProgram::pictureShowsBarsInTheTheme_data()
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

void tst_HistogramProgram::pictureShowsBarsInTheTheme()
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

void tst_HistogramProgram::writesTextByDefault()
{
    const Result result = run(
            { u"--headless"_s, u"--seconds"_s, u"1"_s, u"--workloads"_s, u"none"_s });
    QVERIFY2(result.code == 0, qPrintable(result.err));
    QVERIFY(result.out.contains(u"Events"_s));
    QVERIFY(result.out.contains(u"52,310"_s));
    QVERIFY(result.out.contains(u"5 arenas, 1 orphaned"_s));
}

void tst_HistogramProgram::readsASnapshotThatGrows()
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
