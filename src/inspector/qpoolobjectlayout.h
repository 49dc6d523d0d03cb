// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLOBJECTLAYOUT_H
#define QPOOLOBJECTLAYOUT_H

#include "census/qpoolmappings.h"

#include <cstdint>
#include <string>

namespace QPool {

/*
    Where the private members of a QObject are. Qt does not promise them, but its test toolsupport holds them for
    debuggers, and a process says which Qt it has in qtHookData. So only the versions are read that were looked at.
*/
struct ObjectLayout
{
    // In all of them, with pointers of 64 bits. QObject:
    static constexpr std::uintptr_t Private = 8;
    // QObjectPrivate:
    static constexpr std::uintptr_t Public = 8;
    static constexpr std::uintptr_t Parent = 16;
    static constexpr std::uintptr_t Children = 24; // a QList: its array is at 8, its size at 16
    static constexpr std::uintptr_t Flags = 48;
    static constexpr std::uint32_t DeleteLaterCalled = 1u << 7;
    static constexpr std::uintptr_t ExtraData = 80;
    static constexpr std::uintptr_t ThreadData = 88;
    static constexpr std::uintptr_t Connections = 96;
    static constexpr std::uintptr_t PrivateSize = 120;
    // QObjectPrivate::ExtraData:
    static constexpr std::uintptr_t ObjectName = 96; // a QString: its text is at 8, its size at 16
    // QObjectPrivate::ConnectionData:
    static constexpr std::uintptr_t SignalVector = 8;
    static constexpr std::uintptr_t Senders = 16;
    // QObjectPrivate::SignalVector:
    static constexpr std::uintptr_t VectorSize = 8;
    static constexpr std::uintptr_t VectorLists = 16; // one for all signals, and one for each; first and last
    static constexpr std::uintptr_t ListSize = 16;
    // QObjectPrivate::Connection:
    static constexpr std::uintptr_t NextSender = 0;
    static constexpr std::uintptr_t NextOfSignal = 16;
    static constexpr std::uintptr_t Receiver = 40; // null: disconnected

    // QThreadData, which differs:
    std::uintptr_t thread = 0; // the QThread
    std::uintptr_t threadId = 0; // pthread_self()

    std::uint32_t version = 0; // as QT_VERSION

    // False, with a sentence in \a message, if the process's Qt is not one of these, or can't be found.
    bool read(const ProcessMemory &memory, const Mappings &mappings, std::string *message);

    // The same for a version that is known; false if it is none of these.
    bool setVersion(std::uintptr_t hooks, std::uintptr_t qt, std::uintptr_t types, std::string *message);
};

} // namespace QPool

#endif // QPOOLOBJECTLAYOUT_H
