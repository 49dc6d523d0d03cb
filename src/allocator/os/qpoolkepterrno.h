// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLKEPTERRNO_H
#define QPOOLKEPTERRNO_H

#include "../qpoolglobal.h"

#include <cerrno>

QPOOL_BEGIN_NAMESPACE

namespace Os {

// Programs check errno after a call that failed, whatever they allocated or freed in between.
class KeptErrno
{
public:
    KeptErrno() noexcept : m_saved(errno) { }
    ~KeptErrno() { errno = m_saved; }
    KeptErrno(const KeptErrno &) = delete;
    KeptErrno &operator=(const KeptErrno &) = delete;

private:
    const int m_saved;
};

} // namespace Os

QPOOL_END_NAMESPACE

#endif // QPOOLKEPTERRNO_H
