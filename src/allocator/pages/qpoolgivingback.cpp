// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// When SystemPages gives memory back to the system: see there.

#include "qpoolsystempages.h"

QPOOL_BEGIN_NAMESPACE

// The caller holds the lock.
void SystemPages::noteTime(std::uint32_t now) noexcept
{
    if (now - s_state.since.load(std::memory_order_relaxed) < Period)
        return;
    s_state.since.store(now, std::memory_order_relaxed);
    s_state.due.store(s_state.free.takeLow(), std::memory_order_relaxed);
}

void SystemPages::age(std::uint32_t now) noexcept
{
    Locker locker(s_lock);
    freePending();
    noteTime(now);
}

int SystemPages::untilOld(bool holds) noexcept
{
    if (hasDue()) {
        // Not at once if another thread is doing a step.
        if (!s_givingLock.try_lock())
            return 1;
        s_givingLock.unlock();
        return 0;
    }
    if (holds)
        return int(Period);
    if (s_state.free.pages(FreeRuns::Cached) == 0)
        return -1;
    const std::uint32_t passed = Os::milliseconds() - s_state.since.load(std::memory_order_relaxed);
    return passed < Period ? int(Period - passed) : 1;
}

int SystemPages::idle() noexcept
{
    age(Os::milliseconds());
    giveBackDue();
    return untilOld(false);
}

void SystemPages::giveBackStep() noexcept
{
    if (!s_givingLock.try_lock())
        return;
    giveBack();
    s_givingLock.unlock();
}

void SystemPages::trim() noexcept
{
    Locker giving(s_givingLock);
    {
        Locker locker(s_lock);
        freePending();
        s_state.free.takeLow();
        s_state.due.store(s_state.free.pages(FreeRuns::Cached), std::memory_order_relaxed);
        s_state.since.store(Os::milliseconds(), std::memory_order_relaxed);
    }
    while (giveBack()) { }
}

// Makes a leaving run of several pages as many runs, which follow it.
static void split(PageHeader *run) noexcept
{
    for (std::size_t i = run->capacity; --i > 0;) {
        run[i].setBin(reinterpret_cast<Bin *>(std::uintptr_t(FreeRuns::Leaving)));
        run[i].capacity = 1;
        run[i].next = run->next;
        run->next = run + i;
    }
    run->capacity = 1;
}

// Gives back a step of the pages that are due. Returns false if there were none, or if the
// system refuses all, as it does when the program has locked its memory: the next period tries again. The
// caller holds the giving lock.
bool SystemPages::giveBack() noexcept
{
    FreeRuns &free = s_state.free;
    PageHeader *leaving = nullptr;
    {
        Locker locker(s_lock);
        // What was used since is no longer old.
        std::size_t due = s_state.due.load(std::memory_order_relaxed);
        if (due > free.low())
            due = free.low();
        const std::size_t rest = due > StepPages ? due - StepPages : 0;
        s_state.due.store(rest, std::memory_order_relaxed);
        while (due > rest) {
            PageHeader *run = free.takeOldest(due - rest);
            if (!run)
                break;
            due -= run->capacity;
            s_state.leaving += run->capacity;
            run->next = leaving;
            leaving = run;
        }
        if (!leaving)
            return false;
        s_pages.refuseHugePages();
    }
    bool gave = false;
    for (PageHeader *run = leaving; run;) {
        if (Os::decommit(s_pages.pageOf(run), run->capacity * PageSize)) {
            gave = true;
        } else if (run->capacity > 1) { // the program may have locked one of them
            split(run);
            continue;
        } else {
            run->setBin(nullptr); // keeps its memory
        }
        run = run->next;
    }
    Locker locker(s_lock);
    std::size_t stayed = 0;
    while (PageHeader *run = leaving) {
        leaving = run->next;
        const std::size_t count = run->capacity;
        s_state.leaving -= count;
        if (run->bin) {
            for (std::size_t i = 0; i < count; ++i)
                run[i].touched = 0;
        } else {
            stayed += count;
        }
        free.put(run, count, run->bin ? FreeRuns::Gone : FreeRuns::Cached);
    }
    if (stayed > 0)
        s_state.due.store(gave ? s_state.due.load(std::memory_order_relaxed) + stayed : 0, std::memory_order_relaxed);
    memoryChanged();
    return gave;
}

void SystemPages::discard(char *place, std::size_t bytes) noexcept
{
    {
        Locker locker(s_lock);
        s_pages.refuseHugePages();
    }
    Os::decommit(place, bytes);
}

void SystemPages::surviveFork() noexcept
{
    {
        Locker locker(s_lock);
        if (s_state.survivesFork)
            return;
        s_state.survivesFork = true;
    }
    // Called without the lock, because this may allocate.
    Os::aroundFork([] {
        s_givingLock.lockToFork();
        s_lock.lockToFork();
    }, [] {
        s_lock.unlockAfterFork();
        s_givingLock.unlockAfterFork();
    });
}

QPOOL_END_NAMESPACE
