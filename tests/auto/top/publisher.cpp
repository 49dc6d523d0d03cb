// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates a number of timers, whose private parts are in the pool, prints "ready", and creates as
// many more for each line on standard input, until that ends. The line "post N" posts N events instead,
// and delivers them; "exec" makes it another program, which publishes nothing.

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QTimer>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include <unistd.h>

class Mailbox : public QObject
{
    Q_OBJECT
};

static void post(int count)
{
    Mailbox mailbox;
    for (int i = 0; i < count; ++i)
        QCoreApplication::postEvent(&mailbox, new QEvent(QEvent::User));
    QCoreApplication::sendPostedEvents(&mailbox);
}

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    std::vector<std::unique_ptr<QObject>> objects;
    char line[64] = "1000";
    do {
        if (std::strcmp(line, "exec\n") == 0)
            execlp("cat", "cat", nullptr);
        const bool posts = std::strncmp(line, "post ", 5) == 0;
        const int count = std::atoi(posts ? line + 5 : line);
        if (posts)
            post(count);
        for (int i = 0; i < count && !posts; ++i)
            objects.emplace_back(new QTimer);
        std::puts("ready");
        std::fflush(stdout);
    } while (std::fgets(line, sizeof(line), stdin));
    return 0;
}

#include "publisher.moc"
