# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# The kinds of tests. One ctest run includes all of them.
#
#   qpool_add_allocator_test(NAME <name> SOURCES <files> [LIBRARIES <targets>] ...)
#       No Qt: links the libraries without Qt and GoogleTest, and honours QPOOL_SANITIZE.
#   qpool_add_dropin_test(NAME <name> SOURCES <files> [LIBRARIES <targets>] ...)
#       Compiled against the distribution's Qt, run on the pooled QtCore.
#   qpool_add_pooled_test(NAME <name> SOURCES <files> [LIBRARIES <targets>] ...)
#       Compiled against the pooled QtCore's headers and run on it; QtCore and QtTest only.
#       For folders below tests/auto/corelib.
#   qpool_add_script_test(NAME <name> COMMAND <command> ...)
#       A script; run in its build folder, with QPOOL_ROOT and QPOOL_QT_DIR in its environment.
#
#   qpool_add_python_tests(NAMES <name ...> TESTS <what is left out without Python>)
#       Adds a script test for each name: tst_<name>.py of the current folder.
#
#   qpool_front_of_qtcore(<variable> [<target>])
#       The path of the malloc front that shares one pool with the pooled QtCore, for a test to preload.
#       Empty if none does: both must have the same hardening, and that QtCore has none.
#
#   qpool_mark(<target>)
#       Not a test: compiles a target of the main project against the pooled QtCore's headers, and
#       the distribution's for all other modules. It sets the flags itself, because a project can find
#       only one Qt 6. The test decides where the library is found at run time.
#
# All also take TIMEOUT <seconds>, LABELS <labels>, ENVIRONMENT <NAME=value ...> and RUN_SERIAL,
# for tests that measure time.

#   qpool_find_test_tool(<variable> <names> PACKAGE <package> TESTS <what is left out without it>)
#       Finds a program that some tests need. ./qpool test installs all of them and sets QPOOL_ALL_TESTS,
#       which makes a missing program an error; otherwise a message lists what is left out. Tests for
#       another processor or system do not use programs of this machine.
#
#   qpool_leave_out(<what> <reason>)
#       Reports it, here and in left-out.txt of the build folder, which ./qpool test --arch prints.

include_guard(GLOBAL)

include(QPoolLeftOut)

option(QPOOL_ALL_TESTS "Stop if a program is missing that some tests need" OFF)

function(qpool_find_test_tool variable)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "PACKAGE;TESTS" "PATHS")
    list(GET arg_UNPARSED_ARGUMENTS 0 name)
    if(CMAKE_CROSSCOMPILING)
        qpool_leave_out("${arg_TESTS}" "${name} is a program of this machine's")
        set(${variable} "" PARENT_SCOPE)
        return()
    endif()
    find_program(${variable} NAMES ${arg_UNPARSED_ARGUMENTS} PATHS ${arg_PATHS})
    if(${variable})
        return()
    endif()
    if(QPOOL_ALL_TESTS)
        message(FATAL_ERROR "There is no ${name}, which is needed for ${arg_TESTS}: apt-get install ${arg_PACKAGE}")
    endif()
    message(STATUS "Left out, because ${name} is not installed (package ${arg_PACKAGE}): ${arg_TESTS}")
endfunction()

