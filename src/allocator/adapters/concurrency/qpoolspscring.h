// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSPSCRING_H
#define QPOOLSPSCRING_H

#include "qpoolprefetch.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

QPOOL_BEGIN_NAMESPACE

namespace Detail {

/*
    The memory of SpscQueue and its indices, which only increase: an element's slot is its index
    modulo the capacity, a power of two, so that all slots can be used and the indices may wrap.

    Invariants and orderings
    - m_pushed: how many elements were ever pushed; only the producer writes it. Release: the
      element was constructed before. The consumer acquires it before it accesses the element. The
      producer loads its own store, relaxed.
    - m_popped: how many were ever popped; only the consumer writes it. Release: the element was
      moved from and destroyed before. The producer acquires it before it constructs another one in
      the slot. The consumer loads its own store, relaxed.
    - m_popped <= m_pushed <= m_popped + capacity, in the order in which each end sees both: each
      knows its own index exactly, and sees the other's late, hence too small: it sees too few free
      slots, or too few elements. A slot is the producer's when its index is in [m_pushed, m_popped
      + capacity), otherwise the consumer's.
    - end: the index up to which an end may go as far as it knows: the other end's index as last
      loaded, for the producer plus the capacity. An end reads the other's cache line again only
      when this does not suffice: at best once per turn of the ring, instead of once per element.
    - m_closed: goes from false to true once. Release and acquire between close() and
      isClosedForConsumer(): the consumer that sees it sees everything that was pushed before it.
      Producers load it relaxed, because they learn nothing else from it.

    The model is tests/auto/model/spscring.pml.
*/
template <class T>
class SpscRing
{
    static_assert(std::is_object_v<T> && !std::is_array_v<T> && !std::is_const_v<T>,
                  "elements are objects that can be moved");
    static_assert(std::is_nothrow_destructible_v<T>, "a destructor that throws would lose elements");

public:
    explicit SpscRing(std::size_t capacity)
    {
        const std::size_t slotCount = roundedUp(capacity);
        if (slotCount == 0)
            refuse();
        setSlots(::operator new(bytesOf(slotCount), Alignment), slotCount);
    }

    SpscRing(std::size_t capacity, const std::nothrow_t &tag) noexcept
    {
        const std::size_t slotCount = roundedUp(capacity);
        if (slotCount == 0)
            return;
        if (void *memory = ::operator new(bytesOf(slotCount), Alignment, tag))
            setSlots(memory, slotCount);
    }

    ~SpscRing()
    {
        const std::size_t end = m_producer.pushed.load(std::memory_order_relaxed);
        for (std::size_t at = popIndex(); at != end; ++at)
            std::destroy_at(slot(at));
        ::operator delete(static_cast<void *>(m_slots), Alignment);
    }

    SpscRing(const SpscRing &) = delete;
    SpscRing &operator=(const SpscRing &) = delete;

    std::size_t capacity() const noexcept { return m_capacity; }

    QPOOL_ALWAYS_INLINE T *slot(std::size_t index) const noexcept
    {
        return m_slots + (index & m_mask);
    }

    // The producer's functions.

    QPOOL_ALWAYS_INLINE std::size_t pushIndex() const noexcept
    {
        return m_producer.pushed.load(std::memory_order_relaxed);
    }

    // Returns the number of free slots; reloads if fewer than \a wanted are known. \a index is
    // pushIndex().
    QPOOL_ALWAYS_INLINE std::size_t roomAt(std::size_t index, std::size_t wanted = 1) noexcept
    {
        if (QPOOL_UNLIKELY(m_producer.end - index < wanted))
            m_producer.end = m_consumer.popped.load(std::memory_order_acquire) + m_capacity;
        return m_producer.end - index;
    }

    QPOOL_ALWAYS_INLINE void publishPushed(std::size_t index) noexcept
    {
        m_producer.pushed.store(index, std::memory_order_release);
    }

    // Constructs \a count elements in free slots, and publishes them.
    template <class Iterator>
    void makeElements(std::size_t index, Iterator from, std::size_t count)
    {
        if constexpr (isRandomAccess<Iterator>
                      && std::is_nothrow_constructible_v<
                              T, typename std::iterator_traits<Iterator>::reference>) {
            using Difference = typename std::iterator_traits<Iterator>::difference_type;
            const std::size_t first = (std::min)(count, untilEnd(index));
            std::uninitialized_copy_n(from, first, slot(index));
            if (first != count)
                std::uninitialized_copy_n(from + Difference(first), count - first, m_slots);
            publishPushed(index + count);
            // The consumer has read those slots, so each line comes from its cache. Prefetched only
            // one batch ahead, the lines would arrive together with the stores that wait for them:
            // hence two.
            if (m_producer.end - index >= 3 * count)
                forEachLine(index + 2 * count, count, prefetchForWriting);
        } else {
            struct Published
            {
                ~Published() { ring.publishPushed(index); }
                SpscRing &ring;
                std::size_t index;
            } made { *this, index };
            for (; count > 0; --count, ++from) {
                ::new (static_cast<void *>(slot(made.index))) T(*from);
                ++made.index;
            }
        }
    }

    // The consumer's functions.

    QPOOL_ALWAYS_INLINE std::size_t popIndex() const noexcept
    {
        return m_consumer.popped.load(std::memory_order_relaxed);
    }

