# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The files of QtCore that create and delete events and objects most often do so without a call. The
# size is a constant at each new expression and in each deleting destructor there.

qpool_concern(fastpaths)
foreach(place IN ITEMS "qobject.cpp:#include \"qobject_p_p.h\"" "qcoreevent.cpp:#include \"qcoreevent.h\""
                       "qtimer.cpp:#include \"qtimer_p.h\"")
    string(REGEX MATCH "^([^:]+):(.*)$" _ "${place}")
    qpool_edit(src/corelib/kernel/${CMAKE_MATCH_1} AFTER "${CMAKE_MATCH_2}\n" [[
#if QT_CONFIG(pool_allocator)
#  include "qpoolfastpaths_p.h"
#endif
]])
endforeach()

# Parts of objects and futures that only QtCore allocates and frees: no header that others compile does.
# They count as private parts. A future has one, and two wait conditions. Other modules include
# qfutureinterface_p.h but do not find the allocator's headers. The header therefore only declares a
# future's operators; qfutureinterface.cpp defines them.
set(_qpool_private_operators [[
#if QT_CONFIG(pool_allocator)
    static void *operator new(std::size_t size) { return QObjectData::operator new(size); }
    static void operator delete(void *pointer, std::size_t size) noexcept
    {
        QObjectData::operator delete(pointer, size);
    }
#endif
]])
qpool_concern(slots)
qpool_edit(src/corelib/kernel/qobject_p_p.h
    AFTER "    Connection() : ownArgumentTypes(true) { }\n" "${_qpool_private_operators}")
qpool_concern(futures)
qpool_edit(src/corelib/thread/qfutureinterface_p.h AFTER "    ~QFutureInterfaceBasePrivate();\n" [[
#if QT_CONFIG(pool_allocator)
    static void *operator new(std::size_t size);
    static void operator delete(void *pointer, std::size_t size) noexcept;
#endif
]])
qpool_edit(src/corelib/thread/qfutureinterface.cpp AFTER "#include \"qfutureinterface_p.h\"\n" [[
#if QT_CONFIG(pool_allocator)
#  include <QtCore/private/qpoolfastpaths_p.h>

QT_BEGIN_NAMESPACE

void *QFutureInterfaceBasePrivate::operator new(std::size_t size)
{
    return QObjectData::operator new(size);
}

void QFutureInterfaceBasePrivate::operator delete(void *pointer, std::size_t size) noexcept
{
    QObjectData::operator delete(pointer, size);
}

QT_END_NAMESPACE
#endif
]])
qpool_edit(src/corelib/thread/qwaitcondition_unix.cpp
    AFTER "class QWaitConditionPrivate\n{\npublic:\n" "${_qpool_private_operators}")
qpool_edit(src/corelib/thread/qwaitcondition_unix.cpp AFTER "#include \"qwaitcondition.h\"\n" [[
#if QT_CONFIG(pool_allocator)
#  include <QtCore/private/qpoolfastpaths_p.h>
#endif
]])
