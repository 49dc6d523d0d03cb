#!/bin/bash
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The errors of ./qpool test --arch: one line that names the remedy, and exit code 2.

set -uo pipefail

failures=0

# refuses TEXT ARGUMENT...
refuses()
{
    local text=$1 said code
    shift
    said=$("$QPOOL_ROOT/qpool" test "$@" 2>&1)
    code=$?
    if ((code != 2)) || [[ $said != *"$text"* ]] || [[ $(wc -l <<<"$said") != 1 ]]; then
        printf 'FAILED: ./qpool test %s: exit code %d, said: %s\n' "$*" "$code" "$said"
        failures=$((failures + 1))
    fi
}

refuses "--arch sparc is none of arm64 arm64-qt armhf i386 riscv64 windows microcontroller all" --arch sparc
refuses "--arch arm is none of" --arch=arm
refuses "--arch needs a value" --arch=
refuses "--arch needs a value" --arch
refuses "--arch goes with no other option" --arch arm64 --sanitize=thread
refuses "--arch goes with no other option" --arch arm64 --bare
refuses "--arch goes with no other option" --arch arm64 --qt 6.8.2
refuses "--arch goes with no other option" --arch arm64 --cc clang

# Each architecture in the help has a toolchain file and packages.
for file in "$QPOOL_ROOT"/cmake/toolchains/*.cmake; do
    name=$(basename "$file" .cmake)
    [[ $name != emulated-linux ]] || continue
    if ! grep -q "^$name " "$QPOOL_ROOT/cmake/packages.txt"; then
        echo "FAILED: cmake/packages.txt has no packages for $name"
        failures=$((failures + 1))
    fi
    if [[ $("$QPOOL_ROOT/qpool" test --help) != *"$name"* ]]; then
        echo "FAILED: ./qpool test --help does not tell of $name"
        failures=$((failures + 1))
    fi
done

((failures == 0))
