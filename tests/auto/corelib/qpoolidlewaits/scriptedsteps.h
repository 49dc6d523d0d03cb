// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCRIPTEDSTEPS_H
#define SCRIPTEDSTEPS_H

#include <QtCore/QList>
#include <QtCore/private/qpoolidle_p.h>

#include <atomic>
#include <functional>
#include <thread>

// Takes the place of the pool's steps while it exists, in the main thread or in all others: the results
// are those of a list, of which the last is repeated. Elsewhere nothing is left to give back.
class ScriptedSteps
{
public:
    enum Threads { MainThread, OtherThreads };

    // \a during is called in each step, with the number of steps so far.
    ScriptedSteps(Threads threads, QList<int> results, std::function<void(int)> during = {})
        : m_threads(threads), m_results(std::move(results)), m_during(std::move(during))
    {
        s_current = this;
        QPoolIdle::giveBack = step;
    }

    // The threads that are scripted have ended by now.
    ~ScriptedSteps()
    {
        QPoolIdle::giveBack = s_former;
        s_current = nullptr;
    }

    int count() const { return m_count.load(); }

    // Called with the name of each step, before it, and of each poll of a scripted thread.
    std::function<void(const char *)> log;

    static ScriptedSteps *ofThisThread()
    {
        const bool isMain = std::this_thread::get_id() == s_mainThread;
        return s_current && isMain == (s_current->m_threads == MainThread) ? s_current : nullptr;
    }

private:
    Q_DISABLE_COPY_MOVE(ScriptedSteps)

    static int step()
    {
        ScriptedSteps *steps = ofThisThread();
        return steps ? steps->next() : -1;
    }

    int next()
    {
        const int number = ++m_count;
        if (log)
            log("step");
        if (m_during)
            m_during(number);
        return m_results.at(qMin<qsizetype>(number, m_results.size()) - 1);
    }

    inline static const std::thread::id s_mainThread = std::this_thread::get_id();
    inline static ScriptedSteps *s_current = nullptr;
    inline static int (*const s_former)() = QPoolIdle::giveBack;

    const Threads m_threads;
    const QList<int> m_results;
    const std::function<void(int)> m_during;
    std::atomic<int> m_count { 0 };
};

#endif // SCRIPTEDSTEPS_H
