# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# How every QtCore of QPool's is configured, given to CMake with -C before Qt's own files are
# read: the same for the pooled one, the one with the flag off and the untouched one, so that
# nothing but the flag differs.

function(qt_option name value)
    set(${name} "${value}" CACHE STRING "Set by QPool" FORCE)
endfunction()

qt_option(CMAKE_BUILD_TYPE Release)
qt_option(QT_BUILD_TESTS OFF)
qt_option(QT_BUILD_EXAMPLES OFF)

# A precompiled header saves a third of a build from nothing, but keeps ccache from knowing
# again in one folder what was compiled in another; who has ccache is better off without.
find_program(QPOOL_CCACHE ccache)
if(QPOOL_CCACHE)
    qt_option(BUILD_WITH_PCH OFF)
    qt_option(CMAKE_C_COMPILER_LAUNCHER "${QPOOL_CCACHE}")
    qt_option(CMAKE_CXX_COMPILER_LAUNCHER "${QPOOL_CCACHE}")
else()
    qt_option(BUILD_WITH_PCH ON)
endif()

# What the distribution's QtCore has, this one must have, or programs lose something.
foreach(feature IN ITEMS glib icu pcre2 system_pcre2 system_zlib
                         doubleconversion system_doubleconversion zstd system_libb2)
    qt_option(FEATURE_${feature} ON)
endforeach()
foreach(feature IN ITEMS mimetype_database journald syslog lttng)
    qt_option(FEATURE_${feature} OFF)
endforeach()

# QPOOL_FULL, given before -C: all of qtbase, a Qt of its own. Else QtCore alone, in the place of the
# distribution's.
if(QPOOL_FULL)
    include(${CMAKE_CURRENT_LIST_DIR}/QtFullOptions.cmake)
else()
    include(${CMAKE_CURRENT_LIST_DIR}/QtDropInOptions.cmake)
endif()
