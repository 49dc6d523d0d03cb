# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# QMetaType::destroy() passes the result of QMetaType::create() to the global operator delete. An object
# that a class's own operator new allocated belongs to the pool and returns there. The versions call the
# global operator differently, but the function begins in the same way. Since 6.5 Qt ignores types that cannot
# be destructed; before, it frees their objects, too. A type that need not be destructed, such as int,
# has no destructor to call.
qpool_concern(operators)
set(_qpool_metatype src/corelib/kernel/qmetatype.cpp)
qpool_find_in_source(${_qpool_metatype} "if (data && isDestructible())" _qpool_asks)
if(_qpool_asks)
    set(_qpool_condition "isDestructible() && qt_pool_allocator_owns(data)")
else()
    set(_qpool_condition "d_ptr && qt_pool_allocator_owns(data)")
endif()
qpool_edit(${_qpool_metatype} AFTER "void QMetaType::destroy(void *data) const\n{\n" "\
#if QT_CONFIG(pool_allocator)
    if (${_qpool_condition}) {
        destruct(data);
        qt_pool_allocator_release(data);
        return;
    }
#endif
")
