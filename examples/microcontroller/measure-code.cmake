# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Measures how much of a program is the pool: everything that is linked except the board's own code,
# including what the pool needs of the compiler's and the C library. Fails if it is more than MOST
# bytes.
#   cmake -DNM=... -DPROGRAM=... -DMOST=... -P measure-code.cmake

execute_process(COMMAND "${NM}" --demangle --print-size --radix=d "${PROGRAM}"
    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
string(REPLACE ";" " " output "${output}")
string(REGEX MATCHALL "[^\n]+" lines "${output}")
set(bytes 0)
foreach(line IN LISTS lines)
    # Code and constants.
    if(line MATCHES "^[0-9]+ ([0-9]+) [TtWwRrVv] (.*)$")
        set(size "${CMAKE_MATCH_1}")
        set(name "${CMAKE_MATCH_2}")
        if(line MATCHES "^0*53[0-9]+ " OR name MATCHES "Board|anonymous namespace|^startBoard|^main$")
            continue() # data, which begins at 0x20000000, or the board's
        endif()
        math(EXPR bytes "${bytes} + ${size}")
    endif()
endforeach()
message("code and constants of the pool: ${bytes} bytes")
if(bytes EQUAL 0 OR bytes GREATER MOST)
    message(FATAL_ERROR "The limit is ${MOST} bytes. 0 bytes mean that no symbol of the pool was found.")
endif()
