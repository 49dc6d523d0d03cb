// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "driver.h"

#include <QtCore/qabstracteventdispatcher.h>
#include <QtCore/qcoreevent.h>
#include <QtCore/qlibrary.h>
#include <QtCore/qtimer.h>
#include <QtGui/qguiapplication.h>
#include <QtGui/qwindow.h>
#include <QtGui/qpa/qwindowsysteminterface.h>

#include <cstdio>
#include <memory>
#include <utility>

using namespace std::chrono_literals;

namespace {

constexpr auto Pause = 4ms;
constexpr qint64 WindowTimeoutMs = 60000;
// The exit code by which the test knows that the driver could not work.
constexpr int NoWindow = 97;
constexpr int MaxEscapes = 100;

// Whether QtCore makes its events in the pool: asked of one that QtCore itself allocates.
bool isPooled()
{
    const auto owns = reinterpret_cast<bool (*)(const void *)>(
            QLibrary::resolve(QStringLiteral("libQt6Core.so.6"), "qt_pool_allocator_owns"));
    const std::unique_ptr<QEvent> event(QEvent(QEvent::User).clone());
    return owns && owns(event.get());
}

} // namespace

Driver::Driver(const QStringList &options)
{
    unsigned seed = 1;
    for (const QString &option : options) {
        const QString value = option.section(u'=', 1);
        if (option.startsWith(u"steps="))
            m_steps = value.toInt();
        else if (option.startsWith(u"seed="))
            seed = value.toUInt();
    }
    m_chance.seed(seed);
    m_started.start();
    qApp->installEventFilter(this);
    connect(QAbstractEventDispatcher::instance(), &QAbstractEventDispatcher::aboutToBlock,
            this, &Driver::idle);
    QTimer::singleShot(Pause, this, &Driver::waitForWindow);
}

// A step may end in a menu or a dialog with its own event loop. So the next step is always
// scheduled before anything is done, and all input goes through the window system's queue.
void Driver::waitForWindow()
{
    if (chooseWindow()) {
        stepLater(500ms);
    } else if (m_started.hasExpired(WindowTimeoutMs)) {
        std::fputs("qpooldriver: the program shows no window\n", stderr);
        std::_Exit(NoWindow);
    } else {
        QTimer::singleShot(Pause, this, &Driver::waitForWindow);
    }
}

void Driver::stepLater(std::chrono::milliseconds pause)
{
    QTimer::singleShot(pause, this, [this] { m_due = true; });
}

// The next input is sent only after the program has handled the last one, or the target of a click
// would depend on the machine's speed.
void Driver::idle()
{
    if (std::exchange(m_due, false))
        QMetaObject::invokeMethod(this, &Driver::step, Qt::QueuedConnection);
}

void Driver::step()
{
    if (m_done == m_steps) {
        std::fprintf(stderr, "qpooldriver: %d steps, %s\n", m_done,
                     isPooled() ? "pooled" : "stock");
        leave();
        return;
    }
    stepLater(Pause);
    ++m_done;
    if (QWindow *window = chooseWindow())
        act(window);
}

// Like a user: open dialogs are cancelled, then the program is asked to quit. If it wants to save
// first, it is ended without an answer.
void Driver::leave()
{
    QWindow *window = chooseWindow();
    if (m_leaving++ == MaxEscapes || !window) {
        QCoreApplication::exit(0);
        return;
    }
    QTimer::singleShot(Pause, this, &Driver::leave);
    if (window->type() == Qt::Popup || QGuiApplication::modalWindow())
        press(window, Qt::Key_Escape, Qt::NoModifier);
    else
        QCoreApplication::quit();
}

void Driver::act(QWindow *window)
{
    switch (chance(16)) {
    case 0: case 1: case 2: case 3:
        return type(window);
    case 4:
        return press(window, Qt::Key_Escape, Qt::NoModifier);
    case 5:
        return press(window, Qt::Key_Return, Qt::NoModifier);
    case 6:
        return scroll(window);
    case 7:
        return resize(window);
    case 8:
        return click(window, Qt::RightButton);
    default:
        return click(window, Qt::LeftButton);
    }
}

void Driver::type(QWindow *window)
{
    static constexpr int keys[] = { Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Down, Qt::Key_Up,
                                    Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_End,
                                    Qt::Key_Space, Qt::Key_Backspace, Qt::Key_Delete,
                                    Qt::Key_PageDown, Qt::Key_F1, Qt::Key_F2 };
    const int letter = Qt::Key_A + chance(26);
    const QString text(QChar(u'a' + letter - Qt::Key_A));
    switch (chance(5)) {
    case 0:
        return press(window, letter, Qt::ControlModifier);
    case 1:
        return press(window, letter, Qt::AltModifier);
    case 2:
        return press(window, letter, Qt::NoModifier, text);
    default:
        return press(window, keys[chance(int(std::size(keys)))], Qt::NoModifier);
    }
}

void Driver::press(QWindow *window, int key, Qt::KeyboardModifiers modifiers, const QString &text)
{
    QWindowSystemInterface::handleKeyEvent(window, QEvent::KeyPress, key, modifiers, text);
    QWindowSystemInterface::handleKeyEvent(window, QEvent::KeyRelease, key, modifiers, text);
}

QPoint Driver::somewhere(const QWindow *window)
{
    // The upper part is where menus, tool bars and tabs are.
    const int height = qMax(1, chance(3) ? window->height() : window->height() / 6);
    return QPoint(chance(qMax(1, window->width())), chance(height));
}

void Driver::click(QWindow *window, Qt::MouseButton button)
{
    const QPointF local = somewhere(window);
    const QPointF global = window->mapToGlobal(local.toPoint());
    QWindowSystemInterface::handleMouseEvent(window, local, global, Qt::NoButton, Qt::NoButton,
                                             QEvent::MouseMove);
    QWindowSystemInterface::handleMouseEvent(window, local, global, button, button,
                                             QEvent::MouseButtonPress);
    QWindowSystemInterface::handleMouseEvent(window, local, global, Qt::NoButton, button,
                                             QEvent::MouseButtonRelease);
}

void Driver::scroll(QWindow *window)
{
    const QPointF local = somewhere(window);
    QWindowSystemInterface::handleWheelEvent(window, local, window->mapToGlobal(local), QPoint(),
                                             QPoint(0, chance(2) ? 120 : -120));
}

void Driver::resize(QWindow *window)
{
    if (window->type() == Qt::Window)
        window->resize(500 + chance(500), 400 + chance(300));
}

// The widgets that a user could reach: a popup or a modal dialog hides all others.
QWindow *Driver::chooseWindow()
{
    QWindowList windows;
    for (QWindow *window : QGuiApplication::topLevelWindows()) {
        if (window->isVisible() && window->handle() && window->type() != Qt::ToolTip)
            windows.append(window);
    }
    if (windows.isEmpty())
        return nullptr;
    QWindow *last = windows.constLast();
    if (last->type() == Qt::Popup)
        return last;
    if (QWindow *modal = QGuiApplication::modalWindow(); modal && modal->isVisible())
        return modal;
    return windows.at(chance(int(windows.size())));
}

// Random input would find Quit and Close within seconds; the program must run until all steps are done.
bool Driver::eventFilter(QObject *receiver, QEvent *event)
{
    if (m_leaving)
        return false;
    if (event->type() == QEvent::Quit)
        return true;
    if (event->type() == QEvent::Close && receiver->isWindowType()
        && static_cast<QWindow *>(receiver)->type() == Qt::Window
        && !static_cast<QWindow *>(receiver)->isModal()) {
        event->ignore();
        return true;
    }
    return false;
}
