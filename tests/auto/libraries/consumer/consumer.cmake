# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The common part of the projects.

string(REPLACE "," ";" headers "${HEADERS}")
set(all "")
foreach(header IN LISTS headers)
    string(APPEND all "#include <qpool/${header}>\n")
endforeach()
file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/all.h" "${all}")

# add_consumer(<name> <library>...)
function(add_consumer name)
    add_executable(${name} ../main.cpp)
    target_include_directories(${name} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
    target_link_libraries(${name} PRIVATE ${ARGN})
endfunction()

# The included project must not have changed anything here.
function(check_untouched)
    foreach(variable IN ITEMS CMAKE_CXX_STANDARD CMAKE_CXX_STANDARD_REQUIRED CMAKE_CXX_EXTENSIONS
            CMAKE_CXX_COMPILER_LAUNCHER CMAKE_MODULE_PATH BUILD_TESTING CMAKE_TESTING_ENABLED)
        if(NOT "${${variable}}" STREQUAL "${before_${variable}}")
            message(FATAL_ERROR "${variable} was '${before_${variable}}' and is '${${variable}}'")
        endif()
    endforeach()
    foreach(property IN ITEMS COMPILE_OPTIONS LINK_OPTIONS INCLUDE_DIRECTORIES)
        get_property(value DIRECTORY PROPERTY ${property})
        if(value)
            message(FATAL_ERROR "${property} of the folder is ${value}")
        endif()
    endforeach()
    get_property(tests DIRECTORY "${QPOOL_ROOT}" PROPERTY TESTS)
    if(tests)
        message(FATAL_ERROR "there are tests: ${tests}")
    endif()
    foreach(package IN ITEMS GTest Qt6 Qt6Core Qt6Test)
        if(DEFINED ${package}_FOUND OR DEFINED ${package}_DIR)
            message(FATAL_ERROR "${package} was looked for")
        endif()
    endforeach()
    foreach(target IN ITEMS GTest::gtest Qt6::Core tst_keywords example_sharedpool)
        if(TARGET ${target})
            message(FATAL_ERROR "there is a target ${target}")
        endif()
    endforeach()
endfunction()
foreach(variable IN ITEMS CMAKE_CXX_STANDARD CMAKE_CXX_STANDARD_REQUIRED CMAKE_CXX_EXTENSIONS
        CMAKE_CXX_COMPILER_LAUNCHER CMAKE_MODULE_PATH BUILD_TESTING CMAKE_TESTING_ENABLED)
    set(before_${variable} "${${variable}}")
endforeach()
