// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QDir>
#include <QtCore/QProcess>
#include <QtCore/QRegularExpression>
#include <QtCore/QSet>
#include <QtCore/QTemporaryDir>
#include <QtTest/QTest>

// Programs of the distribution, not rebuilt, get some hundred clicks and keys on the distribution's
// QtCore and on the pooled one, and must behave the same.
class tst_DrivenPrograms : public QObject
{
    Q_OBJECT
private slots:
    void behavesAsOnStock_data();
    void behavesAsOnStock();

private:
    struct Run
    {
        bool exited = false;
        int exitCode = -1;
        QByteArray errors;
        QSet<QByteArray> warnings() const;
    };
    static Run run(const QString &program, const QStringList &arguments, bool pooled);
};

// A longer drive is for the asking.
static int steps()
{
    bool asked;
    const int number = qEnvironmentVariableIntValue("QPOOL_DRIVEN_STEPS", &asked);
    return asked ? number : 500;
}

// Some of what a program prints is random. A line that is not is printed in all of several runs on
// one side, and in none on the other.
static constexpr int Runs = 4;

// The parts of a warning that differ between runs are ignored: addresses, numbers, file names.
QSet<QByteArray> tst_DrivenPrograms::Run::warnings() const
{
    static const QRegularExpression varying(
            QStringLiteral("0x[0-9a-fA-F]+|[0-9]+|/[^ \"']*/[^ \"']*"));
    QSet<QByteArray> result;
    for (const QByteArray &line : errors.split('\n')) {
        if (line.isEmpty() || line.startsWith("qpooldriver:"))
            continue;
        result.insert(QString::fromLocal8Bit(line).replace(varying, u"#"_qs).toUtf8());
    }
    return result;
}

tst_DrivenPrograms::Run tst_DrivenPrograms::run(const QString &program,
                                                const QStringList &arguments, bool pooled)
{
    // A separate home folder, so that no run finds what another saved. The program gets copies of its
    // files, because it may save them, and its file dialogs show and delete what is beside them.
    QTemporaryDir home;
    const QDir data(QStringLiteral(QPOOL_PROGRAMS_DATA));
    for (const QString &name : data.entryList(QDir::Files))
        QFile::copy(data.filePath(name), home.filePath(name));
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const char *name : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME" })
        variables.remove(QLatin1String(name));
    variables.insert(u"HOME"_qs, home.path());
    variables.insert(u"XDG_RUNTIME_DIR"_qs, home.path());
    variables.insert(u"TMPDIR"_qs, home.path());
    // A click must not start a browser, a file manager or a debugger.
    variables.insert(u"PATH"_qs, home.path());
    variables.insert(u"QT_QPA_PLATFORM"_qs, u"offscreen"_qs);
    variables.insert(u"QT_QUICK_BACKEND"_qs, u"software"_qs);
    variables.insert(u"QT_PLUGIN_PATH"_qs, QStringLiteral(QPOOL_DRIVER_PLUGINS));
    variables.insert(u"QT_QPA_GENERIC_PLUGINS"_qs, u"qpooldriver:steps=%1"_qs.arg(steps()));
    variables.remove(u"LD_LIBRARY_PATH"_qs);
    if (pooled)
        variables.insert(u"LD_LIBRARY_PATH"_qs, QStringLiteral(QPOOL_POOLED_RUNTIME));

    QProcess process;
    process.setProcessEnvironment(variables);
    process.setWorkingDirectory(home.path());
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(program, arguments);
    Run result;
    // Endless waiting is ctest's to end.
    if (!process.waitForFinished(-1))
        return result;
    result.exited = process.exitStatus() == QProcess::NormalExit;
    result.exitCode = process.exitCode();
    result.errors = process.readAllStandardError();
    return result;
}

void tst_DrivenPrograms::behavesAsOnStock_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("arguments");

    const QString qt = u"/usr/lib/qt6/bin/"_qs;
    QTest::newRow("designer") << qt + u"designer"_qs << QStringList();
    QTest::newRow("linguist") << qt + u"linguist"_qs << QStringList(u"texts.ts"_qs);
    QTest::newRow("qml") << qt + u"qml"_qs << QStringList(u"items.qml"_qs);
    QTest::newRow("qtcreator") << u"/usr/bin/qtcreator"_qs << QStringList();
    QTest::newRow("pentobi") << u"/usr/games/pentobi"_qs << QStringList();
    QTest::newRow("massxpert") << u"/usr/bin/massxpert"_qs << QStringList();
    QTest::newRow("pyqt6") << u"/usr/bin/python3"_qs << QStringList(u"widgets.py"_qs);
}

void tst_DrivenPrograms::behavesAsOnStock()
{
    QFETCH(QString, program);
    QFETCH(QStringList, arguments);
    QVERIFY2(QFile::exists(program), qPrintable(program + u" is not installed"_qs));

    const Run pooled = run(program, arguments, true);
    const Run stock = run(program, arguments, false);
    const QByteArray done = "qpooldriver: " + QByteArray::number(steps()) + " steps, ";
    QVERIFY2(stock.exited && stock.errors.contains(done + "stock"), stock.errors.constData());
    QVERIFY2(pooled.exited, pooled.errors.constData());
    QVERIFY2(pooled.errors.contains(done + "pooled"), pooled.errors.constData());
    QCOMPARE(pooled.exitCode, stock.exitCode);

    QSet<QByteArray> news = pooled.warnings() - stock.warnings();
    for (int again = 1; again < Runs && !news.isEmpty(); ++again) {
        news -= run(program, arguments, false).warnings();
        if (!news.isEmpty())
            news &= run(program, arguments, true).warnings();
    }
    const QByteArrayList printed(news.cbegin(), news.cend());
    QVERIFY2(printed.isEmpty(), "stock does not print: " + printed.join('\n'));
}

QTEST_GUILESS_MAIN(tst_DrivenPrograms)

#include "tst_drivenprograms.moc"
