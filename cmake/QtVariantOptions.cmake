# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The builds of the edited source, by name: what each is called, and which of the fork's features it has.
# Included by QtOptions.cmake, with QPOOL_VARIANT given before -C. As a script it prints what the build is
# called, and fails if there is none of that name:
#   cmake -DQPOOL_VARIANT=<name> -P QtVariantOptions.cmake
# The untouched source is built with no variant.

set(wakeup economical_wakeup nested_loop_wakeup)
set(all pool_allocator ${wakeup} object_fast_paths event_latency)

function(variant name what)
    if(name STREQUAL QPOOL_VARIANT)
        set(what "${what}" PARENT_SCOPE)
        set(enabled "${ARGN}" PARENT_SCOPE)
    endif()
endfunction()

variant(on "pooled QtCore" ${all})
variant(hardened "hardened QtCore" ${all}) # the checks of level 2: see SECURITY.md
variant(full "pooled qtbase" ${all}) # all of qtbase instead of QtCore
variant(off "QtCore with the flags off")
variant(full-off "qtbase with the flags off")
variant(pool "QtCore with the pool alone" pool_allocator)
variant(wakeup "QtCore with the wake-ups alone" ${wakeup})
variant(economical-wakeup "QtCore with economical wake-ups alone" economical_wakeup)
variant(nested-loop-wakeup "QtCore with the check of nested loops alone" nested_loop_wakeup)
variant(fastpaths "QtCore with object fast paths alone" object_fast_paths)
variant(latency "QtCore with the recording of latency alone" event_latency)
variant(without-latency "QtCore without the recording of latency"
    pool_allocator ${wakeup} object_fast_paths)
variant(pool-wakeup "QtCore without object fast paths" pool_allocator ${wakeup})
variant(pool-fastpaths "QtCore without the wake-ups" pool_allocator object_fast_paths)
variant(wakeup-fastpaths "QtCore without the pool" ${wakeup} object_fast_paths)

if(NOT what)
    message(FATAL_ERROR "There is no build of QtCore named ${QPOOL_VARIANT}.")
endif()

if(CMAKE_SCRIPT_MODE_FILE)
    execute_process(COMMAND "${CMAKE_COMMAND}" -E echo "${what}")
    return()
endif()

foreach(feature IN LISTS all)
    qt_option(FEATURE_${feature} OFF)
endforeach()
foreach(feature IN LISTS enabled)
    qt_option(FEATURE_${feature} ON)
endforeach()
if(QPOOL_VARIANT STREQUAL "hardened")
    qt_option(QPOOL_HARDENED 2)
endif()
