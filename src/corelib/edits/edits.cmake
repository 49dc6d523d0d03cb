# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The fork's changes to qtbase. cmake/QPoolEdits.cmake contains the engine and its rules. Each edit and
# each new file belongs to a concern; series/series.cmake lists the order of their patches.

include(${CMAKE_CURRENT_LIST_DIR}/feature.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/operators.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/slots.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/idle.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/metatype.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/fastpaths.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/plainobjects.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/loading.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/wakeups.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/nestedloops.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/latency.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/build.cmake)
