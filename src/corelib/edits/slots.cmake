# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The slot objects that connect() and its like make. They count as private parts.
#
# They are made and freed by code that is compiled into whoever connects: templates, of which the
# linker and the dynamic linker keep one copy for all that have them. So that none compiled without
# the pool is ever among these, what is compiled with it is in a namespace of its own, which
# nobody sees in the source: the symbols have other names.

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

# Since 6.6 there is one template for all that can be called.
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
