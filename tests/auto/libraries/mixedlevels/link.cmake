# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Links each object that the file OBJECTS lists with a program of another level or cache line, which must
# fail and name the namespace of the object.

include("${OBJECTS}")
set(program "${CMAKE_CURRENT_BINARY_DIR}/mixed")

# link(<objects and libraries>...): sets result and errors.
macro(link)
    execute_process(COMMAND ${linker} ${ARGN} ${libraries} -o "${program}"
        RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
endmacro()

# The positive control: what must not link with another level does with its own.
link(${main2} ${level2} ${library2})
if(NOT result EQUAL 0)
    message(FATAL_ERROR "objects of one level do not link: ${errors}")
endif()

function(expect_refused name namespace)
    foreach(object IN LISTS ${name})
        link(${object} ${main1} ${library1})
        if(result EQUAL 0)
            message(SEND_ERROR "linked: ${object}")
        elseif(NOT errors MATCHES "undefined (reference|symbol)[^\n]*QPool::${namespace}::")
            message(SEND_ERROR "not refused by a name: ${errors}")
        endif()
    endforeach()
    list(LENGTH ${name} count)
    message("${count} objects of ${namespace} refused")
endfunction()
expect_refused(level2 v1_hardened2_line64)
expect_refused(line128 v1_hardened1_line128)
