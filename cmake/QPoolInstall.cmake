# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# What find_package(QPool) finds: the allocator's libraries and headers, without Qt. Included where
# the libraries are defined.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/QPool")
install(TARGETS ${libraries} EXPORT QPoolTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/"
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/qpool FILES_MATCHING PATTERN "*.h"
    # The malloc front is for linking alone.
    PATTERN "adapters/malloc" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/LICENSES" DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(EXPORT QPoolTargets NAMESPACE QPool:: DESTINATION ${package})

configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/QPoolConfig.cmake.in"
    "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake" INSTALL_DESTINATION ${package})
# Below 1.0 a minor version may break what was there.
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfig.cmake"
        "${CMAKE_CURRENT_BINARY_DIR}/QPoolConfigVersion.cmake"
    DESTINATION ${package})
