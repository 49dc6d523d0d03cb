# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The kinds of tests of the libraries without Qt.

# Only hardened builds check contracts, and library and program must have the
# same level, so these tests have their own libraries, each with all of the sources.
set(QPOOL_ALLOCATOR_DIR "${QPOOL_SOURCE_DIR}/allocator")

foreach(level 1 2)
    set(library qpool_hardened_allocator_${level})
    add_library(${library} STATIC ${QPOOL_ALL_SOURCES})
    target_compile_features(${library} PUBLIC cxx_std_17)
    target_compile_definitions(${library} PUBLIC QPOOL_HARDENED=${level})
    target_include_directories(${library} PUBLIC "${QPOOL_ALLOCATOR_DIR}" "${QPOOL_SOURCE_DIR}")
    target_link_libraries(${library} PUBLIC ${QPOOL_SYSTEM_LIBRARIES})
endforeach()

# qpool_add_hardened_test(LEVEL 1|2 ...): the other arguments as for qpool_add_allocator_test().
function(qpool_add_hardened_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;LEVEL" "")
    qpool_add_allocator_test(NAME ${arg_NAME} ${arg_UNPARSED_ARGUMENTS})
    set_target_properties(${arg_NAME} PROPERTIES LINK_LIBRARIES
        "qpool_hardened_allocator_${arg_LEVEL};GTest::gtest;GTest::gtest_main;Threads::Threads")
endfunction()

# Memcheck finds reads of uninitialised memory, and leaks. It runs one test of each kind that uses no
# sanitizer and no limit of the process, with fewer operations.
qpool_find_test_tool(QPOOL_VALGRIND valgrind PACKAGE valgrind TESTS "the tests under Memcheck")
function(qpool_add_valgrind_tests)
    if(NOT QPOOL_VALGRIND OR QPOOL_SANITIZE)
        return()
    endif()
    foreach(name IN LISTS ARGN)
        if(NOT TARGET tst_${name})
            continue()
        endif()
        add_test(NAME valgrind_${name} COMMAND "${QPOOL_VALGRIND}" --quiet --error-exitcode=1
            --leak-check=full $<TARGET_FILE:tst_${name}>)
        set_tests_properties(valgrind_${name} PROPERTIES LABELS "allocator;valgrind" TIMEOUT 300
            ENVIRONMENT QPOOL_TEST_DIVISOR=50)
    endforeach()
endfunction()
