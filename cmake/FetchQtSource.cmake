# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Fetches the distribution's source package of qt6-base, with the distribution's patches applied:
#   cmake -D VERSION=6.4.2 [-D PACKAGE_VERSION=6.4.2+dfsg-10] -D DESTINATION=<folder>
#         -D STATE=<folder> -P FetchQtSource.cmake
# apt uses lists, caches and settings in STATE: it does not need root, and only reads the machine's own.

cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/QPoolFail.cmake)

set(apt_conf "${STATE}/apt.conf")
set(unfinished "${DESTINATION}.unfinished")

function(write_apt_setup)
    foreach(folder IN ITEMS sources lists/partial cache/archives/partial)
        file(MAKE_DIRECTORY "${STATE}/${folder}")
    endforeach()
    # The machine's hooks would write outside of STATE, and apt's own user cannot read a home
    # folder.
    file(WRITE "${apt_conf}" "#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::SourceList \"/dev/null\";
Dir::Etc::SourceParts \"${STATE}/sources\";
Dir::State::Lists \"${STATE}/lists\";
Dir::Cache \"${STATE}/cache\";
APT::Sandbox::User \"\";
Acquire::Retries \"2\";
")
    file(STRINGS /etc/os-release codename REGEX "^VERSION_CODENAME=")
    file(STRINGS /etc/os-release distribution REGEX "^ID=")
    string(REGEX REPLACE "^[^=]*=\"?([^\"]*)\"?$" "\\1" codename "${codename}")
    # Releases with other Qt versions; the source of the installed version is in this release.
    set(more "")
    if(PACKAGE_VERSION)
    elseif(distribution MATCHES "debian")
        set(more "bookworm trixie forky sid")
    elseif(distribution MATCHES "ubuntu")
        set(more "jammy noble questing")
    endif()
    string(REPLACE "${codename}" "" more "${more}")
    file(GLOB files /etc/apt/sources.list /etc/apt/sources.list.d/*.list
                    /etc/apt/sources.list.d/*.sources)
    execute_process(
        COMMAND awk -v "codename=${codename}" -v "more=${more}"
                -f "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/AptSources.awk" ${files}
        OUTPUT_VARIABLE sources RESULT_VARIABLE result)
    if(NOT result EQUAL 0 OR sources STREQUAL "")
        qpool_fail("/etc/apt names no archive of ${codename}'s main packages, so no Qt source package is available: add such an archive, or give a qtbase checkout with --source.")
    endif()
    file(WRITE "${STATE}/sources/qpool.sources" "${sources}")
endfunction()

# apt's fields: package | version | source. A complete version must match completely; among
# several packages of one Qt version, the release nearest to this one comes first.
function(find_candidates exact others)
    execute_process(COMMAND apt-cache -c "${apt_conf}" madison qt6-base
                    OUTPUT_VARIABLE listing ERROR_QUIET)
    string(REGEX MATCHALL "qt6-base \\| [^ |]+" lines "${listing}")
    string(REPLACE "." "\\." pattern "${VERSION}")
    set(found "")
    set(versions "")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*\\| " "" package "${line}")
        list(APPEND versions "${package}")
        if(package STREQUAL PACKAGE_VERSION OR package STREQUAL VERSION)
            list(PREPEND found "${package}")
        elseif(package MATCHES "^([0-9]+:)?${pattern}[+-]")
            list(APPEND found "${package}")
        elseif(package MATCHES "^([0-9]+:)?${pattern}~")
            list(APPEND pre_releases "${package}")
        endif()
    endforeach()
    list(APPEND found ${pre_releases})
    list(REMOVE_DUPLICATES found)
    list(TRANSFORM versions REPLACE "^([0-9]+:)?([0-9.]+).*" "\\2")
    list(REMOVE_DUPLICATES versions)
    set(${exact} "${found}" PARENT_SCOPE)
    set(${others} "${versions}" PARENT_SCOPE)
endfunction()

write_apt_setup()
message(STATUS "Reading the lists of source packages")
execute_process(COMMAND apt-get -c "${apt_conf}" -q update
                OUTPUT_VARIABLE update_log ERROR_VARIABLE update_log)
message(STATUS "${update_log}")
find_candidates(candidates available)
if(NOT candidates)
    if(NOT available)
        qpool_fail("The package archive cannot be reached, or offers no source packages: check the network and /etc/apt, or give a qtbase checkout with --source.")
    endif()
    list(JOIN available ", " available)
    qpool_fail("There is no source package of Qt ${VERSION}: the archives of this machine have ${available}. Choose one of these with --qt, or give a qtbase checkout with --source.")
endif()

file(REMOVE_RECURSE "${unfinished}")
file(MAKE_DIRECTORY "${unfinished}")
set(fetched "")
foreach(candidate IN LISTS candidates)
    message(STATUS "Getting qt6-base ${candidate}")
    execute_process(
        COMMAND apt-get -c "${apt_conf}" -q source --download-only "qt6-base=${candidate}"
        WORKING_DIRECTORY "${unfinished}"
        RESULT_VARIABLE result ERROR_VARIABLE error ECHO_ERROR_VARIABLE)
    if(result EQUAL 0)
        set(fetched "${candidate}")
        break()
    endif()
endforeach()
if(NOT fetched)
    file(REMOVE_RECURSE "${unfinished}")
    string(REGEX MATCH "E: [^\n]*" error "${error}")
    qpool_fail("Getting the source package of Qt ${VERSION} failed (${error}): check the network and the free space on the disk, then call ./qpool again.")
endif()

message(STATUS "Unpacking qt6-base ${fetched}")
string(REGEX REPLACE "^[0-9]+:" "" file_version "${fetched}")
# apt has already compared the checksums, so the packagers' keys are not needed.
execute_process(
    COMMAND dpkg-source --no-check -x "qt6-base_${file_version}.dsc" source
    WORKING_DIRECTORY "${unfinished}"
    RESULT_VARIABLE result ERROR_VARIABLE error ECHO_ERROR_VARIABLE)
if(NOT result EQUAL 0)
    file(REMOVE_RECURSE "${unfinished}")
    string(REGEX REPLACE "\n.*" "" error "${error}")
    qpool_fail("Unpacking the source package of Qt ${VERSION} failed (${error}): check the free space on the disk, then call ./qpool again.")
endif()
file(RENAME "${unfinished}/source" "${DESTINATION}")
file(REMOVE_RECURSE "${unfinished}")
