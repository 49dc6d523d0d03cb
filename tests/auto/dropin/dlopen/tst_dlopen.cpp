// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../../shared/childprocess.h"

// The pooled QtCore loaded by a running program that has no other use for Qt.
class tst_DlOpen : public QObject
{
    Q_OBJECT

private slots:
    void everyWayOfLoadingEndsCleanly_data();
    void everyWayOfLoadingEndsCleanly();
};

void tst_DlOpen::everyWayOfLoadingEndsCleanly_data()
{
    QTest::addColumn<QString>("way");
    for (const char *way : { "load", "use", "stay", "threads before", "threads after", "again",
                             "in a thread" }) {
        QTest::newRow(way) << QString(way);
    }
}

void tst_DlOpen::everyWayOfLoadingEndsCleanly()
{
    QFETCH(QString, way);
    const QString loader = qEnvironmentVariable("QPOOL_LOADER");
    if (loader.isEmpty())
        QSKIP("QPOOL_LOADER names no program: run this with ctest.");
    VERIFY_CLEAN_EXIT(runProgram(loader, { way }));
}

QTEST_GUILESS_MAIN(tst_DlOpen)
#include "tst_dlopen.moc"
