// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// fork() in a signal handler, in a process of one thread: the handler interrupted fork() itself, or a
// slow path. A process that waits for a lock of its own is ended.

#include "childprocess.h"
#include "models.h"

#include <csignal>
#include <vector>

#include <pthread.h>

using namespace QPool;

namespace {

// The test's own process may have other threads, and glibc takes a process that once had some for one
// that has.
int exitCodeOfNewProcess(const char *part)
{
    return exitCodeOfChild([part] {
        execl("/proc/self/exe", "tst_signalfork", part, static_cast<char *>(nullptr));
        return 127;
    });
}

void (*inChild)() = nullptr; // of the handler
// Changed in functions of the C library that the compiler believes not to call back.
volatile bool isArmed = false;
volatile int skips = 0; // so many calls of interrupt() first
volatile int signals = 0;
volatile int failures = 0;

void forkInHandler(int)
{
    signals = signals + 1;
    isArmed = false;
    const int code = exitCodeOfChild([] {
        inChild();
        return 0;
    });
    failures = failures + (code != 0);
}

void interrupt()
{
    if (!isArmed)
        return;
    skips = skips - 1;
    if (skips < 0)
        raise(SIGUSR1);
}

void arm(int skipped = 0)
{
    skips = skipped;
    isArmed = true;
}

// Before those of the pools, which are registered by constructors, too: a handler registered earlier runs
// later before a fork, and earlier after it.
__attribute__((constructor(101))) void registerHandlers()
{
    pthread_atfork(interrupt, interrupt, interrupt);
}

template <class Model>
struct Interrupted : SystemPages
{
    static PageHeader *acquirePage() noexcept
    {
        interrupt();
        return SystemPages::acquirePage();
    }
    static void releasePage(PageHeader *page) noexcept
    {
        interrupt();
        SystemPages::releasePage(page);
    }
};

template <class Model>
using Pool = QSizedPoolAllocator<Model, Interrupted<Model>>;

template <class Model>
void use()
{
    for (std::size_t size = 8; size <= 1024; size += 8) {
        // Null while the handler's slow path is interrupted.
        void *blocks[3];
        for (void *&block : blocks)
            block = Pool<Model>::allocate(size);
        for (void *block : blocks)
            Pool<Model>::deallocate(block);
    }
}

void prepare()
{
    inChild = nullptr;
    failures = 0;
    signals = 0;
    struct sigaction action = {};
    action.sa_handler = forkInHandler;
    sigaction(SIGUSR1, &action, nullptr);
}

// Between the pool's handlers and the fork, or after it in both processes.
template <class Model>
int interruptFork()
{
    prepare();
    use<Model>();
    inChild = use<Model>;
    for (int i = 0; i < 10; ++i) {
        arm(i % 2);
        const auto useAgain = [] {
            use<Model>();
            return int(failures);
        };
        if (exitCodeOfChild(useAgain) != 0)
            return 1;
        use<Model>();
    }
    return signals != 10 ? 2 : failures ? 3 : 0;
}

template <class Model>
int interruptSlowPath()
{
    prepare();
    inChild = use<Model>;
    std::vector<void *> blocks;
    for (int i = 0; i < 20; ++i) {
        arm();
        while (isArmed)
            blocks.push_back(Pool<Model>::allocate(blocks.size() % 1000));
        arm();
        for (std::size_t n = 0; n < 1000 && !blocks.empty(); ++n) {
            Pool<Model>::deallocate(blocks.back());
            blocks.pop_back();
        }
        isArmed = false;
    }
    for (void *block : blocks)
        Pool<Model>::deallocate(block);
    arm();
    Pool<Model>::trim();
    Pool<Model>::idle();
    isArmed = false;
    if (arenaTotals<Pool<Model>>().live != 0)
        return 4;
    return signals < 20 ? 2 : failures ? 3 : 0;
}

template <class Model>
class SignalForkTest : public ::testing::Test
{
};
TYPED_TEST_SUITE(SignalForkTest, AllModels, ModelNames);

TYPED_TEST(SignalForkTest, mayInterruptFork)
{
    EXPECT_EQ(exitCodeOfNewProcess((std::string("fork ") + TypeParam::Name).c_str()), 0);
}

// Of a pool for which each thread has an arena, the child can go on allocating. Others are not made for
// that: see QPoolAllocator.
template <class Model>
class SlowPathForkTest : public ::testing::Test
{
};
using ArenaModels = ::testing::Types<MultiPool, MultiThreaded>;
TYPED_TEST_SUITE(SlowPathForkTest, ArenaModels, ModelNames);

TYPED_TEST(SlowPathForkTest, mayInterruptASlowPath)
{
    EXPECT_EQ(exitCodeOfNewProcess((std::string("slow ") + TypeParam::Name).c_str()), 0);
}

template <class Model>
int runPart(const std::string &part)
{
    if (part == std::string("fork ") + Model::Name)
        return interruptFork<Model>();
    if (part == std::string("slow ") + Model::Name)
        return interruptSlowPath<Model>();
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string part = argc > 1 ? argv[1] : "";
    if (part.rfind("fork ", 0) == 0 || part.rfind("slow ", 0) == 0) {
        return runPart<SingleThreaded>(part) + runPart<SharedPool>(part) + runPart<MultiPool>(part)
                + runPart<MultiThreaded>(part);
    }
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
