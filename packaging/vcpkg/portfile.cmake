# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The libraries without Qt, for vcpkg. In the repository: vcpkg install qpool --overlay-ports=packaging/vcpkg. The port
# builds the tree that it is part of; a registry's port has vcpkg_from_git() with a release in its place.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DQPOOL_BUILD_TESTS=OFF -DQPOOL_BUILD_EXAMPLES=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME QPool CONFIG_PATH lib/cmake/QPool)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
    "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSES/LGPL-3.0-only.txt"
    "${SOURCE_PATH}/LICENSES/GPL-2.0-only.txt" "${SOURCE_PATH}/LICENSES/GPL-3.0-only.txt")
