// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QCACHEDOBJECT_H
#define QCACHEDOBJECT_H

#include "../../allocator/qobjectaccess.h"
#include "qobjectcachestate.h"
#include "qobjectmemory.h"
#include "qobjectreset.h"
#include "qpooltypename.h"

#include <memory>

QPOOL_BEGIN_NAMESPACE

// Constructs objects without arguments. In place, because returning an object by value needs its
// destructor.
template <class T>
struct MakeObject
{
    T *operator()(void *memory) const { return ObjectAccess::construct<T>(memory); }
};

// The part of an ObjectCache that depends on the type of its objects: where they are, and how they
// are created, reset and destroyed.
template <class T, class Reset, class Create>
class CachedObject
{
    // The object is behind its header, as close as its alignment permits.
    static constexpr std::size_t Alignment = alignof(T) > alignof(ObjectNode) ? alignof(T)
                                                                              : alignof(ObjectNode);
    static constexpr std::size_t Offset = (sizeof(ObjectNode) + alignof(T) - 1) / alignof(T)
            * alignof(T);
    static constexpr std::size_t ChunkSize = (Offset + sizeof(T) + Alignment - 1) / Alignment
            * Alignment;
    using Chunks = typename ObjectChunks<ChunkSize, Alignment, MultiThreaded, DefaultPages>::Type;

public:
    static ObjectNode &nodeOf(T &object) noexcept
    {
        return *reinterpret_cast<ObjectNode *>(
                reinterpret_cast<char *>(std::addressof(object)) - Offset);
    }
    static T *objectOf(ObjectNode &node) noexcept
    {
        return std::launder(reinterpret_cast<T *>(reinterpret_cast<char *>(&node) + Offset));
    }

    struct State final : ObjectCacheState
    {
        State(const ObjectCacheOptions &options, Reset &&r, Create &&c)
            : ObjectCacheState(options, ChunkSize, TypeName::of<T>()), reset(std::move(r)), create(std::move(c))
        {
        }

        void destroy(ObjectNode &node) noexcept override
        {
            ObjectAccess::destroy(*objectOf(node));
            ObjectAccess::destroy(node);
            Chunks::deallocate(&node);
        }

        const Reset reset;
        const Create create;
    };

    // The object counts as one of \a depot already. Returns null if there is no memory, unless it
    // may throw.
    static T *make(ObjectDepot &depot, bool mayThrow)
    {
        Making making { &depot };
        depot.state().makeRoom(depot);
        making.chunk = Chunks::allocate();
        if (QPOOL_UNLIKELY(!making.chunk)) {
            if (!mayThrow)
                return nullptr;
            making.chunk = Failure::retry(ChunkSize, &Chunks::allocate, "ObjectCache: ");
        }
        auto *node = ::new (making.chunk) ObjectNode;
        node->home = &depot;
        const State &state = static_cast<State &>(depot.state());
        void *place = static_cast<char *>(making.chunk) + Offset;
        T *object;
        if constexpr (std::is_invocable_v<const Create &, void *>)
            object = state.create(place);
        else
            object = ::new (place) T(state.create());
        making.depot = nullptr;
        return object;
    }

    // Returns false if the object cannot be kept.
    QPOOL_ALWAYS_INLINE static bool isReset(const State &state, T &object) noexcept
    {
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
        try {
            return applyReset(state, object);
        } catch (...) {
            return false;
        }
#else
        return applyReset(state, object);
#endif
    }

private:
    // Undoes the creation if Create throws.
    struct Making
    {
        ObjectDepot *depot;
        void *chunk = nullptr;
        ~Making()
        {
            if (!depot)
                return;
            if (chunk)
                Chunks::deallocate(chunk);
            depot->objectNotMade();
        }
    };

    QPOOL_ALWAYS_INLINE static bool applyReset(const State &state, T &object)
    {
        if constexpr (std::is_same_v<std::invoke_result_t<const Reset &, T &>, bool>) {
            return state.reset(object);
        } else {
            state.reset(object);
            return true;
        }
    }
};

QPOOL_END_NAMESPACE

#endif // QCACHEDOBJECT_H
