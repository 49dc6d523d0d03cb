# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Changes what Qt's own installation step wrote, so that the folder can be moved and programs find the
# pooled libraries in it:
#   cmake -D FOLDER=<installation> [-D DROP_IN=ON] -P RelocateInstallation.cmake
# DROP_IN: the installation has QtCore, but not all of qtbase. CMake's package files need no change: they
# find their own path.

cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/QPoolFail.cmake")

# The QtNetwork of a drop-in tree has no TLS and is only for Qt's own suites. Programs must not find it
# instead of the distribution's.
function(leave_out_network)
    file(GLOB_RECURSE entries LIST_DIRECTORIES true RELATIVE "${FOLDER}" "${FOLDER}/*")
    foreach(entry IN LISTS entries)
        get_filename_component(name "${entry}" NAME)
        if(name MATCHES "Qt6Network|^QtNetwork$|^qt_lib_network|^qt6network_|^Network\\.json$"
                OR entry MATCHES "/qt6/plugins$")
            file(REMOVE_RECURSE "${FOLDER}/${entry}")
        endif()
    endforeach()
endfunction()

# pkg-config's and qmake's files name the folder in which they were installed, and the build's.
function(relocate_texts)
    file(GLOB_RECURSE files "${FOLDER}/*.pc")
    foreach(file IN LISTS files)
        path_from("${file}" "${FOLDER}" up)
        file(READ "${file}" text)
        string(REGEX MATCH "(^|\n)prefix=[^\n]*" line "${text}")
        if(line)
            string(REGEX REPLACE "prefix=.*" "" before "${line}")
            string(REPLACE "${line}" "${before}prefix=\${pcfiledir}/${up}" text "${text}")
            file(WRITE "${file}" "${text}")
        endif()
    endforeach()

    file(GLOB_RECURSE files "${FOLDER}/*.prl")
    foreach(file IN LISTS files)
        file(READ "${file}" text)
        string(REGEX REPLACE "QMAKE_PRL_BUILD_DIR[^\n]*\n" "" text "${text}")
        file(WRITE "${file}" "${text}")
    endforeach()
endfunction()

# A drop-in library uses the distribution's paths. The programs and libraries of this installation must
# find it instead of the distribution's library.
function(set_rpaths libraries)
    file(GLOB_RECURSE files "${FOLDER}/*")
    foreach(file IN LISTS files)
        if(IS_SYMLINK "${file}")
            continue()
        endif()
        file(READ "${file}" magic LIMIT 4 HEX)
        if(NOT magic STREQUAL "7f454c46")
            continue()
        endif()
        run(entries readelf -d "${file}")
        if(entries MATCHES "NEEDED[^\n]*libQt6" AND NOT entries MATCHES "R(UN)?PATH")
            path_from("${file}" "${libraries}" up)
            run(_ patchelf --set-rpath "$ORIGIN/${up}" "${file}")
        endif()
    endforeach()
endfunction()

# A drop-in library returns the distribution's paths. Its qmake and qtpaths must return their own paths,
# and the distribution's path of plugins.
function(write_qt_conf libraries)
    set(binaries lib/qt6/bin)
    if(NOT EXISTS "${FOLDER}/${binaries}/qmake")
        return()
    endif()
    cmake_path(RELATIVE_PATH libraries BASE_DIRECTORY "${FOLDER}")
    string(REGEX REPLACE "^lib/" "" multiarch "${libraries}")
    file(WRITE "${FOLDER}/${binaries}/qt.conf"
"[Paths]
Prefix=../../..
Headers=include/${multiarch}/qt6
Libraries=${libraries}
Binaries=${binaries}
LibraryExecutables=lib/qt6/libexec
ArchData=${libraries}/qt6
Data=share/qt6
Plugins=/usr/${libraries}/qt6/plugins
QmlImports=/usr/${libraries}/qt6/qml
Translations=/usr/share/qt6/translations
HostBinaries=${binaries}
HostLibraryExecutables=lib/qt6/libexec
HostLibraries=${libraries}
HostData=${libraries}/qt6
")
endfunction()

# Sets <result> to the relative path from the folder of <file> to <folder>.
function(path_from file folder result)
    get_filename_component(base "${file}" DIRECTORY)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${base}" OUTPUT_VARIABLE path)
    set(${result} "${path}" PARENT_SCOPE)
endfunction()

# Sets <output> to what the command prints.
function(run output)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE text ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
        list(JOIN ARGN " " command)
        string(REGEX REPLACE "\n.*" "" error "${error}")
        qpool_fail("${command} failed: ${error}")
    endif()
    set(${output} "${text}" PARENT_SCOPE)
endfunction()

if(DROP_IN)
    leave_out_network()
endif()
relocate_texts()
file(GLOB_RECURSE core "${FOLDER}/libQt6Core.so.6")
if(NOT core)
    qpool_fail("There is no libQt6Core.so.6 in ${FOLDER}: the installation of Qt is incomplete.")
endif()
get_filename_component(libraries "${core}" DIRECTORY)
set_rpaths("${libraries}")
write_qt_conf("${libraries}")
