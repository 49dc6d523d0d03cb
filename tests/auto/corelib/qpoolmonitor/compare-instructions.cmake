# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Publishing must cost nothing: the instructions for an event and an object, created and deleted,
# with QT_POOL_ALLOCATOR=1 and with =monitor. Twice as many less once as many, so that what a
# process does besides cancels out.
#
#   cmake -DVALGRIND=... -DPROGRAM=... -P compare-instructions.cmake

set(count 20000)

function(instructions_of pairs value result)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env QT_POOL_ALLOCATOR=${value}
            "${VALGRIND}" --tool=callgrind --callgrind-out-file=/dev/null "${PROGRAM}" ${pairs}
        RESULT_VARIABLE code
        OUTPUT_QUIET
        ERROR_VARIABLE output)
    if(output MATCHES "qpool:")
        message(FATAL_ERROR "it did not publish: ${output}")
    endif()
    if(NOT code EQUAL 0 OR NOT output MATCHES "Collected : ([0-9]+)")
        message(FATAL_ERROR "callgrind ended with ${code}: ${output}")
    endif()
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
endfunction()

math(EXPR twice "2 * ${count}")
foreach(value 1 monitor)
    instructions_of(${count} ${value} once_cost)
    instructions_of(${twice} ${value} twice_cost)
    math(EXPR hundredths_${value} "(${twice_cost} - ${once_cost}) * 100 / ${count}")
    message("QT_POOL_ALLOCATOR=${value}: ${hundredths_${value}} hundredths of an instruction")
endforeach()

# The dynamic linker and the C library may differ by a few hundred in the whole.
math(EXPR difference "${hundredths_monitor} - ${hundredths_1}")
if(difference GREATER 5 OR difference LESS -5)
    message(FATAL_ERROR "publishing costs ${difference} hundredths of an instruction")
endif()
