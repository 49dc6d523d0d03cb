// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CHILDPROCESS_H
#define CHILDPROCESS_H

#include <QtCore/QCoreApplication>
#include <QtCore/QProcess>
#include <QtTest/QTest>

#include <cstring>
#include <functional>

// A program that ended, started to see how it does.
struct ChildResult
{
    bool exited = false; // and not by a signal
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;
};

using Environment = QList<std::pair<QString, QString>>;

// \a prepare is called in the new process, before the program is.
inline ChildResult runProgram(const QString &program, const QStringList &arguments,
                              const Environment &environment = {},
                              const std::function<void()> &prepare = {})
{
    QProcessEnvironment variables = QProcessEnvironment::systemEnvironment();
    for (const auto &[name, value] : environment)
        variables.insert(name, value);
    QProcess process;
    process.setProcessEnvironment(variables);
    process.setChildProcessModifier(prepare);
    process.start(program, arguments);
    ChildResult result;
    // Endless waiting is ctest's to end.
    if (!process.waitForFinished(-1))
        return result;
    result.exited = process.exitStatus() == QProcess::NormalExit;
    result.exitCode = process.exitCode();
    result.output = process.readAllStandardOutput();
    result.errors = process.readAllStandardError();
    return result;
}

// Runs the test program again, for one of the parts that its main() knows by name.
inline ChildResult runChild(const QString &part, const Environment &environment = {},
                            const std::function<void()> &prepare = {})
{
    return runProgram(QCoreApplication::applicationFilePath(), { "--child=" + part }, environment,
                      prepare);
}

#define VERIFY_CLEAN_EXIT(result) \
    do { \
        const ChildResult &checked = (result); \
        QCOMPARE(checked.errors, QByteArray()); \
        QVERIFY2(checked.exited, "ended by a signal"); \
        QCOMPARE(checked.exitCode, 0); \
    } while (false)

// main() of a test of which \a Child, an int(const QByteArray &part, int &argc, char **argv),
// is run when it is started as a child.
#define QPOOL_TEST_MAIN_WITH_CHILDREN(Test, Child) \
    int main(int argc, char **argv) \
    { \
        constexpr char option[] = "--child="; \
        if (argc > 1 && std::strncmp(argv[1], option, sizeof(option) - 1) == 0) \
            return Child(argv[1] + sizeof(option) - 1, argc, argv); \
        QCoreApplication app(argc, argv); \
        Test test; \
        return QTest::qExec(&test, argc, argv); \
    }

#endif // CHILDPROCESS_H
