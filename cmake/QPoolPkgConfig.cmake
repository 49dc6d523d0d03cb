# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# pkg-config's file of each library, with what its CMake target passes on to programs. It knows its own place,
# so the installation can be moved. Included by QPoolInstall.cmake.

# What every program and library needs that contains pools: see qpool_add_library(). A program exports all of
# its symbols here, because pkg-config quotes the wildcards of that function's list in a way that shells keep.
set(exported -pthread)
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    string(APPEND exported " -Wl,--export-dynamic -Wl,-z,nodelete")
endif()
set(system "")
foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND system " -l${library}")
endforeach()
set(headers "-I\${includedir} -I\${includedir}/qpool/allocator -DQPOOL_HARDENED=${installed_hardened}")

# qpool_add_pkgconfig(<name> <component> <target> DESCRIPTION <text> [REQUIRES <name>] [CFLAGS <flags>]
#     [LIBS <flags>] [PRIVATE <flags>])
function(qpool_add_pkgconfig name component target)
    if(NOT TARGET ${target})
        return()
    endif()
    cmake_parse_arguments(PARSE_ARGV 3 arg "" "DESCRIPTION;REQUIRES;CFLAGS;LIBS;PRIVATE" "")
    set(description "${arg_DESCRIPTION}")
    set(requires "${arg_REQUIRES}")
    set(cflags "${arg_CFLAGS}")
    set(libs "${arg_LIBS}")
    set(private "${arg_PRIVATE}")
    set(folder "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
    string(REGEX REPLACE "[^/]+" ".." up "${folder}")
    configure_file("${CMAKE_CURRENT_FUNCTION_LIST_DIR}/qpool.pc.in"
        "${CMAKE_CURRENT_BINARY_DIR}/pkgconfig/${name}.pc" @ONLY)
    install(FILES "${CMAKE_CURRENT_BINARY_DIR}/pkgconfig/${name}.pc" DESTINATION ${folder}
        COMPONENT QPool_${component})
endfunction()

qpool_add_pkgconfig(qpool-allocator Development QPoolAllocator
    DESCRIPTION "Pool allocators, to link statically"
    CFLAGS "${headers} -DQPOOL_LINKS_ALLOCATOR"
    LIBS "-lQPoolAllocator${system} ${exported}")
qpool_add_pkgconfig(qpool-pools Pools QPoolPools
    DESCRIPTION "Classes for C++ programs, built on pool allocators, to link statically"
    REQUIRES qpool-allocator CFLAGS -DQPOOL_LINKS_POOLS LIBS -lQPoolPools)
qpool_add_pkgconfig(qpool-sharedmemory SharedMemory QPoolSharedMemory
    DESCRIPTION "Memory that several processes allocate from, to link statically"
    REQUIRES qpool-allocator CFLAGS -DQPOOL_LINKS_SHARED_MEMORY LIBS -lQPoolSharedMemory)
qpool_add_pkgconfig(qpool Development QPoolShared
    DESCRIPTION "Pool allocators and what is built on them, as one shared library"
    CFLAGS "${headers} -DQPOOL_SHARED -DQPOOL_LINKS_POOLS -DQPOOL_LINKS_SHARED_MEMORY"
    LIBS "-lqpool ${exported}" PRIVATE "${system}")
qpool_add_pkgconfig(qpool-malloc ${malloc_development} QPoolMalloc
    DESCRIPTION "All of a program's malloc() from a pool"
    LIBS "-Wl,--push-state,--no-as-needed -lqpool-malloc -Wl,--pop-state")
