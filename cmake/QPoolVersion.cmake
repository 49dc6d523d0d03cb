# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolFail.cmake)

# Sets <result> to the Qt version of a qtbase source tree.
function(qpool_source_version directory result)
    if(NOT IS_DIRECTORY "${directory}")
        qpool_fail("There is no folder ${directory}: give --source a qtbase checkout.")
    endif()
    if(NOT EXISTS "${directory}/.cmake.conf" OR NOT EXISTS "${directory}/src/corelib/CMakeLists.txt")
        qpool_fail("${directory} is not a qtbase checkout (it has no .cmake.conf or no src/corelib): give --source the qtbase folder of a Qt 6 source tree.")
    endif()
    file(STRINGS "${directory}/.cmake.conf" lines REGEX "^ *set\\(QT_REPO_MODULE_VERSION ")
    if(NOT lines MATCHES "\"(6\\.[0-9]+\\.[0-9]+)\"")
        qpool_fail("${directory}/.cmake.conf names no Qt 6 version: give --source the qtbase folder of a Qt 6 source tree.")
    endif()
    set(${result} "${CMAKE_MATCH_1}" PARENT_SCOPE)
endfunction()
