// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Queues from one thread to another, and events that wake a thread. The last part of a row's data
// tag names the implementation: "pool" is ours.

#include "measure.h"
#include "team.h"

#include "pools/concurrency/qblockingspscqueue.h"

#if defined(__has_include)
#  if __has_include(<boost/lockfree/spsc_queue.hpp>)
#    include <boost/lockfree/spsc_queue.hpp>
#    define HAS_BOOST 1
#  endif
#  if __has_include(<sys/eventfd.h>)
#    include <sys/eventfd.h>
#    include <unistd.h>
#    define HAS_EVENTFD 1
#  endif
#endif

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

using namespace Bench;

namespace {

using Run = void (*)();

constexpr std::size_t Capacity = 4096;
constexpr std::size_t Batch = 64;
constexpr int Numbers = 4000000;
constexpr int Wakes = 10000;
static_assert(Numbers % Batch == 0);

// Spins for a moment, then lets others run: the other end may have lost its processor.
class Backoff
{
public:
    void wait()
    {
        if (++m_times % 64 == 0)
            std::this_thread::yield();
        else
            QPool::Detail::spinOnce();
    }

private:
    unsigned m_times = 0;
};

struct PoolQueue
{
    bool push(int number) { return queue.tryPush(number); }
    bool pop(int &number) { return queue.tryPop(number); }
    std::size_t push(const int *numbers, std::size_t count) { return queue.tryPushBatch(numbers, count); }
    std::size_t pop(int *numbers, std::size_t count) { return queue.tryPopBatch(numbers, count); }
    QPool::SpscQueue<int> queue { Capacity };
};

#ifdef HAS_BOOST
// The form with a size that is known at compile time, which is its fastest.
using BoostQueue = boost::lockfree::spsc_queue<int, boost::lockfree::capacity<Capacity>>;
#endif

// Those that wait: push() and pop() all given elements, or all that are there.

struct PoolBlockingQueue
{
    bool push(int number) { return queue.push(number); }
    bool pop(int &number) { return queue.pop(number); }
    std::size_t push(const int *numbers, std::size_t count) { return queue.pushBatch(numbers, count); }
    std::size_t pop(int *numbers, std::size_t count) { return queue.popBatch(numbers, count); }
    QPool::BlockingSpscQueue<int> queue { Capacity };
};

// An implementation with only the standard library.
class ConditionQueue
{
public:
    bool push(int number) { return push(&number, 1); }
    bool pop(int &number) { return pop(&number, 1); }

    std::size_t push(const int *numbers, std::size_t count)
    {
        for (std::size_t done = 0; done < count;) {
            std::unique_lock<std::mutex> lock(m_mutex);
            m_popped.wait(lock, [this] { return m_pushedCount - m_poppedCount < Capacity; });
            while (done < count && m_pushedCount - m_poppedCount < Capacity)
                m_numbers[m_pushedCount++ % Capacity] = numbers[done++];
            lock.unlock();
            m_pushed.notify_one();
        }
        return count;
    }

