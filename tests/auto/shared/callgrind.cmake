# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# callgrind(RESULT PROGRAM ARGUMENTS...): counts the instructions of a program. VALGRIND must be set.
function(callgrind result)
    execute_process(
        COMMAND "${VALGRIND}" --tool=callgrind --callgrind-out-file=/dev/null ${ARGN}
        RESULT_VARIABLE code
        OUTPUT_QUIET
        ERROR_VARIABLE output)
    if(output MATCHES "qpool:")
        message(FATAL_ERROR "it complains: ${output}")
    endif()
    if(NOT code EQUAL 0 OR NOT output MATCHES "Collected : ([0-9]+)")
        message(FATAL_ERROR "callgrind ended with ${code}: ${output}")
    endif()
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()
