# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# QMetaType::destroy() hands what QMetaType::create() made to the global operator delete. An
# object that came from a class's own operator new is the pool's, and goes there.

foreach(call IN ITEMS "operator delete(data)" "operator delete(data, std::align_val_t(")
    qpool_edit(src/corelib/kernel/qmetatype.cpp BEFORE "            ${call}" [[
#if QT_CONFIG(pool_allocator)
            if (!qt_pool_allocator_release(data))
#endif
]])
endforeach()
