// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects that are expensive to construct, taken and given back by threads that move from one part
// of the
// program to another. An operation is an object taken, used and given back; held/ counts the objects
// that exist in the end. In addition to the subjects of subjects.h:
//
//   lock      one stock for all threads, behind one lock
//   stock     one stock per thread, without any exchange
//
// malloc creates and destroys an object each time. The limit of held/ is the number in use at the peak.
//
// typed-unique and typed-shared are objects that are not kept: created, by TypedPool or by new and
// std::make_shared, while a hundred others are in use, and destroyed after these.

#include "../../auto/allocator/shared/rendezvous.h"
#include "measure.h"
#include "team.h"

#include "pools/objects/qobjectcache.h"
#include "pools/objects/qtypedpool.h"

#include <QtCore/qobject.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

using namespace Bench;

namespace {

constexpr int Parts = 4;

// Buffers and a table that is computed.
struct Parser
{
    Parser()
    {
        unsigned value = 1;
        for (unsigned &entry : table)
            entry = value = value * 1664525u + 1013904223u;
        tokens.reserve(64);
        text.reserve(1024);
    }
    void clear()
    {
        tokens.clear();
        text.clear();
    }

    unsigned table[256];
    std::vector<unsigned> tokens;
    std::vector<char> text;
};

// The same, for every subject.
void use(Parser &parser, int part)
{
    for (unsigned i = 0; i < 4u << part; ++i)
        parser.tokens.push_back(parser.table[i]);
    opaque(parser.tokens.data());
}

// Each subject is an object that threads share. take(part) returns something that gives back when it
// goes; held() is the number of objects that exist.

template <bool WithCategories>
class CacheSubject
{
    using Cache = QPool::ObjectCache<Parser>;

public:
    auto take(int part)
    {
        if constexpr (WithCategories)
            return m_parts[part].take();
        else
            return m_cache.take();
    }
    std::size_t held() const { return m_cache.statistics().held; }

private:
    Cache m_cache;
    Cache::Category m_parts[Parts] = { m_cache.category("network"), m_cache.category("files"),
                                       m_cache.category("database"), m_cache.category("screen") };
};

class MallocSubject
{
public:
    std::unique_ptr<Parser> take(int) { return std::make_unique<Parser>(); }
    std::size_t held() const { return 0; }
};

template <class Stock>
struct Return
{
    Stock *stock;
    void operator()(Parser *parser) const
    {
        parser->clear();
        stock->giveBack(parser);
    }
};

class LockSubject
{
public:
    using Handle = std::unique_ptr<Parser, Return<LockSubject>>;

    Handle take(int)
    {
        {
            std::lock_guard<std::mutex> lock(m_mutex);
            if (!m_idle.empty()) {
                Parser *parser = m_idle.back().release();
                m_idle.pop_back();
                return Handle(parser, { this });
            }
            ++m_held;
        }
        return Handle(new Parser, { this });
    }

    void giveBack(Parser *parser)
    {
        std::lock_guard<std::mutex> lock(m_mutex);
        m_idle.emplace_back(parser);
    }

    std::size_t held() const { return m_held; }

private:
    std::mutex m_mutex;
    std::vector<std::unique_ptr<Parser>> m_idle;
    std::size_t m_held = 0;
};

class StockSubject
{
public:
    using Handle = std::unique_ptr<Parser, Return<StockSubject>>;

    Handle take(int)
    {
        if (!s_idle.empty()) {
            Parser *parser = s_idle.back().release();
            s_idle.pop_back();
            return Handle(parser, { this });
        }
        m_held.fetch_add(1, std::memory_order_relaxed);
        return Handle(new Parser, { this });
    }

