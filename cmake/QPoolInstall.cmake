# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Installs what find_package(QPool) finds: the allocator's libraries and headers, without Qt. Included
# where the libraries are defined.
#
# Components, for cmake --install --component:
#   QPool_Runtime      what programs linked to libqpool.so need
#   QPool_Development  headers, the static library, the CMake package
#   QPool_Malloc       libqpool-malloc.so

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/QPool")
install(TARGETS ${libraries} EXPORT QPoolTargets
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT QPool_Runtime
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_Runtime
        NAMELINK_COMPONENT QPool_Development
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_Development)
install(EXPORT QPoolTargets NAMESPACE QPool:: DESTINATION ${package} COMPONENT QPool_Development)
# Exported separately, because a package with a missing file cannot be found at all.
if(TARGET QPoolMalloc)
    install(TARGETS QPoolMalloc EXPORT QPoolMallocTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT QPool_Malloc)
    install(EXPORT QPoolMallocTargets NAMESPACE QPool:: DESTINATION ${package}
        COMPONENT QPool_Malloc)
endif()

set(headers ${CMAKE_INSTALL_INCLUDEDIR}/qpool)
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/" DESTINATION ${headers}
    COMPONENT QPool_Development
    FILES_MATCHING PATTERN "*.h"
    # The malloc front is only for linking.
    PATTERN "adapters/malloc" EXCLUDE
    PATTERN "census" EXCLUDE)
qpool_forward_public_headers(. "${CMAKE_CURRENT_BINARY_DIR}/installed-include")
install(DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/installed-include/" DESTINATION ${headers}
    COMPONENT QPool_Development)
foreach(component Runtime Development Malloc)
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/LICENSES" DESTINATION ${CMAKE_INSTALL_DOCDIR}
        COMPONENT QPool_${component})
endforeach()

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/QPoolConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake" INSTALL_DESTINATION ${package})
# Below 1.0 a minor version may break compatibility.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    DESTINATION ${package} COMPONENT QPool_Development)
