// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Before GLib's headers, which have a member named signals.
#include "../shared/watchdog.h"
#include "player.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qcoreevent.h>
#include <QtCore/qsocketnotifier.h>
#include <QtCore/qtimer.h>

#include <thread>

#include <unistd.h>

#undef signals
#include <glib.h>

namespace {

// A loop ends by this at the latest: stock Qt's may sleep over events for ever. All else has been
// done long before.
constexpr int LoopTime = 10; // milliseconds

class ScriptEvent : public QEvent
{
public:
    explicit ScriptEvent(const Action &action)
        : QEvent(QEvent::User)
        , action(action)
    {
    }

    const Action &action;
};

} // namespace

class Receiver : public QObject
{
public:
    Receiver(Player *player, Player::Stage *stage)
        : m_player(player)
        , m_stage(stage)
    {
    }
    ~Receiver() override { m_player->note("~"); }

    std::vector<std::pair<int, const Action *>> timers;

protected:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::User) {
            m_player->handle('e', static_cast<ScriptEvent *>(event)->action, *m_stage);
            return true;
        }
        if (event->type() == QEvent::Timer) {
            const int id = static_cast<QTimerEvent *>(event)->timerId();
            for (auto it = timers.begin(); it != timers.end(); ++it) {
                if (it->first == id) {
                    const Action *action = it->second;
                    timers.erase(it);
                    killTimer(id);
                    m_player->handle('t', *action, *m_stage);
                    return true;
                }
            }
        }
        return QObject::event(event);
    }

private:
    Player *m_player;
    Player::Stage *m_stage;
};

Player::Player()
    : m_turn(QThread::currentThread())
    , m_inThread(std::make_unique<QObject>())
{
    enter(m_main);
    m_inThread->moveToThread(&m_thread);
    m_thread.start();
    elsewhere([this] { enter(m_other); });
}

Player::~Player()
{
    elsewhere([this] { leave(m_other); });
    m_thread.quit();
    m_thread.wait();
    leave(m_main);
}

// The stage belongs to the thread that calls this.
void Player::enter(Stage &stage)
{
    if (::pipe(stage.pipe) != 0)
        qFatal("there is no pipe to be had");
    auto notifier = std::make_unique<QSocketNotifier>(stage.pipe[0], QSocketNotifier::Read);
    QObject::connect(notifier.get(), &QSocketNotifier::activated, [this, &stage] {
        char byte;
        if (::read(stage.pipe[0], &byte, 1) != 1 || stage.bytes.empty())
            qFatal("the pipe is broken");
        const Action *action = stage.bytes.front();
        stage.bytes.erase(stage.bytes.begin());
        handle('n', *action, stage);
    });
    stage.notifier = std::move(notifier);
    stage.signalReceiver = std::make_unique<QObject>();
    QObject::connect(dispatcher(), &QAbstractEventDispatcher::aboutToBlock,
                     stage.signalReceiver.get(), [this] { note("b"); });
    QObject::connect(dispatcher(), &QAbstractEventDispatcher::awake, stage.signalReceiver.get(),
                     [this] { note("a"); });
    drain(stage);
}

void Player::leave(Stage &stage)
{
    clear(stage);
    stage.signalReceiver.reset();
    stage.notifier.reset();
    ::close(stage.pipe[0]);
    ::close(stage.pipe[1]);
}

QByteArray Player::play(const Script &script)
{
    m_record.clear();
    perform(script.actions(), m_main);
    note(" | ");
    drain(m_main);
    note(" || ");
    clear(m_main);
    elsewhere([this] { clear(m_other); });
    return m_record;
}

// Whatever is left refers to the script.
void Player::clear(Stage &stage)
{
    QCoreApplication::removePostedEvents(nullptr, QEvent::User);
    for (QObject *receiver : stage.receivers)
        delete receiver;
    for (GSource *source : stage.sources) {
        g_source_destroy(source);
        g_source_unref(source);
    }
    stage.sources.clear();
    for (; !stage.bytes.empty(); stage.bytes.pop_back()) {
        char byte;
        if (::read(stage.pipe[0], &byte, 1) != 1)
            qFatal("the pipe is broken");
    }
}

void Player::note(const QByteArray &text)
{
    if (m_turn.load() == QThread::currentThread())
        m_record += text;
}

// Until nothing is left, and for some turns more.
void Player::drain(Stage &stage)
{
    for (int quiet = 0, turns = 0; quiet < 4 && turns < 300; ++turns) {
        const bool some = dispatcher()->processEvents(QEventLoop::AllEvents);
        note(some ? "1" : "0");
        quiet = some || !stage.bytes.empty() ? 0 : quiet + 1;
        if (quiet)
            QCoreApplication::sendPostedEvents();
    }
}

void Player::perform(const std::vector<Action> &actions, Stage &stage)
{
    for (const Action &action : actions)
        perform(action, stage);
}

QObject *Player::receiver(int index, Stage &stage)
{
    QPointer<QObject> &result = stage.receivers[index < 0 ? 0 : index];
    if (!result)
        result = new Receiver(this, &stage);
    return result;
}