    void giveBack(Parser *parser) { s_idle.emplace_back(parser); }
    std::size_t held() const { return m_held; }

private:
    static inline thread_local std::vector<std::unique_ptr<Parser>> s_idle;
    std::atomic<std::size_t> m_held { 0 };
};

constexpr int MostTaken = 8;

// Each takes one to eight, uses them and gives them back; now and then it moves on.
template <class Subject>
void semilocal(int threads, qint64 operations)
{
    static Subject subject;
    runTeam(threads, [&](int index) {
        Random random(unsigned(index) + 1);
        decltype(subject.take(0)) taken[MostTaken];
        qint64 left = operations / threads;
        for (int turn = 0; left > 0; ++turn) {
            const int part = (index + turn / 250) % Parts;
            const int count = 1 + int(random.below(MostTaken));
            for (int i = 0; i < count; ++i) {
                taken[i] = subject.take(part);
                use(*taken[i], part);
            }
            for (int i = 0; i < count; ++i)
                taken[i].reset();
            left -= count;
        }
    });
}

// In turns, so that the peak is known: in one of the parts a thread takes a hundred, in the others ten.
int takenIn(int part) { return part == 0 ? 100 : 10; }

template <class Subject>
double held(int threads)
{
    Subject subject;
    Rendezvous meeting { unsigned(threads) };
    double result = 0;
    runTeam(threads, [&](int index) {
        for (int turn = 0; turn < 40; ++turn) {
            const int part = (index + turn) % Parts;
            {
                std::vector<decltype(subject.take(0))> taken;
                for (int i = 0; i < takenIn(part); ++i) {
                    taken.push_back(subject.take(part));
                    use(*taken.back(), part);
                }
                meeting.wait();
            }
            meeting.wait();
        }
        if (index == 0)
            result = double(subject.held());
        meeting.wait();
    });
    return result;
}

struct PeakSubject;

template <>
double held<PeakSubject>(int threads)
{
    int peak = 0;
    for (int turn = 0; turn < Parts; ++turn) {
        int now = 0;
        for (int index = 0; index < threads; ++index)
            now += takenIn((index + turn) % Parts);
        peak = std::max(peak, now);
    }
    return peak;
}

struct Message
{
    explicit Message(int number) : number(number) { }
    int number;
    char text[60];
};

struct TypedUnique
{
    static auto make(int number) { return QPool::TypedPool<Message>::makeUnique(number); }
};
struct NewUnique
{
    static auto make(int number) { return std::make_unique<Message>(number); }
};
struct TypedShared
{
    static auto make(int number) { return QPool::TypedPool<Message>::makeShared(number); }
};
struct NewShared
{
    static auto make(int number) { return std::make_shared<Message>(number); }
};

template <class Maker>
void made(int, qint64 operations)
{
    constexpr int count = 100;
    decltype(Maker::make(0)) inUse[count];
    for (qint64 done = 0; done < operations; ++done) {
        auto &place = inUse[done % count];
        place = Maker::make(int(done));
        opaque(place.get());
    }
}

using Run = void (*)(int threads, qint64 operations);
using Count = double (*)(int threads);

} // namespace

Q_DECLARE_METATYPE(Run)
Q_DECLARE_METATYPE(Count)

class tst_Bench_Objects : public QObject
{
    Q_OBJECT
private slots:
    void objects_data();
    void objects();
};

void tst_Bench_Objects::objects_data()
{
    QTest::addColumn<int>("threads");
    QTest::addColumn<Run>("run");
    QTest::addColumn<Count>("count");
    const auto add = [](const char *row, int threads, const char *subject, Run run, Count count) {
        QTest::addRow("%s/%d/%s", row, threads, subject) << threads << run << count;
    };
    add("typed-unique", 1, "pool", made<TypedUnique>, nullptr);
    add("typed-unique", 1, "malloc", made<NewUnique>, nullptr);
    add("typed-shared", 1, "pool", made<TypedShared>, nullptr);
    add("typed-shared", 1, "malloc", made<NewShared>, nullptr);
    for (int n : { 1, 2, 4, 8 }) {
        add("semilocal", n, "pool", semilocal<CacheSubject<false>>, nullptr);
        add("semilocal", n, "malloc", semilocal<MallocSubject>, nullptr);
        add("semilocal", n, "lock", semilocal<LockSubject>, nullptr);
        add("semilocal", n, "stock", semilocal<StockSubject>, nullptr);
        add("categories", n, "pool", semilocal<CacheSubject<true>>, nullptr);
        add("categories", n, "malloc", semilocal<MallocSubject>, nullptr);
        add("categories", n, "lock", semilocal<LockSubject>, nullptr);
        add("categories", n, "stock", semilocal<StockSubject>, nullptr);
        add("held", n, "pool", nullptr, held<CacheSubject<false>>);
        add("held", n, "lock", nullptr, held<LockSubject>);
        add("held", n, "stock", nullptr, held<StockSubject>);
        add("held", n, "limit", nullptr, held<PeakSubject>);
        add("held-categories", n, "pool", nullptr, held<CacheSubject<true>>);
        add("held-categories", n, "lock", nullptr, held<LockSubject>);
        add("held-categories", n, "stock", nullptr, held<StockSubject>);
        add("held-categories", n, "limit", nullptr, held<PeakSubject>);
    }
}

void tst_Bench_Objects::objects()
{
    QFETCH(int, threads);
    QFETCH(Run, run);
    QFETCH(Count, count);
    constexpr qint64 operations = 400000;
    if (run)
        measure(operations, [&] { run(threads, operations); });
    else
        measureOnce(QTest::Events, [&] { return count(threads); });
}

QTEST_APPLESS_MAIN(tst_Bench_Objects)

#include "tst_bench_objects.moc"