    std::size_t pop(int *numbers, std::size_t most)
    {
        std::unique_lock<std::mutex> lock(m_mutex);
        m_pushed.wait(lock, [this] { return m_pushedCount != m_poppedCount; });
        std::size_t count = 0;
        while (count < most && m_pushedCount != m_poppedCount)
            numbers[count++] = m_numbers[m_poppedCount++ % Capacity];
        lock.unlock();
        m_popped.notify_one();
        return count;
    }

private:
    std::mutex m_mutex;
    std::condition_variable m_pushed;
    std::condition_variable m_popped;
    std::size_t m_pushedCount = 0;
    std::size_t m_poppedCount = 0;
    int m_numbers[Capacity];
};

template <class Queue>
void oneByOne()
{
    const auto queue = std::make_unique<Queue>();
    std::int64_t sum = 0;
    runTeam(2, [&](int index) {
        Backoff backoff;
        if (index == 0) {
            for (int i = 0; i < Numbers; ++i) {
                while (!queue->push(i))
                    backoff.wait();
            }
            return;
        }
        std::int64_t mine = 0;
        for (int i = 0; i < Numbers; ++i) {
            int number;
            while (!queue->pop(number))
                backoff.wait();
            mine += number;
        }
        sum = mine;
    });
    if (sum != std::int64_t(Numbers) * (Numbers - 1) / 2)
        qFatal("numbers were lost");
}

template <class Queue>
void inBatches()
{
    const auto queue = std::make_unique<Queue>();
    std::int64_t sum = 0;
    runTeam(2, [&](int index) {
        Backoff backoff;
        int batch[Batch];
        if (index == 0) {
            for (int next = 0; next < Numbers; next += int(Batch)) {
                for (std::size_t i = 0; i < Batch; ++i)
                    batch[i] = next + int(i);
                for (std::size_t done = 0; done < Batch;) {
                    if (const std::size_t count = queue->push(batch + done, Batch - done))
                        done += count;
                    else
                        backoff.wait();
                }
            }
            return;
        }
        std::int64_t mine = 0;
        for (int taken = 0; taken < Numbers;) {
            const std::size_t count = queue->pop(batch, Batch);
            if (count == 0)
                backoff.wait();
            for (std::size_t i = 0; i < count; ++i)
                mine += batch[i];
            taken += int(count);
        }
        sum = mine;
    });
    if (sum != std::int64_t(Numbers) * (Numbers - 1) / 2)
        qFatal("numbers were lost");
}

// One thread signals and waits: the cost of the two while no thread sleeps.

void poolWake()
{
    static QPool::AutoResetEvent event;
    for (int i = 0; i < Wakes; ++i) {
        event.signal();
        event.wait();
    }
}

// The lower bound: a count on which no thread could sleep.
void atomicsWake()
{
    static std::atomic<std::uint32_t> count { 0 };
    for (int i = 0; i < Wakes; ++i) {
        count.fetch_add(1, std::memory_order_release);
        if (count.fetch_sub(1, std::memory_order_acquire) != 1)
            qFatal("who was that?");
    }
}

#ifdef HAS_EVENTFD
void eventfdWake()
{
    static const int descriptor = eventfd(0, EFD_CLOEXEC);
    for (int i = 0; i < Wakes; ++i) {
        std::uint64_t value = 1;
        if (write(descriptor, &value, sizeof value) != sizeof value
            || read(descriptor, &value, sizeof value) != sizeof value)
            qFatal("no eventfd");
    }
}
#endif

} // namespace

Q_DECLARE_METATYPE(Run)

class tst_Bench_Queue : public QObject
{
    Q_OBJECT
private slots:
    void queue_data();
    void queue();
};

void tst_Bench_Queue::queue_data()
{
    QTest::addColumn<qint64>("operations");
    QTest::addColumn<Run>("function");
    const auto add = [](const char *tag, qint64 operations, Run function) {
        QTest::addRow("%s", tag) << operations << function;
    };
    add("spsc/1/pool", Numbers, oneByOne<PoolQueue>);
    add("spsc/64/pool", Numbers, inBatches<PoolQueue>);
    add("blocking/1/pool", Numbers, oneByOne<PoolBlockingQueue>);
    add("blocking/64/pool", Numbers, inBatches<PoolBlockingQueue>);
    add("blocking/1/condition", Numbers, oneByOne<ConditionQueue>);
    add("blocking/64/condition", Numbers, inBatches<ConditionQueue>);
#ifdef HAS_BOOST
    add("spsc/1/boost", Numbers, oneByOne<BoostQueue>);
    add("spsc/64/boost", Numbers, inBatches<BoostQueue>);
#endif
    add("wake/pool", Wakes, poolWake);
    add("wake/atomics", Wakes, atomicsWake);
#ifdef HAS_EVENTFD
    add("wake/eventfd", Wakes, eventfdWake);
#endif
}

void tst_Bench_Queue::queue()
{
    QFETCH(qint64, operations);
    QFETCH(Run, function);
    measure(operations, [&] { function(); });
}

QTEST_APPLESS_MAIN(tst_Bench_Queue)

#include "tst_bench_queue.moc"
