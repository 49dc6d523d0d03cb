# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Counts the instructions of a posted and delivered event with the recording off: subtracts a run with a
# number of events from a run with twice as many, so that the rest of the process cancels out.
#
#   cmake -DVALGRIND=... -DPROGRAM=... [-DCEILING=tenths] -P count-events.cmake

include("${CMAKE_CURRENT_LIST_DIR}/../../shared/callgrind.cmake")

set(count 20000)
set(ENV{QT_POOL_ALLOCATOR} 1)

math(EXPR twice "2 * ${count}")
callgrind(once_cost "${PROGRAM}" ${count})
callgrind(twice_cost "${PROGRAM}" ${twice})
math(EXPR tenths "(${twice_cost} - ${once_cost}) * 10 / ${count}")
math(EXPR whole "${tenths} / 10")
math(EXPR fraction "${tenths} % 10")
message("${whole}.${fraction} instructions for an event")

if(CEILING AND tenths GREATER CEILING)
    message(FATAL_ERROR "more than the ${CEILING} tenths that were recorded")
endif()
