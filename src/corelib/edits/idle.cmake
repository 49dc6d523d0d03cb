# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A thread that is about to wait for events returns the blocks that it holds for others.

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
