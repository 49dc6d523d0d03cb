# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The slot objects that connect() and similar functions create. They count as private parts.
#
# Templates that are compiled into the caller create and free them, and the linker and the dynamic
# linker keep one copy of each for all callers. The code compiled with the pool is in an inline
# namespace, which sources need not name but which changes the symbols: it never shares a copy with code
# compiled without the pool.

qpool_concern(slots)
set(_qpool_slots src/corelib/kernel/qobjectdefs_impl.h)

qpool_edit(${_qpool_slots} BEFORE "QT_BEGIN_NAMESPACE\n" [[
#if QT_CONFIG(pool_allocator)
#  include <QtCore/qpoolslotoperators.h>
#endif

]])

set(_qpool_slots_begin [[
#if QT_CONFIG(pool_allocator)
    inline namespace PooledSlotObjects {
#endif
]])
set(_qpool_slots_end [[
#if QT_CONFIG(pool_allocator)
    } // namespace PooledSlotObjects
#endif
]])
set(_qpool_slot_operators [[
#if QT_CONFIG(pool_allocator)
        QT_DECLARE_POOL_SLOT_OPERATORS
#endif
]])

# Since 6.6 one template serves all callables.
qpool_find_in_source(${_qpool_slots} "class QCallableObject" _qpool_callable)
if(_qpool_callable)
    qpool_edit(${_qpool_slots}
        BEFORE "    // Implementation of QSlotObjectBase for which the slot is a callable"
        "${_qpool_slots_begin}")
    qpool_edit(${_qpool_slots} BEFORE "        explicit QCallableObject(Func &&f)"
        "${_qpool_slot_operators}")
    qpool_edit(${_qpool_slots}
        BEFORE "    // Helper to detect the context object type based on the functor type:\n"
        "${_qpool_slots_end}")
else()
    qpool_edit(${_qpool_slots}
        BEFORE "    // implementation of QSlotObjectBase for which the slot is a pointer to member"
        "${_qpool_slots_begin}")
    qpool_edit(${_qpool_slots} BEFORE "        explicit QSlotObject(Func f)"
        "${_qpool_slot_operators}")
    qpool_edit(${_qpool_slots} BEFORE "        explicit QFunctorSlotObject(Func f)"
        "${_qpool_slot_operators}")
    qpool_edit(${_qpool_slots}
        BEFORE "    // typedefs for readability for when there are no parameters\n"
        "${_qpool_slots_end}")

    set(_qpool_static_slots src/corelib/kernel/qobject_impl.h)
    qpool_edit(${_qpool_static_slots}
        BEFORE "    // implementation of QSlotObjectBase for which the slot is a static function\n"
        "${_qpool_slots_begin}")
    qpool_edit(${_qpool_static_slots} BEFORE "        explicit QStaticSlotObject(Func f)"
        "${_qpool_slot_operators}")
    qpool_edit(${_qpool_static_slots}
        AFTER "QStaticSlotObject(Func f) : QSlotObjectBase(&impl), function(f) {}\n    };\n"
        "${_qpool_slots_end}")
endif()
