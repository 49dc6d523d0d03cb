# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The files of QtCore that create and delete events and objects all day, without a call to do so.
# Where new is written there, or a deleting destructor compiled, the size is a constant.

foreach(place IN ITEMS "qobject.cpp:#include \"qobject_p_p.h\"" "qcoreevent.cpp:#include \"qcoreevent.h\""
                       "qtimer.cpp:#include \"qtimer_p.h\"")
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${place}")
    qpool_edit(src/corelib/kernel/${CMAKE_MATCH_1} AFTER "${CMAKE_MATCH_2}\n" [[
#if QT_CONFIG(pool_allocator)
#  include "qpoolfastpaths_p.h"
#endif
]])
endforeach()

# Connections are made and freed in this one file.
foreach(anchor IN ITEMS "    Connection() : ownArgumentTypes(true) { }\n"
                        "struct QObjectPrivate::ConnectionData\n{\n")
    qpool_edit(src/corelib/kernel/qobject_p_p.h AFTER "${anchor}" [[
#if QT_CONFIG(pool_allocator)
    static void *operator new(std::size_t size) { return QObjectData::operator new(size); }
    static void operator delete(void *pointer, std::size_t size) noexcept
    {
        QObjectData::operator delete(pointer, size);
    }
#endif
]])
endforeach()

# The calling thread's QThreadData, which each constructor of an object asks for: one load instead
# of a call, as the pool's own thread-local does it.
qpool_edit(src/corelib/thread/qthread_unix.cpp
    BEFORE "Q_CONSTINIT static thread_local QThreadData *currentThreadData" [[
#if QT_CONFIG(pool_allocator) && defined(Q_OS_LINUX) && defined(Q_CC_GNU)
__attribute__((tls_model("initial-exec")))
#endif
]])
