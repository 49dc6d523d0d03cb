// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREFUSALS_H
#define QPOOLREFUSALS_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    Remembers that the system refused memory. The system may have memory again at any time without
    notice, so it has to be asked again; but a program that keeps allocating when there is none
    should not pay a system call each time. The first refusals in a row do not count: a new-handler
    that freed something elsewhere retries at once. After that, one request in many reaches the
    system, until one is granted.
*/
class Refusals
{
public:
    static constexpr std::uint32_t RefusalsInARow = 16;
    static constexpr std::uint32_t Interval = 128;

    constexpr Refusals() = default;

    bool isWorthAsking() noexcept
    {
        return m_inARow < RefusalsInARow || ++m_unasked % Interval == 0;
    }

    // Records the system's answer, and returns it.
    bool note(bool granted) noexcept
    {
        if (granted)
            m_inARow = m_unasked = 0;
        else if (m_inARow < RefusalsInARow)
            ++m_inARow;
        return granted;
    }

private:
    std::uint32_t m_inARow = 0;
    std::uint32_t m_unasked = 0;
};

QPOOL_END_NAMESPACE

#endif // QPOOLREFUSALS_H
