// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SNAPSHOTSOURCE_H
#define SNAPSHOTSOURCE_H

#include <QtCore/qbytearray.h>

#include <cstddef>

// The one place that knows where the figures come from: two functions that the
// patched QtCore exports. They are looked up at run time because the program is
// built against the distribution's QtCore, which has neither.
class SnapshotSource
{
public:
    SnapshotSource();

    bool isAvailable() const { return m_snapshot != nullptr; }

    QByteArray read() const; // the snapshot as JSON; empty if there is none
    void trim() const; // asks for unused memory to go back to the system

private:
    using SnapshotFunction = std::size_t (*)(char *buffer, std::size_t size);
    using TrimFunction = void (*)();

    SnapshotFunction m_snapshot = nullptr;
    TrimFunction m_trim = nullptr;
};

#endif // SNAPSHOTSOURCE_H