set(QPOOL_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." CACHE INTERNAL "")
get_filename_component(QPOOL_ROOT "${QPOOL_ROOT}" ABSOLUTE)

macro(_qpool_parse_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "RUN_SERIAL" "NAME;TIMEOUT"
        "SOURCES;LIBRARIES;LABELS;ENVIRONMENT;COMMAND")
    if(NOT arg_NAME OR arg_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "${CMAKE_CURRENT_FUNCTION}: NAME is missing, or these arguments are unknown: ${arg_UNPARSED_ARGUMENTS}")
    endif()
    if(NOT arg_TIMEOUT)
        set(arg_TIMEOUT 300)
    endif()
endmacro()

# These take longest, and a run that begins with them does not end with one alone.
set(QPOOL_LONG_TESTS conformance_qthread tst_model tst_features tst_series tst_install tst_otherversions
    tst_sharedsteps tst_sharedkills tst_consumer tst_kernelalone arch_arm64 tst_conformanceverdicts)

macro(_qpool_set_test_properties)
    if(arg_NAME IN_LIST QPOOL_LONG_TESTS)
        set_tests_properties(${arg_NAME} PROPERTIES COST 100)
    endif()
    set_tests_properties(${arg_NAME} PROPERTIES
        TIMEOUT ${arg_TIMEOUT}
        LABELS "${arg_LABELS}"
        ENVIRONMENT "${arg_ENVIRONMENT}")
    if(arg_RUN_SERIAL)
        set_tests_properties(${arg_NAME} PROPERTIES RUN_SERIAL TRUE)
    endif()
    qpool_disable_left_out(${arg_NAME})
endmacro()

# Tests of programs spend most of their compilation in the headers of their framework, so that these are compiled once.
# A test with other options for the compiler has DISABLE_PRECOMPILE_HEADERS.
function(_qpool_precompile target name header)
    if(NOT TARGET qpool_${name})
        set(empty "${PROJECT_BINARY_DIR}/${name}.cpp")
        file(CONFIGURE OUTPUT "${empty}" CONTENT "" @ONLY)
        add_library(qpool_${name} OBJECT "${empty}")
        target_compile_features(qpool_${name} PRIVATE cxx_std_17)
        target_link_libraries(qpool_${name} PRIVATE ${ARGN})
        target_precompile_headers(qpool_${name} PRIVATE ${header})
    endif()
    target_precompile_headers(${target} REUSE_FROM qpool_${name})
endfunction()

macro(_qpool_add_qt_executable)
    add_executable(${arg_NAME} ${arg_SOURCES})
    set_target_properties(${arg_NAME} PROPERTIES AUTOMOC ON)
    target_link_libraries(${arg_NAME} PRIVATE Qt6::Core Qt6::Test ${arg_LIBRARIES})
    # Not QTest's own header, which the folder and QtGui make another one.
    _qpool_precompile(${arg_NAME} qtcore <QtCore/QtCore> Qt6::Core)
    target_include_directories(${arg_NAME} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    list(APPEND arg_ENVIRONMENT QT_QPA_PLATFORM=offscreen)
endmacro()

# The distribution's GoogleTest was built with libstdc++, for this machine. Its package includes the
# source, and a separate package has it, too.
macro(_qpool_find_googletest)
    if(NOT QPOOL_LIBCXX AND NOT CMAKE_CROSSCOMPILING)
        find_package(GTest REQUIRED)
    elseif(NOT TARGET GTest::gtest)
        if(NOT EXISTS /usr/src/googletest/CMakeLists.txt)
            message(FATAL_ERROR "There is no source of GoogleTest in /usr/src/googletest: apt-get install googletest")
        endif()
        add_subdirectory(/usr/src/googletest "${PROJECT_BINARY_DIR}/googletest" EXCLUDE_FROM_ALL)
    endif()
endmacro()

function(qpool_add_allocator_test)
    _qpool_parse_test()
    _qpool_find_googletest()
    find_package(Threads REQUIRED)
    add_executable(${arg_NAME} ${arg_SOURCES})
    qpool_is_uncompilable(${arg_NAME} uncompilable)
    if(uncompilable)
        set_target_properties(${arg_NAME} PROPERTIES EXCLUDE_FROM_ALL TRUE)
        return()
    endif()
    # Every library without Qt that there is: what a test does not use is not linked.
    set(libraries QPool::Allocator)
    foreach(name Pools SharedMemory)
        if(TARGET QPool::${name})
            list(PREPEND libraries QPool::${name})
        endif()
    endforeach()
    target_link_libraries(${arg_NAME} PRIVATE
        ${libraries} GTest::gtest GTest::gtest_main Threads::Threads ${arg_LIBRARIES})
    target_include_directories(${arg_NAME} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
    _qpool_precompile(${arg_NAME} googletest <gtest/gtest.h> GTest::gtest Threads::Threads)
    add_test(NAME ${arg_NAME} COMMAND ${arg_NAME})
    list(APPEND arg_LABELS allocator)
    # Sanitizers refuse sizes that no memory has, as the system does without them.
    list(PREPEND arg_ENVIRONMENT TSAN_OPTIONS=halt_on_error=1:allocator_may_return_null=1
        ASAN_OPTIONS=allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1)
    _qpool_set_test_properties()
endfunction()

function(qpool_add_dropin_test)
    _qpool_parse_test()
    find_package(Qt6 REQUIRED COMPONENTS Core Test)
    _qpool_add_qt_executable()
    list(APPEND arg_LABELS dropin)
    _qpool_set_test_properties()
    set_tests_properties(${arg_NAME} PROPERTIES ENVIRONMENT_MODIFICATION
        "LD_LIBRARY_PATH=path_list_prepend:${QPOOL_QT_DIR}/on-runtime")
endfunction()

function(qpool_add_pooled_test)
    if(NOT QPOOL_POOLED_PROJECT)
        message(FATAL_ERROR "qpool_add_pooled_test is for folders below tests/auto/corelib: "
            "only there is Qt6::Core the pooled one.")
    endif()
    _qpool_parse_test()
    list(APPEND arg_LIBRARIES Qt6::CorePrivate) # to know when a thread has given memory back
    _qpool_add_qt_executable()
    list(APPEND arg_LABELS pooled)
    _qpool_set_test_properties()
endfunction()

function(qpool_add_script_test)
    _qpool_parse_test()
    add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND})
    list(APPEND arg_LABELS build)
    list(APPEND arg_ENVIRONMENT "QPOOL_ROOT=${QPOOL_ROOT}" "QPOOL_QT_DIR=${QPOOL_QT_DIR}")
    _qpool_set_test_properties()
endfunction()

function(qpool_add_python_tests)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "TESTS" "NAMES")
    qpool_find_test_tool(QPOOL_PYTHON python3 PACKAGE python3 TESTS "${arg_TESTS}")
    if(NOT QPOOL_PYTHON)
        return()
    endif()
    foreach(name IN LISTS arg_NAMES)
        qpool_add_script_test(NAME tst_${name}
            COMMAND "${QPOOL_PYTHON}" -B "${CMAKE_CURRENT_SOURCE_DIR}/tst_${name}.py")
    endforeach()
