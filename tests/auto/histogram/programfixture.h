// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROGRAMFIXTURE_H
#define PROGRAMFIXTURE_H

#include <QtCore/qfile.h>
#include <QtCore/qprocess.h>
#include <QtCore/qtemporarydir.h>
#include <QtTest/qtest.h>

#include <memory>

using namespace Qt::StringLiterals;

// The program itself, as a process, on a fake pool or on none.
class ProgramFixture : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void init();

protected:
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

inline void ProgramFixture::initTestCase()
{
    m_environment = QProcessEnvironment::systemEnvironment();
    // Whatever this test runs on, the program gets the distribution's QtCore.
    m_environment.remove(u"LD_LIBRARY_PATH"_s);
    for (const auto &name : { u"DISPLAY"_s, u"WAYLAND_DISPLAY"_s, u"QT_QPA_PLATFORM"_s,
                              u"QT_QUICK_BACKEND"_s, u"LD_PRELOAD"_s })
        m_environment.remove(name);
}

inline void ProgramFixture::init()
{
    m_directory = std::make_unique<QTemporaryDir>();
    QVERIFY(m_directory->isValid());
    // Qt prints a warning unless the folder exists and is private.
    QVERIFY(QFile::setPermissions(m_directory->path(),
                                  QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    m_environment.insert(u"XDG_RUNTIME_DIR"_s, m_directory->path());
}

inline ProgramFixture::Result ProgramFixture::run(const QStringList &arguments,
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

#endif // PROGRAMFIXTURE_H
