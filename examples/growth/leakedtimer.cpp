// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A timer for each request, which its parent keeps. A Return sends 10,000 requests, and each is answered in time.

#include "onreturn.h"

#include <chrono>

using namespace std::chrono_literals;

class Session : public QObject
{
public:
    QTimer *send(int number)
    {
        // The lambda captures the session, so the timer must not outlive it: with a parent, it does not. But the
        // session lives as long as the program, and so does the timer.
        auto *timeout = new QTimer(this);
        timeout->setObjectName(QStringLiteral("reply-timeout"));
        timeout->setSingleShot(true);
        connect(timeout, &QTimer::timeout, this, [this, number] { send(number); });
        timeout->start(30s);
        return timeout;
    }

    void answered(QTimer *timeout)
    {
        timeout->stop(); // missing: timeout->deleteLater()
    }
};

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    Session session;
    session.setObjectName(QStringLiteral("printer"));
    return growOnReturn([&session] {
        for (int number = 0; number < 10000; ++number)
            session.answered(session.send(number));
    });
}
