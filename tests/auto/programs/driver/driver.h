// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef DRIVER_H
#define DRIVER_H

#include <QtCore/qelapsedtimer.h>
#include <QtCore/qobject.h>
#include <QtCore/qstringlist.h>

#include <chrono>
#include <random>

QT_BEGIN_NAMESPACE
class QWindow;
QT_END_NAMESPACE

// Is loaded into an unmodified program, and types, clicks, scrolls and resizes at random: with the
// same random numbers each time, so that two runs of a program get the same input.
class Driver : public QObject
{
    Q_OBJECT
public:
    // Options: steps=N, how much to do; seed=N, which chance.
    explicit Driver(const QStringList &options);

protected:
    bool eventFilter(QObject *receiver, QEvent *event) override;

private:
    void waitForWindow();
    void stepLater(std::chrono::milliseconds pause);
    void idle();
    void step();
    void leave();
    void act(QWindow *window);
    void type(QWindow *window);
    void press(QWindow *window, int key, Qt::KeyboardModifiers modifiers, const QString &text = {});
    void click(QWindow *window, Qt::MouseButton button);
    void scroll(QWindow *window);
    void resize(QWindow *window);
    QWindow *chooseWindow();
    QPoint somewhere(const QWindow *window);
    int chance(int below) { return int(m_chance() % unsigned(below)); }

    std::mt19937 m_chance;
    QElapsedTimer m_started;
    int m_steps = 300;
    int m_done = 0;
    bool m_due = false;
    int m_leaving = 0; // tries
};

#endif // DRIVER_H
