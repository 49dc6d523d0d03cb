# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# operator new and delete of the three classes from which all others derive. They are static members: no
# object grows, and no vtable changes.

qpool_concern(operators)
foreach(header IN ITEMS qcoreevent.h qobject.h)
    qpool_edit(src/corelib/kernel/${header}
        AFTER [[#include <QtCore/qobjectdefs.h>
]] [[
#if QT_CONFIG(pool_allocator)
#  include <QtCore/qpooloperators.h>
#endif
]])
endforeach()

set(_qpool_operators [[
#if QT_CONFIG(pool_allocator)
    QT_DECLARE_POOL_OPERATORS
#endif
]])
qpool_edit(src/corelib/kernel/qcoreevent.h AFTER "    virtual ~QEvent();\n" "${_qpool_operators}")
qpool_edit(src/corelib/kernel/qobject.h AFTER "    virtual ~QObjectData() = 0;\n" "${_qpool_operators}")
qpool_edit(src/corelib/kernel/qobject.h AFTER "    virtual ~QObject();\n" "${_qpool_operators}")
