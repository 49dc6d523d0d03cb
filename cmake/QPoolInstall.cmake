# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Installs what find_package(QPool) finds: the libraries without Qt and their headers. Included where the
# libraries are defined.
#
# Components, for cmake --install --component:
#   QPool_Runtime       what programs linked to libqpool.so need
#   QPool_Development   the allocator's headers and static library, the CMake package
#   QPool_Pools         the same of the classes for C++ programs
#   QPool_SharedMemory  the same of shared memory
#   QPool_Malloc        libqpool-malloc.so
#
# In distributions' packages (QPOOL_PACKAGES) what the linker needs of the malloc front is in
# QPool_Development, and the licences are where the distribution expects them.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/QPool")
set(libraries QPoolAllocator)
if(TARGET QPoolShared)
    list(APPEND libraries QPoolShared)
endif()
install(TARGETS ${libraries} EXPORT QPoolTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT QPool_Runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_Runtime
        NAMELINK_COMPONENT QPool_Development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_Development)
install(EXPORT QPoolTargets NAMESPACE QPool:: DESTINATION ${package} COMPONENT QPool_Development)
set(malloc_development Malloc)
if(QPOOL_PACKAGES)
    set(malloc_development Development)
endif()
# Exported separately, because a package with a missing file cannot be found at all.
foreach(name Malloc Pools SharedMemory)
    if(TARGET QPool${name})
        set(development ${name})
        if(name STREQUAL "Malloc")
            set(development ${malloc_development})
        endif()
        install(TARGETS QPool${name} EXPORT QPool${name}Targets
            LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_${name}
                NAMELINK_COMPONENT QPool_${development}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_${name})
        install(EXPORT QPool${name}Targets NAMESPACE QPool:: DESTINATION ${package}
            COMPONENT QPool_${development})
    endif()
endforeach()
include(QPoolPkgConfig)

# qpool_install_headers(<library> <component>): its folder, and <qpool/NAME.h> for its public headers.
function(qpool_install_headers library component)
    if(NOT IS_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${library}")
        return()
    endif()
    set(headers ${CMAKE_INSTALL_INCLUDEDIR}/qpool)
    install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/${library}" DESTINATION ${headers}
        COMPONENT QPool_${component}
        FILES_MATCHING PATTERN "*.h"
        # The malloc front is only for linking.
        PATTERN "allocator/malloc" EXCLUDE
        PATTERN "census" EXCLUDE)
    set(forwarding "${CMAKE_CURRENT_BINARY_DIR}/installed-include/${library}")
    qpool_forward_public_headers(. "${forwarding}" ${library})
    install(DIRECTORY "${forwarding}/" DESTINATION ${headers} COMPONENT QPool_${component})
endfunction()
qpool_install_headers(allocator Development)
qpool_install_headers(pools Pools)
qpool_install_headers(sharedmemory SharedMemory)
if(NOT QPOOL_PACKAGES)
    foreach(component Runtime Development Malloc Pools SharedMemory)
        install(DIRECTORY "${PROJECT_SOURCE_DIR}/LICENSES" DESTINATION ${CMAKE_INSTALL_DOCDIR}
            COMPONENT QPool_${component})
    endforeach()
endif()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/QPoolConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake" INSTALL_DESTINATION ${package})
# Below 1.0 a minor version may break compatibility.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    DESTINATION ${package} COMPONENT QPool_Development)