endfunction()

function(qpool_front_of_qtcore variable)
    set(front "")
    if(TARGET QPoolMalloc AND NOT QPOOL_HARDENED)
        if(ARGN)
            add_dependencies(${ARGN} QPoolMalloc)
        endif()
        set(front "$<$<NOT:$<CONFIG:Debug>>:$<TARGET_FILE:QPoolMalloc>>")
    endif()
    set(${variable} "${front}" PARENT_SCOPE)
endfunction()

function(qpool_mark target)
    # Without these modules the targets need only QtCore.
    set(modules "")
    if(QPOOL_WITH_PROGRAMS)
        set(modules Gui Qml)
        find_package(Qt6 REQUIRED COMPONENTS ${modules})
    endif()
    foreach(module IN LISTS modules)
        get_target_property(headers Qt6::${module} INTERFACE_INCLUDE_DIRECTORIES)
        target_include_directories(${target} SYSTEM PRIVATE ${headers})
    endforeach()
    target_include_directories(${target} BEFORE PRIVATE "${QPOOL_QT_DIR}/on/include"
        "${QPOOL_QT_DIR}/on/include/QtCore")
    # They would be the distribution's.
    set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
    target_compile_options(${target} PRIVATE -fPIC)
    target_link_libraries(${target} PRIVATE "${QPOOL_QT_DIR}/on-runtime/libQt6Core.so.6")
    target_link_options(${target} PRIVATE "LINKER:-rpath,${CMAKE_CURRENT_BINARY_DIR}")
    set_target_properties(${target} PROPERTIES SKIP_BUILD_RPATH ON)
endfunction()