    // Returns the number of elements; reloads if fewer than \a wanted are known. \a index is
    // popIndex().
    QPOOL_ALWAYS_INLINE std::size_t elementsAt(std::size_t index, std::size_t wanted = 1) noexcept
    {
        if (QPOOL_UNLIKELY(m_consumer.end - index < wanted))
            m_consumer.end = m_producer.pushed.load(std::memory_order_acquire);
        return m_consumer.end - index;
    }

    QPOOL_ALWAYS_INLINE void publishPopped(std::size_t index) noexcept
    {
        m_consumer.popped.store(index, std::memory_order_release);
    }

    // Moves \a count existing elements to \a to, and publishes their slots as free.
    template <class OutputIterator>
    void takeElements(std::size_t index, OutputIterator to, std::size_t count)
    {
        if constexpr (isRandomAccess<OutputIterator> && std::is_trivially_copyable_v<T>
                      && noexcept(*to = std::declval<T>())) {
            const std::size_t first = (std::min)(count, untilEnd(index));
            to = std::move(slot(index), slot(index) + first, to);
            std::move(m_slots, m_slots + (count - first), to);
            publishPopped(index + count);
            if (m_consumer.end - index >= 2 * count)
                forEachLine(index + count, count, prefetchForReading);
        } else {
            struct Published
            {
                ~Published() { ring.publishPopped(index); }
                SpscRing &ring;
                std::size_t index;
            } gone { *this, index };
            for (; count > 0; --count, ++to) {
                T *element = slot(gone.index);
                *to = std::move(*element);
                std::destroy_at(element);
                ++gone.index;
            }
        }
    }

    // Any thread's functions.

    void close() noexcept { m_closed.store(true, std::memory_order_release); }
    QPOOL_ALWAYS_INLINE bool isClosed() const noexcept
    {
        return m_closed.load(std::memory_order_relaxed);
    }
    bool isClosedForConsumer() const noexcept { return m_closed.load(std::memory_order_acquire); }

    std::size_t size() const noexcept
    {
        // Load the index of pops first: it cannot exceed an index of pushes that is loaded after
        // it. Both may change meanwhile, so the difference may exceed the capacity.
        const std::size_t popped = m_consumer.popped.load(std::memory_order_acquire);
        const std::size_t pushed = m_producer.pushed.load(std::memory_order_acquire);
        return (std::min)(pushed - popped, m_capacity);
    }

private:
    static constexpr std::align_val_t Alignment { alignof(T) > CacheLineSize ? alignof(T)
                                                                             : CacheLineSize };

    template <class Iterator, class = void>
    struct IsRandomAccess : std::false_type
    {
    };
    template <class Iterator>
    struct IsRandomAccess<Iterator,
                          std::void_t<typename std::iterator_traits<Iterator>::iterator_category>>
        : std::is_base_of<std::random_access_iterator_tag,
                          typename std::iterator_traits<Iterator>::iterator_category>
    {
    };
    template <class Iterator>
    static constexpr bool isRandomAccess = IsRandomAccess<Iterator>::value;

    // Returns 0 for a capacity that could not be addressed.
    static std::size_t roundedUp(std::size_t capacity) noexcept
    {
        constexpr std::size_t most = (PTRDIFF_MAX - std::size_t(Alignment)) / sizeof(T);
        std::size_t slotCount = 1;
        while (slotCount < capacity && slotCount <= most / 2)
            slotCount *= 2;
        return slotCount < capacity ? 0 : slotCount;
    }

    static std::size_t bytesOf(std::size_t slotCount) noexcept
    {
        constexpr std::size_t line = std::size_t(Alignment);
        return (slotCount * sizeof(T) + line - 1) / line * line;
    }

    [[noreturn]] static void refuse()
    {
#if defined(__cpp_exceptions)
        throw std::bad_array_new_length();
#else
        std::terminate();
#endif
    }

    void setSlots(void *memory, std::size_t slotCount) noexcept
    {
        m_slots = static_cast<T *>(memory);
        m_capacity = slotCount;
        m_mask = slotCount - 1;
        m_producer.end = slotCount;
    }

    // Prefetches the lines of \a count slots that belong to this end: lines that the other end
    // works with must not be taken from it. Only the first few; the processor predicts the others
    // by itself.
    template <class Prefetch>
    QPOOL_ALWAYS_INLINE void forEachLine(std::size_t index, std::size_t count,
                                         Prefetch &&prefetch) const noexcept
    {
        constexpr std::size_t most = 8 * CacheLineSize;
        const char *place = reinterpret_cast<const char *>(slot(index));
        const std::size_t bytes = (std::min)((std::min)(count, untilEnd(index)) * sizeof(T), most);
        for (std::size_t offset = 0; offset < bytes; offset += CacheLineSize)
            prefetch(place + offset);
    }

    std::size_t untilEnd(std::size_t index) const noexcept
    {
        return m_capacity - (index & m_mask);
    }

    // Each has a cache line of its own, which the other end reads at times. After construction,
    // only close() writes the last one.
    struct alignas(CacheLineSize) Producer
    {
        std::atomic<std::size_t> pushed { 0 };
        std::size_t end = 0;
    };
    struct alignas(CacheLineSize) Consumer
    {
        std::atomic<std::size_t> popped { 0 };
        std::size_t end = 0;
    };
    Producer m_producer;
    Consumer m_consumer;
    alignas(CacheLineSize) T *m_slots = nullptr;
    std::size_t m_capacity = 0;
    std::size_t m_mask = 0;
    std::atomic<bool> m_closed { false };
};

} // namespace Detail

QPOOL_END_NAMESPACE

#endif // QPOOLSPSCRING_H
