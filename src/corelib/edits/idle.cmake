# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A thread that is about to wait for events, or for the work of a thread pool, returns the blocks that it
# holds for others, lets them take in what they free to it, and gives memory back to the system:
# src/corelib/kernel/qpoolidle_p.h.

qpool_concern(idle)

# UNIX: around the poll itself, so that every event ends the giving back. Before 6.7 the time to wait is
# a timespec.
set(_qpool_unix src/corelib/kernel/qeventdispatcher_unix.cpp)
qpool_edit(${_qpool_unix} AFTER "#include <private/qcore_unix_p.h>\n" [[
#if QT_CONFIG(pool_allocator)
#  include "qpoolidle_p.h"
#endif
]])
qpool_find_in_source(${_qpool_unix} "    timespec *tm = nullptr;\n" _qpool_timespec)
if(_qpool_timespec)
    set(_qpool_timeout tm)
else()
    set(_qpool_timeout deadline)
endif()
set(_qpool_poll "(d->pollfds.data(), d->pollfds.size(), ${_qpool_timeout})) {\n")
qpool_edit(${_qpool_unix} BEFORE "    switch (qt_safe_poll${_qpool_poll}" "\
#if QT_CONFIG(pool_allocator)
    switch (QPoolIdle::pollUnix<qt_safe_poll>${_qpool_poll}#else
")
qpool_edit(${_qpool_unix} AFTER "    switch (qt_safe_poll${_qpool_poll}" "#endif\n")

# GLib: the context's poll function. A context that has another one than GLib's keeps it; then there is
# only one step, before the wait.
set(_qpool_glib src/corelib/kernel/qeventdispatcher_glib.cpp)
qpool_edit(${_qpool_glib} AFTER "#include <private/qthread_p.h>\n" [[
#if QT_CONFIG(pool_allocator)
#  include "qpoolidle_p.h"
#endif
]])
qpool_edit(${_qpool_glib} AFTER "QT_BEGIN_NAMESPACE\n" [[

#if QT_CONFIG(pool_allocator)
static constexpr GPollFunc qt_pool_glib_poll = QPoolIdle::pollGLib<g_poll, GPollFD>;
#endif
]])
qpool_edit(${_qpool_glib} BEFORE "    // setup post event source\n" [[
#if QT_CONFIG(pool_allocator)
    if (g_main_context_get_poll_func(mainContext) == g_poll)
        g_main_context_set_poll_func(mainContext, qt_pool_glib_poll);

#endif
]])
# The context may outlive QtCore, where that can be unloaded.
qpool_edit(${_qpool_glib} AFTER "    Q_ASSERT(d->mainContext != nullptr);\n" [[
#if QT_CONFIG(pool_allocator)
    if (g_main_context_get_poll_func(d->mainContext) == qt_pool_glib_poll)
        g_main_context_set_poll_func(d->mainContext, g_poll);
#endif
]])
qpool_edit(${_qpool_glib} BEFORE "    if (canWait)\n        emit aboutToBlock();\n" [[
#if QT_CONFIG(pool_allocator)
    if (canWait && g_main_context_get_poll_func(d->mainContext) != qt_pool_glib_poll)
        QPoolIdle::giveBack();
#endif
]])

set(_qpool_threadpool src/corelib/thread/qthreadpool.cpp)
qpool_edit(${_qpool_threadpool} AFTER "#include \"qcoreapplication.h\"\n" [[
#if QT_CONFIG(pool_allocator)
#  include <private/qpoolidle_p.h>
#endif
]])
qpool_edit(${_qpool_threadpool}
    BEFORE "        // wait for work, exiting after the expiry timeout is reached\n" [[
#if QT_CONFIG(pool_allocator)
        QPoolIdle::waitForWork(locker, runnableReady, QDeadlineTimer(manager->expiryTimeout),
                               [this] { return manager->waitingThreads.contains(this); });
#else
]])
qpool_edit(${_qpool_threadpool}
    AFTER "        runnableReady.wait(locker.mutex(), QDeadlineTimer(manager->expiryTimeout));\n" "#endif\n")
