# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A thread that is about to wait for events, or for the work of a thread pool, returns the blocks that it
# holds for others, and lets them take in what they free to it.

qpool_concern(idle)
foreach(dispatcher IN ITEMS unix glib)
    qpool_edit(src/corelib/kernel/qeventdispatcher_${dispatcher}.cpp
        BEFORE "    if (canWait)\n        emit aboutToBlock();\n" [[
#if QT_CONFIG(pool_allocator)
    if (canWait)
        qt_pool_allocator_idle();
#endif
]])
endforeach()

# A worker of QThreadPool waits with the pool's lock, which others must not wait for meanwhile. It is
# already listed as waiting. Whoever gives it work removes it from the list, so it must not wait then:
# nobody would wake it. The same is true if the pool is reset.
qpool_edit(src/corelib/thread/qthreadpool.cpp
    BEFORE "        // wait for work, exiting after the expiry timeout is reached\n" [[
#if QT_CONFIG(pool_allocator)
        locker.unlock();
        qt_pool_allocator_idle();
        locker.relock();
        if (manager->waitingThreads.contains(this))
#endif
]])
