# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

include_guard(GLOBAL)

# Stops a script with one line for the user. ./qpool passes QPOOL_FAILURE_FILE and prints only
# that line; CMake's own report, with its call stack, stays in the log.
function(qpool_fail message)
    if(QPOOL_FAILURE_FILE)
        file(WRITE "${QPOOL_FAILURE_FILE}" "${message}\n")
    endif()
    message(FATAL_ERROR "${message}")
endfunction()
