// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <condition_variable>
#include <mutex>
#include <thread>

// Threads wait here until \a parties of them have arrived; can be used repeatedly.
class Rendezvous
{
public:
    explicit Rendezvous(unsigned parties) : m_parties(parties) { }

    void wait()
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        const unsigned round = m_round;
        if (++m_arrived == m_parties) {
            m_arrived = 0;
            ++m_round;
            m_condition.notify_all();
            return;
        }
        m_condition.wait(lock, [&] { return m_round != round; });
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_condition;
    const unsigned m_parties;
    unsigned m_arrived = 0;
    unsigned m_round = 0;
};

// Runs \a body in a thread of its own, to its end.
template <class Body>
void inOtherThread(Body &&body)
{
    std::thread(std::forward<Body>(body)).join();
}

#endif // RENDEZVOUS_H
