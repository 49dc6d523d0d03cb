// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Several writers, threads or processes, use one map of strings: each erases an entry and inserts
// another. And the effect of a long run on a segment's memory. The last part of a row's data tag
// names the implementation:
// "pool" is ours, "malloc" a std::map of one process.

#include "measure.h"
#include "sharedsubjects.h"
#include "team.h"

#include <array>
#include <cmath>
#include <functional>
#include <memory>

#include <sys/wait.h>

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

using namespace Bench;
using QPool::SharedLockKind;

namespace {

constexpr int Entries = 1000; // in the map, over all writers
constexpr int Operations = 20000;

// Entries of one writer, twice as many as it has in the map, with texts of 30 to 250 bytes. No two
// writers have a key in common.
class Keys
{
public:
    Keys(int writer, int writers)
        : m_count(Entries / writers)
    {
        for (int i = 0; i < 2 * m_count; ++i) {
            char text[64];
            std::snprintf(text, sizeof text, "%08x, the key of an entry of number %d",
                          unsigned(i) * 2654435761u, writer);
            m_keys.emplace_back(text);
            m_values.emplace_back(30 + m_random.below(220), 'v');
            m_order.push_back(i);
        }
    }

    template <class Subject>
    void fill(Subject &subject)
    {
        for (int i = 0; i < m_count; ++i)
            subject.insert(m_keys[std::size_t(i)], m_values[std::size_t(i)]);
    }

    // Any that is in the map goes, and any that is not comes.
    template <class Subject>
    void work(Subject &subject, int operations)
    {
        for (int i = 0; i < operations; ++i) {
            int &gone = m_order[m_random.below(unsigned(m_count))];
            int &comes = m_order[unsigned(m_count) + m_random.below(unsigned(m_count))];
            subject.replace(m_keys[std::size_t(gone)], m_keys[std::size_t(comes)],
                            m_values[std::size_t(comes)]);
            std::swap(gone, comes);
        }
    }

private:
    int m_count;
    Random m_random { 18 };
    std::vector<std::string> m_keys;
    std::vector<std::string> m_values;
    std::vector<int> m_order; // those in the map come first
};

// The subject of a row. There is one at a time.
class Stage
{
public:
    virtual ~Stage() = default;
    virtual void run() = 0;
};

template <class Subject>
class Threads : public Stage
{
public:
    explicit Threads(int count)
    {
        for (int i = 0; i < count; ++i) {
            m_keys.emplace_back(i, count);
            m_keys.back().fill(m_subject);
        }
    }
    void run() override
    {
        const int count = int(m_keys.size());
        runTeam(count, [&](int index) {
            m_keys[std::size_t(index)].work(m_subject, Operations / count);
        });
        check();
    }

private:
    void check()
    {
        if (m_subject.size() != std::size_t(Entries / int(m_keys.size())) * m_keys.size())
            qFatal("entries were lost");
    }

    Subject m_subject;
    std::vector<Keys> m_keys;
};

// Children that wait for a byte, work, and answer with one.
template <class Subject>
class Processes : public Stage
{
public:
    explicit Processes(int count)
        : m_count(count)
    {
        if (pipe(m_orders) != 0 || pipe(m_answers) != 0)
            qFatal("no pipe to command through");
        std::vector<Keys> keys;
        for (int i = 0; i < count; ++i) {
            keys.emplace_back(i, count);
            keys.back().fill(m_subject);
        }
        for (int i = 0; i < count; ++i) {
            const pid_t child = fork();
            if (child < 0)
                qFatal("no child to measure in");
            if (child == 0)
                serve(keys[std::size_t(i)], i);
            m_children.push_back(child);
        }
    }
    ~Processes() override
    {
        close(m_orders[1]);
        for (const pid_t child : m_children)
            waitpid(child, nullptr, 0);
        close(m_orders[0]);
        close(m_answers[0]);
        close(m_answers[1]);
    }
    void run() override
    {
        std::vector<char> bytes(std::size_t(m_count), 'x');
        if (write(m_orders[1], bytes.data(), bytes.size()) != ssize_t(bytes.size()))
            qFatal("no child takes orders");
        for (int i = 0; i < m_count; ++i) {
            char answer;
            if (read(m_answers[0], &answer, 1) != 1)
                qFatal("a child gives no answer");
        }
        if (m_subject.size() != std::size_t(Entries / m_count * m_count))
            qFatal("entries were lost");
    }

private:
    [[noreturn]] void serve(Keys &keys, int index)
    {
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
        close(m_orders[1]);
        close(m_answers[0]);
        pin(index);
        char order;
        while (read(m_orders[0], &order, 1) == 1) {
            keys.work(m_subject, Operations / m_count);
            if (write(m_answers[1], &order, 1) != 1)
                break;
        }
        _exit(0);
    }

