# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Which tests are left out for another processor or system, and why. No test is left out silently:
# left-out.txt in the build folder has a line for each, and ctest shows a test that is built but not run
# as disabled.

include_guard(GLOBAL)

set(QPOOL_LEFT_OUT_FILE "${CMAKE_BINARY_DIR}/left-out.txt")
file(REMOVE "${QPOOL_LEFT_OUT_FILE}")

function(qpool_leave_out what reason)
    message(STATUS "Left out: ${what}: ${reason}")
    file(APPEND "${QPOOL_LEFT_OUT_FILE}" "${what}: ${reason}\n")
endfunction()

# qpool_leave_out_tests(<regex of QPOOL_ARCH> [UNCOMPILABLE] REASON <reason> TESTS <names>)
function(qpool_leave_out_tests archs)
    cmake_parse_arguments(PARSE_ARGV 1 arg "UNCOMPILABLE" "REASON" "TESTS")
    if(NOT QPOOL_ARCH MATCHES "^(${archs})$")
        return()
    endif()
    foreach(name IN LISTS arg_TESTS)
        set_property(GLOBAL PROPERTY QPOOL_LEFT_OUT_${name} "${arg_REASON}")
        set_property(GLOBAL PROPERTY QPOOL_UNCOMPILABLE_${name} "${arg_UNCOMPILABLE}")
    endforeach()
endfunction()

# Whether a test cannot even be compiled; if so, the reason is reported.
function(qpool_is_uncompilable name variable)
    get_property(uncompilable GLOBAL PROPERTY QPOOL_UNCOMPILABLE_${name})
    if(uncompilable)
        get_property(reason GLOBAL PROPERTY QPOOL_LEFT_OUT_${name})
        qpool_leave_out("${name}" "${reason}")
    endif()
    set(${variable} "${uncompilable}" PARENT_SCOPE)
endfunction()

function(qpool_disable_left_out name)
    get_property(reason GLOBAL PROPERTY QPOOL_LEFT_OUT_${name})
    if(reason)
        qpool_leave_out("${name}" "${reason}")
        set_tests_properties(${name} PROPERTIES DISABLED TRUE)
    endif()
endfunction()
