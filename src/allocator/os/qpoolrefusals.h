// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLREFUSALS_H
#define QPOOLREFUSALS_H

#include "../qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

/*
    Remembers that the system refused memory. What the system has to give may change at any time
    without our knowing, so it is asked again; but a program that goes on asking when there is
    nothing shall not pay system calls each time. The first refusals in a row are none to rely on: a
    new-handler that freed something elsewhere tries again at once. After that, one request in many
    reaches the system, until one is granted.
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

    // What the system said. Returns it.
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
