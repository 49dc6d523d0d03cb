# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Qt's dispatcher for UNIX decides that it may sleep, emits aboutToBlock() and polls. A loop that a slot
# runs meanwhile may consume the wake-up for an event that it does not deliver: the outer loop then
# sleeps although the event waits, until something else wakes it. The edit asks once more whether it may,
# if there was such a loop: it has set d->interrupt, which is 0 here, to 0 again. A call of interrupt() sets it
# to 1, and is never overwritten.
qpool_concern(nestedloops)
set(_qpool_emission "    if (canWait)\n        emit aboutToBlock();\n")
qpool_edit(src/corelib/kernel/qeventdispatcher_unix.cpp BEFORE "${_qpool_emission}" [[
#if QT_CONFIG(nested_loop_wakeup)
    constexpr int NoInnerLoop = -1;
    if (canWait)
        d->interrupt.testAndSetRelaxed(0, NoInnerLoop);
#endif
]])
qpool_edit(src/corelib/kernel/qeventdispatcher_unix.cpp AFTER "${_qpool_emission}" [[
#if QT_CONFIG(nested_loop_wakeup)
    if (canWait && !d->interrupt.testAndSetRelaxed(NoInnerLoop, 0) && !threadData->canWaitLocked())
        wakeUp();
#endif
]])
