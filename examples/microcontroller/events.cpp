// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Events that an interrupt handler posts and the main loop handles: allocated in one, freed in the
// other, from a static buffer. No heap, no thread library, no exceptions. The interrupt may occur
// in the middle of a call, so the pool is a SharedPool whose lock masks interrupts.

#include "board.h"
#include "random.h"

#include "os/qpoolinterruptlock.h"
#include "pool/qlistedpoolallocator.h"

using namespace QPool;

namespace {

struct EventPages : StaticPages<16 * 1024, struct EventBuffer, 1024, InterruptLock> { };
using EventPool = QListedPoolAllocator<ListedSizes<16, 24, 32, 48, 64, 96, 128>, SharedPool,
                                       EventPages>;

struct Event
{
    Event *next;
    std::uint16_t number;
    std::uint16_t payload; // bytes behind this
    unsigned char *data() { return reinterpret_cast<unsigned char *>(this + 1); }
};

// Any number of posters, in any context; one receiver.
class EventQueue
{
public:
    void post(Event *event)
    {
        event->next = nullptr;
        Locker locker(m_lock);
        (m_last ? m_last->next : m_first) = event;
        m_last = event;
    }

    Event *take()
    {
        Locker locker(m_lock);
        Event *event = m_first;
        if (event) {
            m_first = event->next;
            if (!m_first)
                m_last = nullptr;
        }
        return event;
    }

private:
    InterruptLock m_lock;
    Event *m_first = nullptr;
    Event *m_last = nullptr;
};

EventQueue s_queue;
Random s_random { 1 };
volatile std::uint32_t s_posted = 0;
volatile std::uint32_t s_refused = 0;
constexpr std::uint32_t Wanted = 20000;

Event *makeEvent(std::uint32_t payload, std::uint32_t number)
{
    auto *event = static_cast<Event *>(EventPool::allocate(sizeof(Event) + payload));
    if (!event)
        return nullptr;
    event->number = std::uint16_t(number);
    event->payload = std::uint16_t(payload);
    for (std::uint32_t i = 0; i < payload; ++i)
        event->data()[i] = static_cast<unsigned char>(number + i);
    return event;
}

bool isIntact(Event *event)
{
    for (std::uint32_t i = 0; i < event->payload; ++i) {
        if (event->data()[i] != static_cast<unsigned char>(event->number + i))
            return false;
    }
    return true;
}

// In the interrupt: posts a few events at times, and occasionally more than there is room for.
void onTick()
{
    if (s_posted >= Wanted)
        return;
    const std::uint32_t count = s_random.next() % 100 == 0 ? 400 : s_random.next() % 4;
    for (std::uint32_t i = 0; i < count; ++i) {
        Event *event = makeEvent(s_random.next() % 117, s_posted);
        if (!event) {
            s_refused = s_refused + 1; // a real system would count and drop it
            return;
        }
        s_queue.post(event);
        s_posted = s_posted + 1;
    }
}

} // namespace

int main()
{
    Random random { 7 };
    std::uint32_t handled = 0;
    // Not a multiple of any period of the loop, so that every part of the loop is interrupted.
    Board::startTicks(1009, &onTick);
    while (handled < Wanted) {
        Event *event = s_queue.take();
        // Events of the loop itself: most interrupts occur during one of these calls.
        Event *own = makeEvent(random.next() % 117, handled);
        if (own && !isIntact(own)) {
            Board::print("an event of the main loop was overwritten\n");
            return 1;
        }
        EventPool::deallocate(own);
        if (!event)
            continue;
        if (event->number != std::uint16_t(handled) || !isIntact(event)) {
            Board::print("an event was lost or overwritten: number ", handled);
            return 1;
        }
        ++handled;
        EventPool::deallocate(event);
    }
    Board::stopTicks();
    while (Event *event = s_queue.take())
        EventPool::deallocate(event);

    std::uint32_t live = 0;
    constexpr std::size_t sizes[] = { 16, 24, 32, 48, 64, 96, 128 };
    for (std::size_t size : sizes)
        live += std::uint32_t(EventPool::statistics(size).live());
    Board::print("events posted by the interrupt handler, handled and freed: ", handled);
    Board::print("\nrefused because the buffer was full: ", s_refused);
    Board::print("\nleft in the pool: ", live);
    Board::print("\n");
    return live == 0 && s_refused > 0 ? 0 : 1;
}
