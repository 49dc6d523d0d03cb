# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Part of qtbase's configuration: QtNetwork and what belongs to it are built if a target needs them, but
# neither with all nor installed; RelocateInstallation.cmake removes the few files that name them all the
# same.
function(qpool_build_network_on_request)
    foreach(folder IN ITEMS src/network src/plugins)
        set_property(DIRECTORY "${CMAKE_SOURCE_DIR}/${folder}" PROPERTY EXCLUDE_FROM_ALL TRUE)
    endforeach()
endfunction()
cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL qpool_build_network_on_request)
