// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Filling the standard's containers: for the first time in a process, in memory that it never had
// before; for the second time, after the first container was destroyed; and for the first time with
// memory reserved in advance, if that is possible. In nanoseconds per element, of the fastest of
// several children, because memory that was touched once is no longer fresh.

#include "children.h"
#include "stlsubjects.h"

#include <list>
#include <map>
#include <unordered_map>
#include <vector>

using namespace Bench;

namespace {

// A key that follows no order.
int keyOf(int i) { return int(unsigned(i) * 2654435761u >> 1); }

struct Sequence
{
    static constexpr int Count = 1000000;
    using Value = int;

    template <class Container>
    static void fill(Container &container)
    {
        for (int i = 0; i < Count; ++i)
            container.push_back(i);
    }
};

struct Dictionary
{
    static constexpr int Count = 200000;
    using Value = std::pair<const int, int>;

    template <class Container>
    static void fill(Container &container)
    {
        for (int i = 0; i < Count; ++i)
            container.emplace(keyOf(i), i);
    }
};

struct List : Sequence
{
    static constexpr std::size_t NodeBytes = 24;
    template <class Allocator>
    using Container = std::list<int, Allocator>;
};

struct Vector : Sequence
{
    static constexpr std::size_t NodeBytes = 0;
    template <class Allocator>
    using Container = std::vector<int, Allocator>;
};

struct Map : Dictionary
{
    static constexpr std::size_t NodeBytes = 40;
    template <class Allocator>
    using Container = std::map<int, int, std::less<int>, Allocator>;
};

struct UnorderedMap : Dictionary
{
    static constexpr std::size_t NodeBytes = 16;
    template <class Allocator>
    using Container = std::unordered_map<int, int, std::hash<int>, std::equal_to<int>, Allocator>;
};

template <class What, class Container>
double timeOfFill(Container &container)
{
    const double begin = now(countsProcessorTime());
    What::fill(container);
    const double end = now(countsProcessorTime());
    opaque(&container);
    return (end - begin) / What::Count;
}

template <class What, class Subject>
using ContainerOf = typename What::template Container<
        typename Subject::template Allocator<typename What::Value>>;

template <class What, class Subject>
double first()
{
    Subject subject;
    ContainerOf<What, Subject> container(subject.template get<typename What::Value>());
    return timeOfFill<What>(container);
}

template <class What, class Subject>
double reserve()
{
    Subject subject;
    subject.reserve(What::Count, What::NodeBytes);
    ContainerOf<What, Subject> container(subject.template get<typename What::Value>());
    return timeOfFill<What>(container);
}

template <class What, class Subject>
double second()
{
    Subject subject;
    double least = 0;
    for (int round = 0; round < 4; ++round) {
        {
            ContainerOf<What, Subject> container(subject.template get<typename What::Value>());
            const double time = timeOfFill<What>(container);
            if (round == 1 || (round > 1 && time < least))
                least = time;
        }
        subject.rewind();
    }
    return least;
}

template <class What, class Subject>
void add(const char *what, const char *subject)
{
    QTest::addRow("%s/first/%s", what, subject) << Measurement(first<What, Subject>);
    QTest::addRow("%s/second/%s", what, subject) << Measurement(second<What, Subject>);
    // A vector's own reserve() is the same with all allocators; StdAllocator has none.
    if (What::NodeBytes && !std::is_same_v<Subject, StdAllocatorSubject>)
        QTest::addRow("%s/reserve/%s", what, subject) << Measurement(reserve<What, Subject>);
}

// A subject without which this program was compiled. The runner reports it.
[[maybe_unused]] void addMissing(const char *what, const char *subject)
{
    for (const char *when : { "first", "second", "reserve" })
        QTest::addRow("%s/%s/%s!", what, when, subject) << Measurement(nullptr);
}

template <class What>
void addAll(const char *what)
{
    add<What, StdAllocatorSubject>(what, "StdAllocator");
    add<What, StatefulSubject>(what, "StatefulAllocator");
    add<What, StdSubject>(what, "malloc");
    add<What, PmrSubject>(what, "pmr");
    add<What, BumpSubject>(what, "limit");
}

} // namespace

Q_DECLARE_METATYPE(Measurement)

class tst_Bench_Stl : public QObject
{
    Q_OBJECT
private slots:
    void stl_data();
    void stl();
};

void tst_Bench_Stl::stl_data()
{
    QTest::addColumn<Measurement>("function");
    addAll<List>("list");
    addAll<Map>("map");
    addAll<UnorderedMap>("unordered_map");
    addAll<Vector>("vector");
#ifdef BENCH_HAS_BOOST_POOL
    add<List, BoostSubject>("list", "boost");
    add<Map, BoostSubject>("map", "boost");
    add<UnorderedMap, BoostSubject>("unordered_map", "boost");
#else
    addMissing("list", "boost");
    addMissing("map", "boost");
    addMissing("unordered_map", "boost");
#endif
    // Its pool of nodes has no arrays, as hash tables need.
#ifdef BENCH_HAS_FOONATHAN
    namespace memory = foonathan::memory;
    add<List, FoonathanSubject<memory::list_node_size<int>::value>>("list", "foonathan");
    add<Map, FoonathanSubject<memory::map_node_size<std::pair<const int, int>>::value>>(
            "map", "foonathan");
#else
    addMissing("list", "foonathan");
    addMissing("map", "foonathan");
#endif
}

void tst_Bench_Stl::stl()
{
    QFETCH(Measurement, function);
    if (!function)
        QSKIP("compiled without it");
    measureOnce(QTest::WalltimeNanoseconds, [function] { return inChildren(function); });
}

QTEST_APPLESS_MAIN(tst_Bench_Stl)

#include "tst_bench_stl.moc"
