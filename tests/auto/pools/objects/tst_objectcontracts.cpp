// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What hardened builds report: objects that do not belong to the pool, objects that are given back
// twice, and objects in use when their cache is destroyed.

#include "../contracts/contracts.h"

#include "pools/objects/qobjectcache.h"
#include "pools/objects/qtypedpool.h"

using namespace QPool;

namespace {

struct Text
{
    char letters[40];
    void clear() { }
};

class ObjectContractsTest : public ContractsFixture
{
};

TEST_F(ObjectContractsTest, reportsDestroyingAForeignObject)
{
    // Its destructor does not run.
    struct Loud
    {
        ~Loud() { std::fprintf(stderr, "destructor\n"); }
        char letters[40] = {};
    };
    using Pool = TypedPool<Loud>;
    alignas(Loud) static char buffer[sizeof(Loud)];
    EXPECT_FATAL(Pool::destroy(reinterpret_cast<Loud *>(buffer)),
                 "^qpool: MultiThreaded: 0x[0-9a-f]+, freed by thread [0-9]+, is not from this pool");
}

TEST_F(ObjectContractsTest, reportsDestroyingTwice)
{
    using Pool = TypedPool<Text>;
    Text *text = Pool::create();
    Pool::destroy(text);
    EXPECT_FATAL(Pool::destroy(text), either("is free already"));
}

TEST_F(ObjectContractsTest, reportsGivingBackTwice)
{
    using Cache = ObjectCache<Text>;
    Cache cache;
    Text *text = cache.take().release();
    Cache::giveBack(text);
    EXPECT_FATAL(Cache::giveBack(text), "ObjectCache: 0x[0-9a-f]+ is given back, but is not in use");
    // Wherever it is by then.
    cache.flush();
    EXPECT_FATAL(Cache::giveBack(text), "ObjectCache: 0x[0-9a-f]+ is given back, but is not in use");
    // An object that is taken again may be given back again.
    EXPECT_EQ(cache.take().get(), text);
}

TEST_F(ObjectContractsTest, reportsObjectsInUseAtTheEnd)
{
    using Cache = ObjectCache<Text>;
    Cache::Handle late;
    ::testing::internal::CaptureStderr();
    {
        ObjectCacheOptions options;
        options.name = "texts";
        Cache cache(options);
        (void)cache.take();
        late = cache.category("network").take();
    }
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "qpool: ObjectCache \"texts\": is destroyed while 1 objects of its category \"network\" "
              "are in use\n");
}

} // namespace
