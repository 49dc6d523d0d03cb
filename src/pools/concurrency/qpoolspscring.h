// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSPSCRING_H
#define QPOOLSPSCRING_H

#include "qpoolprefetch.h"
#include "qpoolpublishedindex.h"

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

    Each end publishes its index in the line of the block that it works on (see PublishedIndex).

    Invariants and orderings
    - m_pushed: how many elements were ever pushed; only the producer publishes it. Release: the
      element was constructed before. The consumer acquires it before it accesses the element.
    - m_popped: how many were ever popped; only the consumer publishes it. Release: the element was
      moved from and destroyed before. The producer acquires it before it constructs another one in
      the slot.
    - m_popped <= m_pushed <= m_popped + capacity, in the order in which each end sees both: each
      knows its own index exactly, and sees the other's late, hence too small: it sees too few free
      slots, or too few elements. A slot is the producer's when its index is in [m_pushed, m_popped
      + capacity), otherwise the consumer's.
    - index: an end's own index, which it loads relaxed. Stored with release, after the index was
      published: what size() returns on the other end's thread can be popped, or pushed.
    - end: the index up to which an end may go as far as it knows: the other end's index as last
      loaded, for the producer plus the capacity. An end reads the other's index again only when
      this does not suffice. The consumer's is stored before the index, which is released, so that
      size() never sees an element popped that was not there; all other uses are its own thread's.
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
        const std::size_t end = pushIndex();
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
        return m_producer.index.load(std::memory_order_relaxed);
    }

    // Returns the number of free slots; reloads if fewer than \a wanted are known. \a index is
    // pushIndex().
    QPOOL_ALWAYS_INLINE std::size_t roomAt(std::size_t index, std::size_t wanted = 1) noexcept
    {
        if (QPOOL_UNLIKELY(m_producer.end - index < wanted)) {
            const std::size_t enough = index + (std::min)(wanted, m_capacity) - m_capacity;
            m_producer.end =
                    m_capacity + m_popped.readFrom<Shift>(m_producer.end - m_capacity, enough);
        }
        return m_producer.end - index;
    }

    // The element at \a index was constructed.
    QPOOL_ALWAYS_INLINE void publishPushed(std::size_t index) noexcept
    {
        m_pushed.publishNext<Shift>(index);
        m_producer.index.store(index + 1, std::memory_order_release);
    }

    // All from \a from to before \a to were, at least one.
    QPOOL_ALWAYS_INLINE void publishPushed(std::size_t from, std::size_t to) noexcept
    {
        m_pushed.publish<Shift>(from, to);
        m_producer.index.store(to, std::memory_order_release);
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
            publishPushed(index, index + count);
            // The consumer has read those slots, so each line comes from its cache. Prefetched only
            // one batch ahead, the lines would arrive together with the stores that wait for them:
            // hence two.
            if (m_producer.end - index >= 3 * count) {
                prefetchForWriting(m_pushed.lineOf<Shift>(index + 2 * count));
                forEachLine(index + 2 * count, count, prefetchForWriting);
            }
        } else {
            struct Published
            {
                ~Published()
                {
                    if (index != begin)
                        ring.publishPushed(begin, index);
                }
                SpscRing &ring;
                const std::size_t begin;
                std::size_t index;
            } made { *this, index, index };
            for (; count > 0; --count, ++from) {
                ::new (static_cast<void *>(slot(made.index))) T(*from);
                ++made.index;
            }
        }
    }

    // The consumer's functions.

    QPOOL_ALWAYS_INLINE std::size_t popIndex() const noexcept
    {
        return m_consumer.index.load(std::memory_order_relaxed);
    }

    // Returns the number of elements; reloads if fewer than \a wanted are known. \a index is
    // popIndex().
    QPOOL_ALWAYS_INLINE std::size_t elementsAt(std::size_t index, std::size_t wanted = 1) noexcept
    {
        std::size_t end = m_consumer.end.load(std::memory_order_relaxed);
        if (QPOOL_UNLIKELY(end - index < wanted)) {
            end = m_pushed.readFrom<Shift>(end, index + (std::min)(wanted, m_capacity));
            m_consumer.end.store(end, std::memory_order_relaxed);
        }
        return end - index;
    }

    // The element at \a index was destroyed.
    QPOOL_ALWAYS_INLINE void publishPopped(std::size_t index) noexcept
    {
        m_popped.publishNext<Shift>(index);
        m_consumer.index.store(index + 1, std::memory_order_release);
    }

    // All from \a from to before \a to were, at least one.
    QPOOL_ALWAYS_INLINE void publishPopped(std::size_t from, std::size_t to) noexcept
    {
        m_popped.publish<Shift>(from, to);
        m_consumer.index.store(to, std::memory_order_release);
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
            publishPopped(index, index + count);
        } else {
            struct Published
            {
                ~Published()
                {
                    if (index != begin)
                        ring.publishPopped(begin, index);
                }
                SpscRing &ring;
                const std::size_t begin;
                std::size_t index;
            } gone { *this, index, index };
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
        // In this order: the consumer has popped nothing before it knew of it, so that end is not
        // less than popped. The producer may not have stored its index yet. Both ends may go on
        // meanwhile, so the difference may exceed the capacity.
        const std::size_t popped = m_consumer.index.load(std::memory_order_acquire);
        const std::size_t end = m_consumer.end.load(std::memory_order_relaxed);
        const std::size_t pushed = m_producer.index.load(std::memory_order_acquire);
        return (std::min)((PublishedIndex::isBefore(end, pushed) ? pushed : end) - popped, m_capacity);
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

    // A block has at least 512 bytes, 8 lines of slots for its two lines of indices: fewer lines of
    // indices would be fought for by the ends, more would need more memory than that quarter.
    static constexpr unsigned shift() noexcept
    {
        unsigned shift = 0;
        while ((sizeof(T) << shift) < 8 * CacheLineSize)
            ++shift;
        return shift;
    }
    static constexpr unsigned Shift = shift();

    static constexpr std::size_t blocksOf(std::size_t slotCount) noexcept
    {
        return (std::max)(slotCount >> Shift, std::size_t(1));
    }

    // Returns 0 for a capacity that could not be addressed.
    static std::size_t roundedUp(std::size_t capacity) noexcept
    {
        constexpr std::size_t slotBytes = sizeof(T) + (2 * CacheLineSize >> Shift) + 1;
        constexpr std::size_t most = (PTRDIFF_MAX - std::size_t(Alignment) - 2 * CacheLineSize) / slotBytes;
        std::size_t slotCount = 1;
        while (slotCount < capacity && slotCount <= most / 2)
            slotCount *= 2;
        return slotCount < capacity ? 0 : slotCount;
    }

    static std::size_t bytesOfSlots(std::size_t slotCount) noexcept
    {
        constexpr std::size_t line = std::size_t(Alignment);
        return (slotCount * sizeof(T) + line - 1) / line * line;
    }
    static std::size_t bytesOf(std::size_t slotCount) noexcept
    {
        return bytesOfSlots(slotCount) + 2 * blocksOf(slotCount) * sizeof(PublishedIndex::Line);
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
        char *lines = static_cast<char *>(memory) + bytesOfSlots(slotCount);
        const std::size_t blocks = blocksOf(slotCount);
        m_pushed.setLines(lines, blocks);
        m_popped.setLines(lines + blocks * sizeof(PublishedIndex::Line), blocks);
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

    // Each has a cache line of its own, which others read only for size(). After construction, only
    // close() writes the last one.
    struct alignas(CacheLineSize) Producer
    {
        std::atomic<std::size_t> index { 0 };
        std::size_t end = 0;
    };
    struct alignas(CacheLineSize) Consumer
    {
        std::atomic<std::size_t> index { 0 };
        std::atomic<std::size_t> end { 0 };
    };
    Producer m_producer;
    Consumer m_consumer;
    alignas(CacheLineSize) T *m_slots = nullptr;
    std::size_t m_capacity = 0;
    std::size_t m_mask = 0;
    PublishedIndex m_pushed;
    PublishedIndex m_popped;
    std::atomic<bool> m_closed { false };
};

} // namespace Detail

QPOOL_END_NAMESPACE

#endif // QPOOLSPSCRING_H
