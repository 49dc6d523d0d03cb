// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QOBJECTRESET_H
#define QOBJECTRESET_H

#include "../../allocator/qpoolglobal.h"

#include <type_traits>
#include <utility>

QPOOL_BEGIN_NAMESPACE

namespace ObjectTraits {

template <class T, class = void>
struct HasReset : std::false_type { };
template <class T>
struct HasReset<T, std::void_t<decltype(std::declval<T &>().reset())>> : std::true_type { };

template <class T, class = void>
struct HasClear : std::false_type { };
template <class T>
struct HasClear<T, std::void_t<decltype(std::declval<T &>().clear())>> : std::true_type { };

template <class T, class = void>
struct HasCapacity : std::false_type { };
template <class T>
struct HasCapacity<T, std::void_t<decltype(std::declval<T &>().capacity())>> : std::true_type { };

} // namespace ObjectTraits

/*!
    Empties \a container, and frees its memory if it has room for more than \a capacity elements
    (for a hash table: buckets).

    clear() alone keeps room for the most elements that were ever inside. In a cache, each object
    meets the rare large case sooner or later, so that in the end all of them have room for it.
*/
template <class Container>
void clearWithin(Container &container, std::size_t capacity)
{
    container.clear();
    std::size_t room = 0;
    if constexpr (ObjectTraits::HasCapacity<Container>::value)
        room = container.capacity();
    else
        room = container.bucket_count();
    if (room > capacity)
        Container(container.get_allocator()).swap(container);
}

/*!
    \class QPool::ResetObject
    \brief The default Reset of an ObjectCache: calls reset() of objects that come back, or
    otherwise their clear().
*/
struct ResetObject
{
    template <class T>
    void operator()(T &object) const
    {
        static_assert(ObjectTraits::HasReset<T>::value || ObjectTraits::HasClear<T>::value,
                      "the class has neither reset() nor clear(): give ObjectCache a Reset of its "
                      "own, or KeepObject if there is nothing to put back");
        if constexpr (ObjectTraits::HasReset<T>::value)
            object.reset();
        else
            object.clear();
    }
};

//! Leaves objects as they are when they come back.
struct KeepObject
{
    template <class T>
    void operator()(T &) const noexcept { }
};

//! For caches of containers: calls clearWithin() with \a Capacity.
template <std::size_t Capacity>
struct ClearWithin
{
    template <class Container>
    void operator()(Container &container) const { clearWithin(container, Capacity); }
};

QPOOL_END_NAMESPACE

#endif // QOBJECTRESET_H
