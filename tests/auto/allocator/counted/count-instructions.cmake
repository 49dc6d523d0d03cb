# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# How many instructions an allocation and its free take together: twice as many pairs less once as
# many, so that what a process does besides cancels out.
#
#   cmake -DVALGRIND=... -DPROGRAM=... -DWAY=... [-DCEILING=tenths] -P count-instructions.cmake

set(count 100000)

function(instructions_of pairs result)
    execute_process(
        COMMAND "${VALGRIND}" --tool=callgrind --callgrind-out-file=/dev/null
            "${PROGRAM}" "${WAY}" ${pairs}
        RESULT_VARIABLE code
        OUTPUT_QUIET
        ERROR_VARIABLE output)
    if(NOT code EQUAL 0 OR NOT output MATCHES "Collected : ([0-9]+)")
        message(FATAL_ERROR "callgrind ended with ${code}: ${output}")
    endif()
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

math(EXPR twice "2 * ${count}")
instructions_of(${count} once_cost)
instructions_of(${twice} twice_cost)
math(EXPR tenths "(${twice_cost} - ${once_cost}) * 10 / ${count}")
math(EXPR whole "${tenths} / 10")
math(EXPR fraction "${tenths} % 10")
message("${WAY}: ${whole}.${fraction} instructions for an allocation and its free")

if(CEILING AND tenths GREATER CEILING)
    message(FATAL_ERROR "more than the ${CEILING} tenths that were recorded")
endif()
