// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef RULES_H
#define RULES_H

#include <QtCore/qobject.h>

#include <new>

// Code that compiles with stock Qt and not with the pool, by the name of the rule, and, with CURED,
// code that
// compiles with both.

#if defined(RULE_HIDDEN_BASE) || defined(CURED)
#  if defined(USE_PROTECTED)
#    define RULE_ACCESS protected
#  else
#    define RULE_ACCESS private
#  endif
// A base class's operators are as hidden as the base.
class Hidden : RULE_ACCESS QObject
{
public:
#  ifdef CURED
    using QObject::operator new;
    using QObject::operator delete;
#  endif
    int value = 1;
};

inline int useHidden()
{
    Hidden *hidden = new Hidden;
    const int value = hidden->value;
    delete hidden;
    return value;
}
#endif

#if defined(RULE_GLOBAL_PLACEMENT) || defined(CURED)
struct Arena
{
    alignas(std::max_align_t) char memory[1024];
    bool isUsed = false;
};

inline void *operator new(std::size_t, Arena &arena)
{
    arena.isUsed = true;
    return arena.memory;
}
inline void operator delete(void *, Arena &) { }

// A class's operators hide the global ones.
inline bool usePlacement()
{
    Arena arena;
#  ifdef CURED
    QObject *object = ::new (arena) QObject;
#  else
    QObject *object = new (arena) QObject;
#  endif
    object->~QObject();
    return arena.isUsed;
}
#endif

#endif // RULES_H