void Player::handle(char what, const Action &action, Stage &stage)
{
    note(what + QByteArray::number(action.number) + '[');
    perform(action.actions, stage);
    note("]");
}

void Player::post(const Action &action, Stage &stage)
{
    QCoreApplication::postEvent(receiver(action.receiver, stage), new ScriptEvent(action),
                                action.priority);
}

// A timer ends a loop that nothing else ends, after all actions of this loop.
void Player::loop(const Action &action, Stage &stage)
{
    QEventLoop loop;
    stage.loops.push_back(&loop);
    QTimer timer;
    timer.setSingleShot(true);
    timer.setTimerType(Qt::PreciseTimer);
    QObject::connect(&timer, &QTimer::timeout, &loop, [&] {
        note("T");
        loop.quit();
    });
    timer.start(LoopTime);
    note("L" + QByteArray::number(action.number) + '{');
    loop.exec();
    note("}");
    stage.loops.pop_back();
}

void Player::addForeignSource(const Action &action, Stage &stage)
{
    struct Call
    {
        Player *player;
        const Action *action;
        Stage *stage;
    };
    constexpr int priorities[] = { G_PRIORITY_HIGH, G_PRIORITY_DEFAULT, G_PRIORITY_HIGH_IDLE,
                                   G_PRIORITY_DEFAULT_IDLE, G_PRIORITY_LOW };
    GSource *source = g_idle_source_new();
    g_source_set_priority(source, priorities[action.priority + 2]);
    g_source_set_callback(
            source,
            [](gpointer data) -> gboolean {
                auto *call = static_cast<Call *>(data);
                call->player->handle('g', *call->action, *call->stage);
                return G_SOURCE_REMOVE;
            },
            new Call { this, &action, &stage }, [](gpointer data) { delete static_cast<Call *>(data); });
    g_source_attach(source, g_main_context_get_thread_default());
    stage.sources.push_back(source);
}

// By the other thread, in its loop, while this one waits.
void Player::elsewhere(const std::function<void()> &function)
{
    QThread *const before = m_turn.load();
    QMetaObject::invokeMethod(
            m_inThread.get(),
            [&] {
                m_turn = &m_thread;
                function();
                m_turn = before;
            },
            Qt::BlockingQueuedConnection);
}

void Player::perform(const Action &action, Stage &stage)
{
    constexpr QEventLoop::ProcessEventsFlags flags[] = {
        QEventLoop::AllEvents, QEventLoop::ExcludeSocketNotifiers, QEventLoop::X11ExcludeTimers,
        QEventLoop::EventLoopExec, QEventLoop::WaitForMoreEvents,
    };
    switch (action.kind) {
    case Action::Post:
        post(action, stage);
        break;
    case Action::PostFromThread:
        receiver(action.receiver, stage); // it is to live in this one
        std::thread([&] { post(action, stage); }).join();
        break;
    case Action::SendPosted:
        QCoreApplication::sendPostedEvents(
                action.receiver < 0 ? nullptr : receiver(action.receiver, stage),
                action.flags & 1 ? QEvent::DeferredDelete : 0);
        break;
    case Action::RemovePosted:
        QCoreApplication::removePostedEvents(receiver(action.receiver, stage),
                                             action.flags & 1 ? int(QEvent::User) : 0);
        break;
    case Action::ProcessEvents: {
        QTimer timer; // to end a wait, if nothing else does
        timer.setTimerType(Qt::PreciseTimer);
        timer.start(LoopTime);
        note("p" + QByteArray::number(action.number) + '(');
        const bool some = dispatcher()->processEvents(flags[action.flags % 5]);
        note(some ? "1)" : "0)");
        break;
    }
    case Action::Loop:
        loop(action, stage);
        break;
    case Action::Quit:
        if (!stage.loops.empty())
            stage.loops.back()->quit();
        break;
    case Action::ZeroTimer: {
        auto *timed = static_cast<Receiver *>(receiver(action.receiver, stage));
        timed->timers.emplace_back(timed->startTimer(0), &action);
        break;
    }
    case Action::Notifier:
        stage.bytes.push_back(&action);
        if (::write(stage.pipe[1], "x", 1) != 1)
            qFatal("the pipe is full");
        break;
    case Action::ForeignSource:
        if (isGlib())
            addForeignSource(action, stage);
        break;
    case Action::DeleteLater:
        receiver(action.receiver, stage)->deleteLater();
        break;
    case Action::WakeUp:
        dispatcher()->wakeUp();
        break;
    case Action::Interrupt:
        dispatcher()->interrupt();
        break;
    case Action::InThread:
        note("x" + QByteArray::number(action.number) + '<');
        elsewhere([&] {
            perform(action.actions, m_other);
            // Nothing must be left for its loop, which continues while this thread does.
            drain(m_other);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            clear(m_other);
        });
        note(">");
        break;
    case Action::KindCount:
        break;
    }
}
