// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTBATCH_H
#define QOBJECTBATCH_H

#include "../../allocator/qpoolglobal.h"

QPOOL_BEGIN_NAMESPACE

class ObjectDepot;

// The header before each object of a cache, in the same chunk. Only idle objects are linked, and
// beside the object, so that moving it between threads does not touch it.
struct ObjectNode
{
    ObjectNode *next = nullptr; // in its batch
    ObjectNode *nextBatch = nullptr; // the first node's: in the depot
    std::size_t count = 0; // the first node's: of its batch
    // Where the object goes back to. Hardened builds set it to null while the object is idle, and
    // detect by this an object that is given back twice.
    ObjectDepot *home = nullptr;
};

// Idle objects on their way between a stock and a depot.
class ObjectBatch
{
public:
    ObjectBatch() = default;
    // A batch that a depot has kept.
    explicit ObjectBatch(ObjectNode *first) noexcept : m_first(first), m_count(first->count)
    {
    }

    bool isEmpty() const noexcept { return !m_first; }
    std::size_t count() const noexcept { return m_count; }
    bool knowsLast() const noexcept { return m_last; } // false for a batch that a depot had kept

    void push(ObjectNode *node) noexcept
    {
        node->next = m_first;
        m_first = node;
        if (!m_last)
            m_last = node;
        ++m_count;
    }

    // Returns null if empty.
    ObjectNode *pop() noexcept
    {
        ObjectNode *node = m_first;
        if (node) {
            m_first = node->next;
            --m_count;
        }
        return node;
    }

    // Hands over all nodes in the form in which the depot keeps a batch, in front of \a others.
    ObjectNode *release(ObjectNode *others) noexcept
    {
        ObjectNode *first = m_first;
        first->nextBatch = others;
        first->count = m_count;
        *this = ObjectBatch();
        return first;
    }

    // The same, joined with the nodes of \a other, which the depot keeps.
    ObjectNode *releaseBefore(ObjectNode *other) noexcept
    {
        m_last->next = other;
        m_count += other->count;
        return release(other->nextBatch);
    }

private:
    ObjectNode *m_first = nullptr;
    ObjectNode *m_last = nullptr; // null for what a depot has kept
    std::size_t m_count = 0;
};

QPOOL_END_NAMESPACE

#endif // QOBJECTBATCH_H
