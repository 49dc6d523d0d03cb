# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# --cc: a compiler other than the system's. The names of its build folders contain its name, so that no
# folder has objects of two compilers.

# The requested compiler. Without --cc these stay empty, and folder names do not change.
cc_wanted=
cc_suffix=

# Set by choose_compiler.
cc_c=
cc_cxx=
cc_version=

# For take_options.
compiler_options="--cc="

set_compiler_option()
{
    local name=${1##*/}
    [[ $1 && $name =~ ^(.*-)?(gcc|g\+\+|clang|clang\+\+)(-[0-9]+)?$ ]] ||
        usage_error "--cc $1 names no compiler: give gcc, clang, one of them with its version, such as clang-19, or the path of a compiler"
    if [[ $1 == */* ]]; then
        [[ -f $1 && -x $1 ]] || fail "there is no compiler $1: give --cc the path of a compiler, or a name"
        cc_wanted=$(cd "$(dirname "$1")" && pwd)/$name
        cc_suffix=-$name-$(printf '%s' "$cc_wanted" | sha256sum | cut -c1-8)
    else
        cc_wanted=$1
        cc_suffix=-$name
    fi
    cc_suffix=${cc_suffix//+/x} # CMake interprets a plus in a path as part of a regular expression
}

compiler_help_options()
{
    cat <<'HELP'
  --cc NAME      compile with gcc, clang, one of them with a version, such as clang-19, or the
                 compiler of a path (default: the system's)
HELP
}

# The groups of packages to install before choose_compiler is called, if ./qpool knows the compiler.
compiler_groups()
{
    [[ $cc_wanted && -n $(packages_of "$cc_wanted") ]] && echo "$cc_wanted"
    return 0
}

# The name of the C compiler determines the name of the C++ compiler, and vice versa.
choose_compiler()
{
    [[ $cc_wanted ]] || return 0
    local folder='' name=$cc_wanted
    if [[ $cc_wanted == */* ]]; then
        folder=${cc_wanted%/*}/
        name=${cc_wanted##*/}
    fi
    [[ $name =~ ^(.*-)?(gcc|g\+\+|clang|clang\+\+)(-[0-9]+)?$ ]]
    local prefix=${BASH_REMATCH[1]} version=${BASH_REMATCH[3]} c=clang cxx=clang++
    [[ ${BASH_REMATCH[2]} == g* ]] && c=gcc cxx=g++
    cc_c=$(find_compiler "$folder$prefix$c$version" "$c$version")
    cc_cxx=$(find_compiler "$folder$prefix$cxx$version" "${cxx/clang++/clang}$version")
    cc_version=$("$cc_cxx" --version 2>/dev/null | head -n 1)
    [[ $cc_version ]] || fail "$cc_cxx --version says nothing: give --cc a compiler that runs"
}

# find_compiler PROGRAM PACKAGE
find_compiler()
{
    command -v "$1" ||
        fail "there is no $1: install it with apt-get install $2, or give --cc another compiler"
}

# compiler_flags: sets cc_flags to CMake's arguments for it.
compiler_flags()
{
    cc_flags=()
    [[ $cc_wanted ]] || return 0
    cc_flags=("-DCMAKE_C_COMPILER=$cc_c" "-DCMAKE_CXX_COMPILER=$cc_cxx")
}
