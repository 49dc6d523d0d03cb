# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A thread about to wait for events hands back what it holds for others. The call joins the
# statement that follows it by a comma, so that the `if` in front of it needs no braces and
# the code without the flag stays Qt's to the letter.

qpool_concern(idle)
foreach(dispatcher IN ITEMS unix glib)
    qpool_edit(src/corelib/kernel/qeventdispatcher_${dispatcher}.cpp
        BEFORE "        emit aboutToBlock();\n" [[
#if QT_CONFIG(pool_allocator)
        qt_pool_allocator_idle(),
#endif
]])
endforeach()
