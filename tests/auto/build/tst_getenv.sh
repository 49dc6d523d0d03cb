# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The libraries read the environment by one function, which a set-user-ID program does not get past.

source "$(dirname "$0")/check.sh"

# Prints the lines of a folder that read the environment in another way.
readers()
{
    grep -rnE '(getenv|qgetenv|qEnvironmentVariable[A-Za-z]*) *\(|QProcessEnvironment' "$1" |
        grep -v '/os/qpoolenvironment\.h:'
}

folder=$work/src
mkdir -p "$folder/os"
echo 'return std::getenv(name);' >"$folder/os/qpoolenvironment.h"
check "that function may" test -z "$(readers "$folder")"
for text in 'getenv("X")' 'std::getenv("X")' 'qgetenv("X")' 'qEnvironmentVariableIsSet("X")' \
        'QProcessEnvironment::systemEnvironment()'; do
    echo "$text" >"$folder/other.cpp"
    check "$text is found" test -n "$(readers "$folder")"
done

found=$(readers "$QPOOL_ROOT/src")
check "nothing else in src does: $found" test -z "$found"

finish
