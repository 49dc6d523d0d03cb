# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Writes the fork as patches for `git am` on a Qt source tree:
#   cmake -D SOURCE=<untouched> -D DESTINATION=<new folder> -D WORK=<new folder>
#         -D AUTHOR_NAME=<name> -D AUTHOR_EMAIL=<address> -P WritePatchSeries.cmake
# It creates a repository in WORK that contains only the changed files, with a commit for each patch. A
# repository of the whole tree would give the same patches. src/corelib/edits/series lists them in their
# order.

cmake_minimum_required(VERSION 3.21)
get_filename_component(QPOOL_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolEdits.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolMessages.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolVersion.cmake)

qpool_source_version("${SOURCE}" version)
include("${QPOOL_ROOT}/src/corelib/edits/edits.cmake")
include("${QPOOL_ROOT}/src/corelib/edits/series/series.cmake")
set(messages "${QPOOL_ROOT}/src/corelib/edits/series/messages")
set(repository "${WORK}/repository")

# The date and the version of these sources, so that the same sources always produce the same patches.
function(read_origin)
    foreach(fact IN ITEMS "date:log;-1;--format=%cI" "origin:describe;--always;--abbrev=10;--exclude=*;--dirty")
        string(REGEX MATCH "^([a-z]+):(.*)$" _ "${fact}")
        set(name ${CMAKE_MATCH_1})
        execute_process(COMMAND git -C "${QPOOL_ROOT}" ${CMAKE_MATCH_2}
            OUTPUT_VARIABLE ${name} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        set(${name} "${${name}}" PARENT_SCOPE)
    endforeach()
endfunction()

# Runs git in the repository, independently of the user's configuration.
function(git)
    execute_process(
        COMMAND "${CMAKE_COMMAND}" -E env
            --unset=GIT_DIR --unset=GIT_WORK_TREE --unset=GIT_INDEX_FILE
            "HOME=${WORK}" "XDG_CONFIG_HOME=${WORK}" GIT_CONFIG_NOSYSTEM=1 GIT_ATTR_NOSYSTEM=1
            "GIT_AUTHOR_NAME=${AUTHOR_NAME}" "GIT_AUTHOR_EMAIL=${AUTHOR_EMAIL}"
            "GIT_COMMITTER_NAME=${AUTHOR_NAME}" "GIT_COMMITTER_EMAIL=${AUTHOR_EMAIL}"
            "GIT_AUTHOR_DATE=${date}" "GIT_COMMITTER_DATE=${date}"
            git -C "${repository}" ${ARGN}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT result EQUAL 0)
        list(GET ARGN 0 command)
        string(STRIP "${output}" output)
        string(REGEX REPLACE ".*\n" "" output "${output}")
        qpool_fail("git ${command} failed (${output}): check the free space on the disk, and that git is 2.20 or newer.")
    endif()
endfunction()

# Assigns QPool's files and edits to patches, and checks that each belongs to one.
function(check_series)
    set(needed "")
    get_property(count GLOBAL PROPERTY qpool_edit_count)
    math(EXPR last "${count} - 1")
    foreach(index RANGE ${last})
        get_property(concern GLOBAL PROPERTY qpool_edit_${index}_concern)
        get_property(file GLOBAL PROPERTY qpool_edit_${index}_file)
        list(APPEND needed "${concern}-edits:the edits of ${file}")
    endforeach()
    get_property(files GLOBAL PROPERTY qpool_new_files)
    foreach(file IN LISTS files)
        get_property(concern GLOBAL PROPERTY "qpool_new_file_concern_${file}")
        list(APPEND needed "${concern}-files:the new file ${file}")
    endforeach()
    foreach(need IN LISTS needed)
        string(REGEX MATCH "^([^:]*):(.*)$" _ "${need}")
        set(patch "${CMAKE_MATCH_1}")
        set(what "${CMAKE_MATCH_2}")
        if(patch MATCHES "^-")
            qpool_fail("No concern is defined for ${what}: name one in src/corelib/edits; for new files of QtCore, in build.cmake there.")
        endif()
        if(NOT patch IN_LIST qpool_series)
            qpool_fail("No patch of the series has ${what}: name \"${patch}\" in src/corelib/edits/series/series.cmake.")
        endif()
    endforeach()
endfunction()

function(make_repository)
    _qpool_edit_texts("${SOURCE}" "${version}" files)
    file(MAKE_DIRECTORY "${repository}")
    git(init -q --template=)
    foreach(file IN LISTS files)
        get_filename_component(folder "${repository}/${file}" DIRECTORY)
        file(COPY "${SOURCE}/${file}" DESTINATION "${folder}")
    endforeach()
    git(add -A -f)
    git(commit -q -m "Qt ${version}")
    git(tag untouched)
endfunction()

function(add_new_files concern)
    get_property(files GLOBAL PROPERTY qpool_new_files)
    foreach(file IN LISTS files)
        get_property(its_concern GLOBAL PROPERTY "qpool_new_file_concern_${file}")
        if(its_concern STREQUAL concern)
            get_property(origin GLOBAL PROPERTY "qpool_new_file_${file}")
            get_filename_component(folder "${repository}/${file}" DIRECTORY)
            file(COPY "${origin}" DESTINATION "${folder}")
        endif()
    endforeach()
endfunction()

# Includes the edits of the previous concerns, in the order of the list of edits, so that the last patch
# results in the same tree as a build.
function(make_edits concerns)
    _qpool_edit_texts("${SOURCE}" "${version}" files ${concerns})
    set(index 0)
    foreach(file IN LISTS files)
        file(WRITE "${repository}/${file}" "${content_${index}}")
        math(EXPR index "${index} + 1")
    endforeach()
endfunction()

read_origin()
# Check all edits before anything is written, so that a late edit that does not fit is found early.
qpool_check_edits("${SOURCE}" "${version}")
check_series()
make_repository()
set(concerns "")
foreach(patch IN LISTS qpool_series)
    string(REGEX MATCH "^(.*)-(files|edits)$" _ "${patch}")
    set(concern ${CMAKE_MATCH_1})
    if(CMAKE_MATCH_2 STREQUAL "files")
        add_new_files(${concern})
    else()
        list(APPEND concerns ${concern})
        make_edits("${concerns}")
    endif()
    qpool_message("${messages}/${patch}.txt" message)
    file(WRITE "${WORK}/message" "${message}")
    git(add -A -f)
    git(commit -q --cleanup=verbatim -F "${WORK}/message")
endforeach()
git(format-patch -q --zero-commit --full-index --no-renames "--signature=QPool ${origin}"
    -o "${DESTINATION}" untouched)
