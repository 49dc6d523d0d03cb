# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Counts the instructions of an allocation and its free: subtracts a run with a number of pairs from a
# run with twice as many, so that the rest of the process cancels out.
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
