// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "slotmodule.h"

// Compiled against the distribution's headers, and against the pool's; as plugins, and as parts of
// programs. Not in an anonymous namespace: the types must be the same everywhere.
struct SlotFunctor
{
    explicit SlotFunctor(SlotState *state) : state(state) { ++state->alive; }
    SlotFunctor(const SlotFunctor &other) : state(other.state) { ++state->alive; }
    ~SlotFunctor() { --state->alive; }

    void operator()() const
    {
        state->place = this;
        ++state->calls;
    }

    SlotState *state;
};

struct alignas(64) AlignedSlotFunctor : SlotFunctor
{
    using SlotFunctor::SlotFunctor;
    void operator()() const { ++state->calls; }
};

inline void slotFunction() { }

namespace {

inline void connectAll(QObject *sender, QObject *receiver, SlotState *state)
{
    QObject::connect(sender, &QObject::objectNameChanged, receiver, &QObject::deleteLater);
    QObject::connect(sender, &QObject::destroyed, receiver, &QObject::deleteLater);
    QObject::connect(sender, &QObject::objectNameChanged, &slotFunction);
    QObject::connect(sender, &QObject::objectNameChanged, receiver, SlotFunctor(state));
    QObject::connect(sender, &QObject::objectNameChanged, receiver, AlignedSlotFunctor(state));
}

[[gnu::flatten]] void connectInline(QObject *sender, QObject *receiver, SlotState *state)
{
    connectAll(sender, receiver, state);
}

[[gnu::flatten]] void invokeInline(QObject *receiver, SlotState *state)
{
    QMetaObject::invokeMethod(receiver, SlotFunctor(state), Qt::DirectConnection);
    QMetaObject::invokeMethod(receiver, &QObject::deleteLater, Qt::QueuedConnection);
}

int disconnectMembers(QObject *sender, QObject *receiver)
{
    return QObject::disconnect(sender, &QObject::objectNameChanged, receiver,
                               &QObject::deleteLater)
            + QObject::disconnect(sender, &QObject::destroyed, receiver, &QObject::deleteLater);
}

#ifdef QT_DECLARE_POOL_SLOT_OPERATORS
constexpr bool Pooled = true;
#else
constexpr bool Pooled = false;
#endif

constexpr SlotModule module = { Pooled, connectInline, connectAll, invokeInline,
                                disconnectMembers };

} // namespace

extern "C" Q_DECL_EXPORT const SlotModule *SLOT_MODULE()
{
    return &module;
}
