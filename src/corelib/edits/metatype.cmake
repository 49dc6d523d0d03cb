# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# QMetaType::destroy() hands what QMetaType::create() made to the global operator delete. An
# object that came from a class's own operator new is the pool's, and goes there. How the operator
# is called differs between the versions; that the function begins does not. One that cannot be
# destructed stays as it is, as it does in Qt since 6.5.
qpool_edit(src/corelib/kernel/qmetatype.cpp AFTER "void QMetaType::destroy(void *data) const\n{\n" [[
#if QT_CONFIG(pool_allocator)
    if (d_ptr && qt_pool_allocator_owns(data)) {
        if (d_ptr->dtor) {
            destruct(data);
            qt_pool_allocator_release(data);
        }
        return;
    }
#endif
]])
