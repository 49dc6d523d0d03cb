# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# What the libraries have in common.

# Provides <qpool/...>.
set(public_include_dir "${CMAKE_CURRENT_BINARY_DIR}/include")
qpool_forward_public_headers("${CMAKE_CURRENT_SOURCE_DIR}" "${public_include_dir}/qpool")
set(QPOOL_SOURCE_DIR "${CMAKE_CURRENT_SOURCE_DIR}" CACHE INTERNAL "")

# What the libraries need of the system, also where tests compile their sources themselves. On RISC-V,
# GCC before version 14 calls libatomic for atomics of one byte.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^riscv")
    set(QPOOL_ATOMIC_LIBRARY "-Wl,--push-state,--as-needed,-latomic,--pop-state" CACHE INTERNAL "")
endif()
set(QPOOL_SYSTEM_LIBRARIES ${CMAKE_DL_LIBS} $<$<PLATFORM_ID:Windows>:synchronization>
    ${QPOOL_ATOMIC_LIBRARY} CACHE INTERNAL "")

# All code that links the libraries must use the same value, or it does not link.
set(QPOOL_HARDENED "" CACHE STRING
    "Level of hardening, 0 to 2: see SECURITY.md; empty: 1 in debug builds, else 0")
set_property(CACHE QPOOL_HARDENED PROPERTY STRINGS "" 0 1 2)
if(QPOOL_HARDENED MATCHES "^[012]$")
    set(hardened ${QPOOL_HARDENED})
    set(installed_hardened ${QPOOL_HARDENED})
elseif(QPOOL_HARDENED)
    # ON and other words for true mean level 1.
    set(hardened 1)
    set(installed_hardened 1)
else()
    set(hardened "$<IF:$<CONFIG:Debug>,1,0>")
    set(installed_hardened 0)
    if(CMAKE_BUILD_TYPE STREQUAL "Debug")
        set(installed_hardened 1)
    endif()
endif()

# qpool_add_library(<target> STATIC|SHARED <name> <sources>...)
#
# QPool::<name>, which provides the public headers.
function(qpool_add_library target kind name)
    add_library(${target} ${kind} ${ARGN})
    add_library(QPool::${name} ALIAS ${target})
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
    target_compile_features(${target} PUBLIC cxx_std_17)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${public_include_dir}>
        $<BUILD_INTERFACE:${QPOOL_SOURCE_DIR}/allocator> $<BUILD_INTERFACE:${QPOOL_SOURCE_DIR}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/qpool/allocator>)
    target_link_libraries(${target} PUBLIC Threads::Threads ${QPOOL_SYSTEM_LIBRARIES})
    target_compile_options(${target} PRIVATE
        $<$<CXX_COMPILER_ID:GNU,Clang,AppleClang>:-Wall -Wextra -Wpedantic>)
    target_compile_definitions(${target} PUBLIC
        $<BUILD_INTERFACE:QPOOL_HARDENED=${hardened}>
        $<INSTALL_INTERFACE:QPOOL_HARDENED=${installed_hardened}>)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        # A program's pools must be visible to the libraries it loads, which contain the same pools:
        # what is in the namespace of qpoolglobal.h, whose name has two digits of characters.
        # Thread-exit handlers are instantiated from the pools' templates in every user's binary,
        # and must survive a dlclose().
        set(type "$<TARGET_PROPERTY:TYPE>")
        target_link_options(${target} INTERFACE
            "$<$<STREQUAL:${type},EXECUTABLE>:LINKER:--export-dynamic-symbol=_ZN5QPool??v*>"
            "$<$<STREQUAL:${type},EXECUTABLE>:LINKER:--export-dynamic-symbol=_ZGVN5QPool??v*>"
            "$<$<STREQUAL:${type},EXECUTABLE>:LINKER:--export-dynamic-symbol=_ZZN5QPool??v*>"
            "$<$<OR:$<STREQUAL:${type},SHARED_LIBRARY>,$<STREQUAL:${type},MODULE_LIBRARY>>:LINKER:-z,nodelete>")
    endif()
endfunction()

# qpool_sources(<variable> <file>...): the files of the current folder, with their full paths.
macro(qpool_sources variable)
    set(_files ${ARGN})
    list(TRANSFORM _files PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
    set(${variable} ${_files} PARENT_SCOPE)
    set(${variable} ${_files})
endmacro()
