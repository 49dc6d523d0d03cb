# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The Conan recipe and the vcpkg port, as far as this machine has what they need. Conan: the whole package, and a program
# that uses it, if conan 2 is installed. vcpkg, which Debian does not have: its functions, in the least form, around the
# same port file; and without Conan, the recipe's syntax.

source "$(dirname "$0")/check.sh"
ports=$QPOOL_ROOT/packaging
version=$(sed -nE 's/^project\(QPool VERSION ([0-9.]+).*/\1/p' "$QPOOL_ROOT/CMakeLists.txt")

check_equal "the port has the project's version" \
    "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["version"])' "$ports/vcpkg/vcpkg.json")" "$version"

# build_allocator FOLDER: a program of the installation in FOLDER.
build_program()
{
    cmake -G Ninja -S "$QPOOL_ROOT/tests/auto/build/consumers/allocator" -B "$work/$1-program" \
        "-DCMAKE_PREFIX_PATH=$2" -DCMAKE_BUILD_TYPE=Release >"$work/log" 2>&1 &&
        cmake --build "$work/$1-program" >>"$work/log" 2>&1 || { tail -n 20 "$work/log"; failed "the program of $1"; }
    check_equal "a program of $1" "$("$work/$1-program/shared")" "48 bytes"
}

# vcpkg's own functions need its repository. These do what its documentation says of them, for one configuration.
cat >"$work/vcpkg.cmake" <<'SCRIPT'
cmake_minimum_required(VERSION 3.22)
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result)
        message(FATAL_ERROR "${output}")
    endif()
endfunction()
function(vcpkg_cmake_configure)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
    run("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${WORK}/vcpkg-build" -DCMAKE_BUILD_TYPE=Release
        "-DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR}" -DCMAKE_INSTALL_LIBDIR=lib ${arg_OPTIONS})
endfunction()
function(vcpkg_cmake_install)
    run("${CMAKE_COMMAND}" --build "${WORK}/vcpkg-build" --target install)
endfunction()
function(vcpkg_cmake_config_fixup)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "PACKAGE_NAME;CONFIG_PATH" "")
    if(NOT EXISTS "${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}Config.cmake")
        message(FATAL_ERROR "there is no ${arg_CONFIG_PATH}/${arg_PACKAGE_NAME}Config.cmake")
    endif()
endfunction()
function(vcpkg_fixup_pkgconfig)
    file(GLOB files "${CURRENT_PACKAGES_DIR}/lib/pkgconfig/*.pc")
    if(NOT files)
        message(FATAL_ERROR "there are no files of pkg-config")
    endif()
endfunction()
function(vcpkg_install_copyright)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
    foreach(file IN LISTS arg_FILE_LIST)
        if(NOT EXISTS "${file}")
            message(FATAL_ERROR "there is no ${file}")
        endif()
    endforeach()
endfunction()
include("${PORT}")
SCRIPT
check "the port file builds and installs" cmake "-DWORK=$work" "-DCURRENT_PACKAGES_DIR=$work/vcpkg" \
    "-DPORT=$ports/vcpkg/portfile.cmake" -P "$work/vcpkg.cmake"
build_program vcpkg "$work/vcpkg"

check "the recipe is Python" python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$ports/conan/conanfile.py"
if [[ $(conan --version 2>/dev/null) == "Conan version 2"* ]]; then
    export CONAN_HOME=$work/conan-home
    conan profile detect >/dev/null 2>&1
    if conan create "$ports/conan" >"$work/log" 2>&1; then
        passed "the recipe builds"
        build_program conan "$(conan cache path "$(conan list 'qpool/*:*' --format=json | python3 -c '
import json, sys
for cache in json.load(sys.stdin).values():
    for name, recipe in cache.items():
        for revision in recipe["revisions"].values():
            for package in revision["packages"]:
                print(f"{name}:{package}")')")"
    else
        tail -n 20 "$work/log"
        failed "the recipe builds"
    fi
else
    echo "conan 2 is not installed, which Debian does not have: only the recipe's syntax was checked"
fi
finish
