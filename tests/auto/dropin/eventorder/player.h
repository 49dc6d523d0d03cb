// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PLAYER_H
#define PLAYER_H

#include "script.h"

#include <QtCore/qbytearray.h>
#include <QtCore/qeventloop.h>
#include <QtCore/qobject.h>
#include <QtCore/qpointer.h>
#include <QtCore/qthread.h>

#include <atomic>
#include <functional>

struct _GSource;

// Does what a script says, and writes down in what order it comes to what. The other threads are let
// run one at a time, while this one waits, so that the order is the dispatcher's affair alone.
class Player
{
public:
    Player();
    ~Player();

    QByteArray play(const Script &script);

private:
    // A thread's receivers, and what wakes its loop beside events.
    struct Stage
    {
        QPointer<QObject> receivers[Script::Receivers];
        int pipe[2] = { -1, -1 };
        std::unique_ptr<QObject> notifier;
        std::vector<const Action *> bytes; // in the pipe
        std::vector<QEventLoop *> loops;
        std::vector<_GSource *> sources; // with a reference each
        std::unique_ptr<QObject> signalReceiver;
    };

    void enter(Stage &stage);
    void leave(Stage &stage);
    void clear(Stage &stage);
    void drain(Stage &stage);
    void perform(const std::vector<Action> &actions, Stage &stage);
    void perform(const Action &action, Stage &stage);
    QObject *receiver(int index, Stage &stage);
    void handle(char what, const Action &action, Stage &stage);
    void post(const Action &action, Stage &stage);
    void loop(const Action &action, Stage &stage);
    void addForeignSource(const Action &action, Stage &stage);
    void elsewhere(const std::function<void()> &function);
    void note(const QByteArray &text);

    friend class Receiver;

    std::atomic<QThread *> m_turn; // the thread that may run; the others' notes are not wanted
    QThread m_thread;
    std::unique_ptr<QObject> m_inThread;
    Stage m_main;
    Stage m_other;
    QByteArray m_record;
};

#endif // PLAYER_H
