# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Publishing must cost nothing: compares the instructions to create and delete an event and an object
# with QT_POOL_ALLOCATOR=1 and with =monitor. Subtracts a run with a number of them from a run with
# twice as many, so that the rest of the process cancels out.
#
#   cmake -DVALGRIND=... -DPROGRAM=... -P compare-instructions.cmake

include("${CMAKE_CURRENT_LIST_DIR}/../../shared/callgrind.cmake")

set(count 20000)

math(EXPR twice "2 * ${count}")
foreach(value 1 monitor)
    set(ENV{QT_POOL_ALLOCATOR} ${value})
    callgrind(once_cost "${PROGRAM}" ${count})
    callgrind(twice_cost "${PROGRAM}" ${twice})
    math(EXPR hundredths_${value} "(${twice_cost} - ${once_cost}) * 100 / ${count}")
    message("QT_POOL_ALLOCATOR=${value}: ${hundredths_${value}} hundredths of an instruction")
endforeach()

# The dynamic linker and the C library may differ by a few hundred instructions in total.
math(EXPR difference "${hundredths_monitor} - ${hundredths_1}")
if(difference GREATER 5 OR difference LESS -5)
    message(FATAL_ERROR "publishing costs ${difference} hundredths of an instruction")
endif()
