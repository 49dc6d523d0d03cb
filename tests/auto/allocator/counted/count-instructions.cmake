# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# How many instructions an allocation and its free take together: twice as many pairs less once as
# many, so that what a process does besides cancels out.
#
#   cmake -DVALGRIND=... -DPROGRAM=... -DWAY=... [-DCEILING=tenths] -P count-instructions.cmake

include("${CMAKE_CURRENT_LIST_DIR}/../../shared/callgrind.cmake")

set(count 100000)

math(EXPR twice "2 * ${count}")
callgrind(once_cost "${PROGRAM}" "${WAY}" ${count})
callgrind(twice_cost "${PROGRAM}" "${WAY}" ${twice})
math(EXPR tenths "(${twice_cost} - ${once_cost}) * 10 / ${count}")
math(EXPR whole "${tenths} / 10")
math(EXPR fraction "${tenths} % 10")
message("${WAY}: ${whole}.${fraction} instructions for an allocation and its free")

if(CEILING AND tenths GREATER CEILING)
    message(FATAL_ERROR "more than the ${CEILING} tenths that were recorded")
endif()
