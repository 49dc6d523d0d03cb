# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The patches that ./qpool patches writes, in the order in which they apply: a concern's new files, or its
# edits of Qt's own files, which compile them. QtCore builds and passes its tests after each patch. The
# messages are in messages/<concern>-<kind>.txt.

include(${CMAKE_CURRENT_LIST_DIR}/tests.cmake)

set(qpool_series
    allocator-files
    feature-edits
    operators-files
    modules-files
    operators-edits
    loading-edits
    statistics-files
    statistics-edits
    idle-files
    idle-edits
    slots-edits
    futures-edits
    fastpaths-edits
    plainobjects-files
    plainobjects-edits
    wakeups-files
    wakeups-edits
    nestedloops-edits
    queue-files
    latency-files
    latency-edits
    tests-files
    tests-edits
)

# The features, and the concerns of each: ./qpool patches --only FEATURE writes the patches of one. From other
# concerns it takes the files that those of the feature include.
set(qpool_features economical-wakeup nested-loop-wakeup object-fast-paths event-latency pool-allocator)
set(qpool_concerns_of_economical-wakeup wakeups)
set(qpool_concerns_of_nested-loop-wakeup nestedloops)
set(qpool_concerns_of_object-fast-paths plainobjects)
set(qpool_concerns_of_event-latency queue latency)
set(qpool_concerns_of_pool-allocator
    allocator feature operators modules loading statistics idle slots futures fastpaths)
