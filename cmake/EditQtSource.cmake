# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Makes the edited copy of a Qt source tree:
#   cmake -D SOURCE=<untouched> -D DESTINATION=<copy> -D PATCH=<file>
#         [-D EDITS=<list of edits>] [-D REFRESH=ON] -P EditQtSource.cmake
# A second run writes only what has changed since. REFRESH is for a source that can change, such as a
# checkout under development.

cmake_minimum_required(VERSION 3.21)
get_filename_component(QPOOL_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolEdits.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolVersion.cmake)

if(NOT EDITS)
    set(EDITS "${QPOOL_ROOT}/src/corelib/edits/edits.cmake")
endif()
include("${EDITS}")
qpool_source_version("${SOURCE}" version)

# Copies files that are newer than those in <target>.
function(copy_source target)
    # The build needs neither history nor packaging.
    file(GLOB entries RELATIVE "${SOURCE}" "${SOURCE}/*" "${SOURCE}/.*")
    list(REMOVE_ITEM entries . .. .git .pc debian)
    list(TRANSFORM entries PREPEND "${SOURCE}/")
    execute_process(COMMAND cp -a -u ${entries} "${target}/"
                    RESULT_VARIABLE result ERROR_VARIABLE error)
    if(NOT result EQUAL 0)
        string(REGEX REPLACE "\n.*" "" error "${error}")
        qpool_fail("Could not copy Qt's source to ${target}: ${error}")
    endif()
endfunction()

function(make_copy)
    set(unfinished "${DESTINATION}.unfinished")
    file(REMOVE_RECURSE "${unfinished}")
    file(MAKE_DIRECTORY "${unfinished}")
    copy_source("${unfinished}")
    file(RENAME "${unfinished}" "${DESTINATION}")
endfunction()

# The diff of only the edited and new files: comparing the whole trees takes long, and would list files
# that a build leaves in the copy.
function(write_patch files)
    set(patch "")
    list(SORT files)
    foreach(file IN LISTS files)
        set(old "${SOURCE}/${file}")
        set(old_label "a/${file}")
        if(NOT EXISTS "${old}")
            set(old /dev/null)
            set(old_label /dev/null)
        endif()
        execute_process(
            COMMAND diff -u --label "${old_label}" --label "b/${file}"
                    "${old}" "${DESTINATION}/${file}"
            OUTPUT_VARIABLE part RESULT_VARIABLE result)
        if(result GREATER 1)
            qpool_fail("Could not compare ${old} with ${DESTINATION}/${file}.")
        endif()
        string(APPEND patch "diff -u a/${file} b/${file}\n${part}")
    endforeach()
    file(WRITE "${PATCH}.unfinished" "${patch}")
    file(RENAME "${PATCH}.unfinished" "${PATCH}")
endfunction()

if(NOT EXISTS "${DESTINATION}")
    # Check without writing first, so that a tree that the edits do not fit is not copied.
    qpool_check_edits("${SOURCE}" "${version}")
    make_copy()
elseif(REFRESH)
    copy_source("${DESTINATION}")
endif()
qpool_apply_edits("${SOURCE}" "${DESTINATION}" "${version}")
if(qpool_edits_changed OR NOT EXISTS "${PATCH}")
    write_patch("${qpool_edited_files}")
endif()
