# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Runs COMPILE, a command. If KIND is refused, it must fail and print MESSAGE for NUMBER types;
# otherwise it must succeed.

set(ENV{LC_ALL} C)
execute_process(COMMAND ${COMPILE} RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE errors)
string(REGEX MATCHALL "error: static[^\n]*${MESSAGE}" found "${errors}")
list(LENGTH found count)
if(KIND STREQUAL "refused")
    if(result EQUAL 0 OR NOT count EQUAL NUMBER)
        message(FATAL_ERROR "${count} instead of ${NUMBER} types were refused: ${errors}")
    endif()
elseif(NOT result EQUAL 0)
    message(FATAL_ERROR "not compiled: ${errors}")
endif()
