# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The configuration of every QtCore that QPool builds, given to CMake with -C before Qt's own files are
# read. It is the same for the pooled one, the one with the flag off and the untouched one, so that
# nothing but the flag differs.

function(qt_option name value)
    set(${name} "${value}" CACHE STRING "Set by QPool" FORCE)
endfunction()

qt_option(CMAKE_BUILD_TYPE Release)
qt_option(QT_BUILD_TESTS OFF)
qt_option(QT_BUILD_EXAMPLES OFF)
# From 6.8 on. It lists also what is not built or not installed, and then the installation fails.
qt_option(QT_GENERATE_SBOM OFF)

# Uses Qt's precompiled headers on every machine, because they halve the time that QtCore takes to
# compile. QPool's files therefore see Qt's macros and all that the header includes; the tests compile
# each file by itself.
qt_option(BUILD_WITH_PCH ON)
foreach(language IN ITEMS C CXX)
    qt_option(CMAKE_${language}_COMPILER_LAUNCHER "${CMAKE_CURRENT_LIST_DIR}/compiler-launcher")
endforeach()

# This QtCore must have what the distribution's has, or programs lose something.
foreach(feature IN ITEMS glib icu pcre2 system_pcre2 system_zlib
                         doubleconversion system_doubleconversion zstd system_libb2)
    qt_option(FEATURE_${feature} ON)
endforeach()
# No feature depends on what Qt finds on the machine: libudev is for input devices without a desktop.
foreach(feature IN ITEMS mimetype_database journald syslog lttng libudev intelcet
                         use_bfd_linker use_gold_linker_alias use_gold_linker use_lld_linker)
    qt_option(FEATURE_${feature} OFF)
endforeach()

if(DEFINED QPOOL_VARIANT)
    include(${CMAKE_CURRENT_LIST_DIR}/QtVariantOptions.cmake)
endif()

# The variants "full" and "full-off" are all of qtbase, as a separate Qt. Any other is QtCore alone, as a
# replacement for the distribution's.
if(QPOOL_VARIANT MATCHES "^full")
    include(${CMAKE_CURRENT_LIST_DIR}/QtFullOptions.cmake)
else()
    include(${CMAKE_CURRENT_LIST_DIR}/QtDropInOptions.cmake)
endif()
