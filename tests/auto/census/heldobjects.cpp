// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Has timers with known parents, names, connections and threads, and prints "ready" when its loop is about to sleep.

#include <QtCore/QCoreApplication>
#include <QtCore/QSocketNotifier>
#include <QtCore/QThread>
#include <QtCore/QTimer>

#include <cstdio>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    app.setObjectName(QStringLiteral("the application"));
    QSocketNotifier input(0, QSocketNotifier::Read);
    QObject::connect(&input, &QSocketNotifier::activated, &app, &QCoreApplication::quit);

    // 30 in sessions: 20 in the first one, 2 in each of five others.
    QObject sessions;
    sessions.setObjectName(QStringLiteral("sessions"));
    const auto add = [](QObject *parent, const QString &name) {
        auto *timer = new QTimer(parent);
        timer->setObjectName(name);
        return timer;
    };
    QThread worker;
    for (int i = 0; i < 6; ++i) {
        auto *session = new QSocketNotifier(qintptr(i), QSocketNotifier::Exception, &sessions);
        session->setEnabled(false);
        session->setObjectName(QStringLiteral("session %1").arg(i));
        for (int j = 0; j < (i == 0 ? 20 : 2); ++j) {
            QTimer *timer = add(session, QStringLiteral("reply-timeout %1").arg(j));
            // One connection to a slot, two from its signals.
            QObject::connect(session, &QSocketNotifier::activated, timer, &QTimer::stop);
            QObject::connect(timer, &QTimer::timeout, &sessions, &QObject::deleteLater);
            QObject::connect(timer, &QObject::destroyed, &sessions, &QObject::deleteLater);
        }
    }
    // Seven in a thread that runs, without a parent; three of them had a connection that is gone.
    worker.setObjectName(QStringLiteral("the \x1b[31mworker"));
    worker.start();
    for (int i = 0; i < 7; ++i) {
        QTimer *timer = add(nullptr, QString());
        if (i < 3)
            QObject::disconnect(QObject::connect(timer, &QTimer::timeout, &sessions, &QObject::deleteLater));
        timer->moveToThread(&worker);
    }
    // Four that wait to be deleted, which nobody does: the thread does not run.
    QThread idle;
    for (int i = 0; i < 4; ++i) {
        QTimer *timer = add(nullptr, QStringLiteral("waiting \u202e"));
        timer->moveToThread(&idle);
        timer->deleteLater();
    }
    // Sixteen levels of timers, each in the one before.
    QObject *parent = nullptr;
    for (int i = 0; i < 16; ++i)
        parent = add(parent, QStringLiteral("level %1").arg(i));

    QMetaObject::invokeMethod(&app, [] {
        std::puts("ready");
        std::fflush(stdout);
    }, Qt::QueuedConnection);
    const int result = app.exec();
    worker.quit();
    worker.wait();
    return result;
}
