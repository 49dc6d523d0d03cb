# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The build flags, declared as Qt declares its own: one for each concern, off by default and independent
# of the others. The flags of the wake-ups and of the latency are private, because no header that
# programs include depends on them.

# Each call names a concern. Texts inserted before an anchor appear in the order of the edits; texts
# inserted after an anchor appear in reverse order.
function(_qpool_feature concern text)
    qpool_concern(${concern})
    qpool_edit(src/corelib/configure.cmake
        BEFORE [[qt_feature("cborstreamreader" PUBLIC
]] "${text}")
endfunction()

function(_qpool_summary concern feature)
    qpool_concern(${concern})
    qpool_edit(src/corelib/configure.cmake
        AFTER [[qt_configure_add_summary_entry(ARGS "mimetype-database")
]] "qt_configure_add_summary_entry(ARGS \"${feature}\")\n")
endfunction()

function(_qpool_bootstrapped concern feature)
    qpool_concern(${concern})
    qpool_edit(src/corelib/global/qconfig-bootstrapped.h
        BEFORE [[#define QT_FEATURE_process -1
]] "#define QT_FEATURE_${feature} -1\n")
endfunction()

_qpool_feature(feature [[
qt_feature("pool-allocator" PUBLIC
    SECTION "Kernel"
    LABEL "Pool allocator for events and objects"
    PURPOSE "Allocates QEvent, QObject and QObjectPrivate, and what derives from them, from size-class pools."
    AUTODETECT OFF
    CONDITION QT_FEATURE_thread
)
]])
_qpool_feature(plainobjects [[
qt_feature("object-fast-paths" PUBLIC
    SECTION "Kernel"
    LABEL "Short ways to make and destroy plain objects"
    PURPOSE "Constructs and destroys objects without parent, connections, children and bindings in fewer steps."
    AUTODETECT OFF
    CONDITION QT_FEATURE_thread
)
]])
_qpool_feature(wakeups [[
qt_feature("economical-wakeup" PRIVATE
    SECTION "Kernel"
    LABEL "Economical wake-ups of event loops"
    PURPOSE "Signals an event loop that is to wake up only when it sleeps, not for every posted event."
    AUTODETECT OFF
)
]])
_qpool_feature(nestedloops [[
qt_feature("nested-loop-wakeup" PRIVATE
    SECTION "Kernel"
    LABEL "Events behind a loop within aboutToBlock()"
    PURPOSE "Keeps the UNIX event dispatcher from sleeping over events that a loop in a slot of aboutToBlock() left."
    AUTODETECT OFF
)
]])
_qpool_feature(latency [[
qt_feature("event-latency" PRIVATE
    SECTION "Kernel"
    LABEL "Recording of how long posted events wait"
    PURPOSE "Tells, for a process that asks for it, how long posted events wait and how long their handlers run."
    AUTODETECT OFF
    CONDITION UNIX AND QT_FEATURE_thread
)
]])

_qpool_summary(latency event-latency)
_qpool_summary(nestedloops nested-loop-wakeup)
_qpool_summary(wakeups economical-wakeup)
_qpool_summary(plainobjects object-fast-paths)
_qpool_summary(feature pool-allocator)

# moc and rcc are built before the features are known, with all of them off.
_qpool_bootstrapped(wakeups economical_wakeup)
_qpool_bootstrapped(nestedloops nested_loop_wakeup)
_qpool_bootstrapped(latency event_latency)
_qpool_bootstrapped(plainobjects object_fast_paths)
_qpool_bootstrapped(feature pool_allocator)
