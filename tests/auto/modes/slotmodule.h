// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SLOTMODULE_H
#define SLOTMODULE_H

#include <QtCore/QObject>

// The traces of the slots that the modules connect.
struct SlotState
{
    const void *place = nullptr; // of the functor that was called last
    int calls = 0;
    int alive = 0;
};

// Code that creates slot objects, of the same types in all modules. Only plain functions, and no
// templates that would be compiled into the caller.
struct SlotModule
{
    bool pooled; // compiled against the pool's headers
    // Five connections of sender's objectNameChanged(). In the first of these what Qt's headers
    // bring is compiled into the function as far as it can be; in the second it is called, and
    // the dynamic linker may take another module's.
    void (*connectInline)(QObject *sender, QObject *receiver, SlotState *state);
    void (*connect)(QObject *sender, QObject *receiver, SlotState *state);
    void (*invokeInline)(QObject *receiver, SlotState *state);
    // Connections to member functions, in any module; returns their number.
    int (*disconnectMembers)(QObject *sender, QObject *receiver);
};

using SlotModuleFunction = const SlotModule *(*)();

#endif // SLOTMODULE_H
