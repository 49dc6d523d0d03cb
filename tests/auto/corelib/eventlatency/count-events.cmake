# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# How many instructions an event takes that is posted and delivered, with the recording off: twice as many
# less once as many, so that what a process does besides cancels out.
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
