# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Qt's dispatcher for UNIX decides that it may sleep, emits aboutToBlock() and polls. A loop that a slot
# runs meanwhile may consume the wake-up for an event that it does not deliver: the outer loop then
# sleeps although the event waits, until something else wakes it. The edit checks once more.
qpool_concern(nestedloops)
qpool_edit(src/corelib/kernel/qeventdispatcher_unix.cpp AFTER "        emit aboutToBlock();\n" [[
#if QT_CONFIG(nested_loop_wakeup)
    if (canWait && !threadData->canWaitLocked())
        wakeUp();
#endif
]])
