# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Warnings for all targets of this project, and the requested sanitizer.

include_guard(GLOBAL)

if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
    add_compile_options(-Wall -Wextra)
endif()

# Valgrind 3.19, the version of Debian 12, cannot read Clang's DWARF 5.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options(-fdebug-default-version=4) # -gdwarf-4 would undo -g1
endif()

option(QPOOL_LIBCXX "Use Clang's standard library" OFF)
if(QPOOL_LIBCXX)
    add_compile_options(-stdlib=libc++)
    # On Debian 12 the headers have version 22, but the shared library has version 19 and lacks
    # functions that they call. The static library matches the headers.
    add_link_options(-stdlib=libc++ -static-libstdc++ -Wno-unused-command-line-argument)
endif()

if(CMAKE_HOST_UNIX AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/compiler-launcher")
endif()

if(QPOOL_SANITIZE)
    if(NOT QPOOL_SANITIZE MATCHES "^(thread|address|undefined)$")
        message(FATAL_ERROR "QPOOL_SANITIZE is ${QPOOL_SANITIZE}; it can be thread, address or undefined.")
    endif()
    add_compile_options(-fsanitize=${QPOOL_SANITIZE} -fno-omit-frame-pointer -g1)
    add_link_options(-fsanitize=${QPOOL_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT QPOOL_SANITIZE STREQUAL "undefined")
        # GCC defines these itself: the tests do less under sanitizers, and leave out what sanitizers
        # refuse.
        string(TOUPPER "__SANITIZE_${QPOOL_SANITIZE}__" macro)
        add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-U${macro}> $<$<COMPILE_LANGUAGE:CXX>:-D${macro}=1>)
    endif()
    if(QPOOL_SANITIZE STREQUAL "undefined")
        # Otherwise an error is only printed, and the test passes.
        add_compile_options(-fno-sanitize-recover=all)
    endif()
endif()