    Subject m_subject;
    int m_count;
    int m_orders[2];
    int m_answers[2];
    std::vector<pid_t> m_children;
};

using Make = std::unique_ptr<Stage> (*)(int writers);

template <class Stages>
std::unique_ptr<Stage> make(int writers)
{
    return std::make_unique<Stages>(writers);
}

// ----------------------------------------------------------------------------
// A long life: blocks of 16 bytes to 64 KiB, small ones far more often, 70 % of the segment in use.

struct PoolBlocks
{
    PoolBlocks()
    {
        const std::string name = segmentName();
        segment = QPool::SharedSegment::create(name.c_str(), SegmentBytes, SharedLockKind::None);
        QPool::SharedSegment::unlink(name.c_str());
        if (!segment)
            qFatal("no segment");
    }
    void *allocate(std::size_t bytes) { return segment.allocate(bytes); }
    void deallocate(void *block, std::size_t bytes) { segment.deallocate(block, bytes); }
    QPool::SharedSegment segment;
};

#ifdef BENCH_HAS_INTERPROCESS
struct BoostBlocks
{
    using Segment = boost::interprocess::basic_managed_shared_memory<
            char, boost::interprocess::rbtree_best_fit<boost::interprocess::null_mutex_family>,
            boost::interprocess::iset_index>;
    BoostBlocks()
    {
        const std::string name = segmentName();
        segment = Segment(boost::interprocess::create_only, name.c_str(), SegmentBytes);
        boost::interprocess::shared_memory_object::remove(name.c_str());
    }
    void *allocate(std::size_t bytes) { return segment.allocate(bytes, std::nothrow); }
    void deallocate(void *block, std::size_t) { segment.deallocate(block); }
    Segment segment;
};
#endif

// Bytes of the largest block that could be had.
template <class Blocks>
std::size_t largest(Blocks &blocks)
{
    std::size_t low = 0;
    std::size_t high = SegmentBytes;
    while (high - low > 1024) {
        const std::size_t middle = low + (high - low) / 2;
        if (void *block = blocks.allocate(middle)) {
            blocks.deallocate(block, middle);
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// After so many quarters of a million operations: the share of what is not in use that is not in the
// largest block, in percent.
template <class Blocks, int Quarters>
double fragmentation()
{
    struct Block
    {
        void *address;
        std::size_t bytes;
    };
    const bool quick = qEnvironmentVariableIsSet("QPOOL_BENCH_QUICK");
    const int operations = (quick ? 25000 : 250000) * Quarters;
    constexpr std::size_t wanted = SegmentBytes / 10 * 7;
    Blocks segment;
    Random random(70);
    std::vector<Block> blocks;
    std::size_t used = 0;
    const auto drop = [&] {
        Block &block = blocks[random.below(unsigned(blocks.size()))];
        segment.deallocate(block.address, block.bytes);
        used -= block.bytes;
        block = blocks.back();
        blocks.pop_back();
    };
    for (int i = 0; i < operations;) {
        const auto bytes = std::size_t(16 * std::exp2(random.below(12000) / 1000.0));
        while (used + bytes > wanted) {
            drop();
            ++i;
        }
        void *block = segment.allocate(bytes);
        ++i;
        if (!block) {
            drop(); // it is full to fragments
            continue;
        }
        *static_cast<char *>(block) = 1;
        blocks.push_back({ block, bytes });
        used += bytes;
    }
    const double free = double(SegmentBytes - used);
    return 100 * (1 - double(largest(segment)) / free);
}

using Measurement = double (*)();

} // namespace

Q_DECLARE_METATYPE(Make)
Q_DECLARE_METATYPE(Measurement)

class tst_Bench_Shared : public QObject
{
    Q_OBJECT
private slots:
    void shared_data();
    void shared();
    void cleanupTestCase() { m_stage.reset(); }

private:
    std::unique_ptr<Stage> m_stage;
    QByteArray m_row;
};

template <SharedLockKind Kind>
static void addRows(const char *lock)
{
    constexpr bool locked = Kind != SharedLockKind::None;
    using Plain = PlainMap<std::conditional_t<locked, std::mutex, NoMutex>>;
    for (int count : { 1, 2, 4, 8 }) {
        if (count > 1 && !locked)
            break;
        const auto add = [&](const char *kind, const char *subject, Make function) {
            QTest::addRow("%s/%d%s/%s", lock, count, kind, subject) << count << function << Measurement();
        };
        add("", "pool", make<Threads<PoolMap<Kind>>>);
        add("", "malloc", make<Threads<Plain>>);
        add("/processes", "pool", make<Processes<PoolMap<Kind>>>);
#ifdef BENCH_HAS_INTERPROCESS
        add("", "boost", make<Threads<BoostMap<locked>>>);
        add("/processes", "boost", make<Processes<BoostMap<locked>>>);
#else
        add("", "boost!", nullptr);
        add("/processes", "boost!", nullptr);
#endif
    }
}

template <int Quarters>
static void addFragmentation()
{
    const auto add = [](const char *subject, Measurement function) {
        QTest::addRow("fragmentation/%d/%s", Quarters, subject) << 0 << Make() << function;
    };
    add("pool", fragmentation<PoolBlocks, Quarters>);
#ifdef BENCH_HAS_INTERPROCESS
    add("boost", fragmentation<BoostBlocks, Quarters>);
#else
    add("boost!", nullptr);
#endif
}

void tst_Bench_Shared::shared_data()
{
    QTest::addColumn<int>("writers");
    QTest::addColumn<Make>("stage");
    QTest::addColumn<Measurement>("measurement");
    addRows<SharedLockKind::None>("none");
    addRows<SharedLockKind::Spin>("spin");
    addRows<SharedLockKind::Futex>("futex");
    addRows<SharedLockKind::Robust>("robust");
    addFragmentation<1>();
    addFragmentation<2>();
    addFragmentation<3>();
    addFragmentation<4>();
}

void tst_Bench_Shared::shared()
{
    QFETCH(int, writers);
    QFETCH(Make, stage);
    QFETCH(Measurement, measurement);
    if (measurement) {
        measureOnce(QTest::Events, measurement);
        return;
    }
    if (!stage)
        QSKIP("it was compiled without");
    // QTest calls once more for a warm-up.
    if (const QByteArray row = QTest::currentDataTag(); row != m_row) {
        m_stage.reset();
        m_stage = stage(writers);
        m_row = row;
    }
    measure(Operations, [&] { m_stage->run(); });
}

QTEST_APPLESS_MAIN(tst_Bench_Shared)

#include "tst_bench_shared.moc"
