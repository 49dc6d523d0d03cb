// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <QtCore/QCoreApplication>
#include <QtCore/QEvent>
#include <QtCore/QObject>

#include <cstdio>
#include <cstring>

// Makes the error that its argument names. The test looks in the tools' reports for the lines that are
// marked here.
namespace {

struct Thing : QObject
{
    int value = 1;
};

struct Message : QEvent
{
    Message() : QEvent(User) { }
    int value = 2;
};

QObject *makeThing()
{
    return new Thing; // object made
}

void useObject()
{
    auto *thing = static_cast<Thing *>(makeThing());
    QObject *object = thing;
    delete object; // object freed
    std::printf("%d\n", thing->value); // object used
}

struct Receiver : QObject
{
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::User)
            last = static_cast<Message *>(event);
        return true;
    }

    Message *last = nullptr;
};

void useEvent()
{
    Receiver receiver;
    QCoreApplication::postEvent(&receiver, new Message); // event made
    QCoreApplication::sendPostedEvents(); // event freed
    std::printf("%d\n", receiver.last->value); // event used
}

void leak()
{
    for (int i = 0; i < 1000; ++i)
        static_cast<void>(makeThing());
}

} // namespace

int main(int argc, char **argv)
{
    const char *mistake = argc > 1 ? argv[1] : "";
    QCoreApplication app(argc, argv);
    if (std::strcmp(mistake, "object") == 0)
        useObject();
    else if (std::strcmp(mistake, "event") == 0)
        useEvent();
    else if (std::strcmp(mistake, "leak") == 0)
        leak();
    return 0;
}
