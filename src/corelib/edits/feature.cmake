# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The build flags, declared the way Qt declares its own: one for each concern, each off by default, and
# none needs another. Those of the wake-ups are private: no header that programs include depends on
# them.

qpool_edit(src/corelib/configure.cmake
    BEFORE [[qt_feature("cborstreamreader" PUBLIC
]] [[
qt_feature("pool-allocator" PUBLIC
    SECTION "Kernel"
    LABEL "Pool allocator for events and objects"
    PURPOSE "Allocates QEvent, QObject and QObjectPrivate, and what derives from them, from size-class pools."
    AUTODETECT OFF
    CONDITION QT_FEATURE_thread
)
qt_feature("object-fast-paths" PUBLIC
    SECTION "Kernel"
    LABEL "Short ways to make and destroy plain objects"
    PURPOSE "Constructs and destroys objects without parent, connections, children and bindings in fewer steps."
    AUTODETECT OFF
)
qt_feature("economical-wakeup" PRIVATE
    SECTION "Kernel"
    LABEL "Economical wake-ups of event loops"
    PURPOSE "Signals an event loop that is to wake up only when it sleeps, not for every posted event."
    AUTODETECT OFF
)
qt_feature("nested-loop-wakeup" PRIVATE
    SECTION "Kernel"
    LABEL "Events behind a loop within aboutToBlock()"
    PURPOSE "Keeps the UNIX event dispatcher from sleeping over events that a loop in a slot of aboutToBlock() left."
    AUTODETECT OFF
)
]])

qpool_edit(src/corelib/configure.cmake
    AFTER [[qt_configure_add_summary_entry(ARGS "mimetype-database")
]] [[
qt_configure_add_summary_entry(ARGS "pool-allocator")
qt_configure_add_summary_entry(ARGS "object-fast-paths")
qt_configure_add_summary_entry(ARGS "economical-wakeup")
qt_configure_add_summary_entry(ARGS "nested-loop-wakeup")
]])

# moc and rcc are built before the features are known, and have none of them.
qpool_edit(src/corelib/global/qconfig-bootstrapped.h
    BEFORE [[#define QT_FEATURE_process -1
]] [[
#define QT_FEATURE_economical_wakeup -1
#define QT_FEATURE_nested_loop_wakeup -1
#define QT_FEATURE_object_fast_paths -1
#define QT_FEATURE_pool_allocator -1
]])
