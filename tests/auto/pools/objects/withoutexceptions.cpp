// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Without exceptions and RTTI everything works, and failures return null.

#include "pools/objects/qobjectcache.h"
#include "pools/objects/qtypedpool.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

#define CHECK(x) do { if (!(x)) { std::printf("line %d: %s\n", __LINE__, #x); return 1; } } while (0)

struct Tag;
using SmallPages = QPool::StaticPages<3 * 8192, Tag, 8192>;

int typedPool()
{
    using Pool = QPool::TypedPool<std::string>;
    std::string *text = Pool::create("a text too long for the object itself, so that it has a block");
    CHECK(text->size() > 40);
    Pool::destroy(text);
    CHECK(Pool::reserve(100));
    CHECK(Pool::reserved() == 100);
    CHECK(*Pool::makeUnique("x") == "x");
    CHECK(*Pool::makeShared("y") == "y");
    Pool::unreserve();
    CHECK(Pool::Chunks::statistics().live() == 0);

    using Small = QPool::TypedPool<std::string, QPool::SingleThreaded, SmallPages>;
    std::vector<std::string *> all;
    while (std::string *one = Small::tryCreate("one"))
        all.push_back(one);
    CHECK(all.size() >= 2 * 8192 / sizeof(std::string));
    for (std::string *one : all)
        Small::destroy(one);
    CHECK(Small::Chunks::statistics().live() == 0);
    return 0;
}

int objectCache()
{
    QPool::ObjectCache<std::vector<int>, QPool::ClearWithin<16>> cache;
    std::vector<int> *first = nullptr;
    {
        auto list = cache.take();
        list->resize(10);
        first = list.get();
    }
    auto again = cache.tryTake();
    CHECK(again.get() == first);
    CHECK(again->empty() && again->capacity() >= 10);
    again->resize(100);
    again.reset();
    CHECK(cache.take()->capacity() == 0);
    auto other = cache.category("other").take();
    CHECK(cache.statistics().held == 2 && cache.statistics().inUse == 1);
    return 0;
}

} // namespace

int main()
{
    return typedPool() + objectCache();
}
