# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# --arch: the allocator's tests on other processors and systems, compiled by Debian's cross compilers
# and run by an emulator. Each has a toolchain file in cmake/toolchains and a group of packages with its
# name; arm64-qt has arm64's toolchain file.

arch_names=(arm64 arm64-qt armhf i386 riscv64 windows microcontroller)

arch_help_options()
{
    cat <<'HELP'
  --arch NAME    run the allocator's tests on another processor or system, without Qt: arm64,
                 armhf, riscv64 (run by qemu), i386 (by the machine itself), windows (run by Wine),
                 microcontroller (a Cortex-M3, run by qemu); or arm64-qt, the pooled QtCore for arm64
                 with Qt's own suites (run by qemu); or all of them. Tests that cannot run there are
                 listed with the reason
HELP
}

check_arch()
{
    local name
    for name in "${arch_names[@]}" all; do
        [[ $1 != "$name" ]] || return 0
    done
    usage_error "--arch $1 is none of ${arch_names[*]} all: see ./qpool test --help"
}

# test_archs NAME CTEST_ARGUMENTS...
test_archs()
{
    local names=("$1") name failed=()
    shift
    [[ ${names[0]} != all ]] || names=("${arch_names[@]}")
    qpool_steps=1
    for name in "${names[@]}"; do
        qpool_steps=$((qpool_steps + 3))
        [[ $name != *-qt ]] || qpool_steps=$((qpool_steps + arch_qt_more_steps))
    done
    take_lock
    install_packages build "${names[@]}"
    for name in "${names[@]}"; do
        if ! can_run "$name"; then
            ((${#names[@]} > 1)) || fail "$cannot_run: use a machine whose kernel has IA32 emulation"
            qpool_steps=$((qpool_steps - 2))
            step "Running the tests of $name"
            step_done "not run: $cannot_run"
            failed+=("$name")
            continue
        fi
        if [[ $name == *-qt ]]; then
            build_arch_qt "$name"
        else
            build_arch "$name"
        fi
        if ((${#names[@]} == 1)); then
            show_left_out "$name"
            run_arch "$name" "$@"
            return
        fi
        step "Running the tests of $name"
        show_left_out "$name"
        if run_arch "$name" --quiet -O "$QPOOL_BUILD/log/$name-tests.log" "$@"; then
            step_done "$(arch_summary "$name")"
        else
            failed+=("$name")
            step_done "$(arch_summary "$name"): see $QPOOL_BUILD/log/$name-tests.log"
        fi
    done
    ((${#failed[@]} == 0)) || fail "tests failed, or were not run, of: ${failed[*]}"
}

# A kernel or a virtual machine may not support 32-bit programs.
cannot_run="this machine runs no 32-bit x86 programs"
can_run()
{
    [[ $1 != i386 ]] || /usr/i686-linux-gnu/lib/ld-linux.so.2 --version >/dev/null 2>&1
}

# Two steps.
build_arch()
{
    local build=$QPOOL_BUILD/arch-$1 source=()
    [[ $1 != microcontroller ]] || source=(-S "$QPOOL_ROOT/examples/microcontroller")
    # -O3 would find no more errors and take longer.
    configure_project "$build" "${source[@]}" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DQPOOL_INSTALL=OFF \
        "-DCMAKE_TOOLCHAIN_FILE=$QPOOL_ROOT/cmake/toolchains/$1.cmake"
    build_project "$build" all
}

show_left_out()
{
    local line file=$QPOOL_BUILD/arch-$1/left-out.txt
    [[ -e $file ]] || return 0
    show_step
    while IFS= read -r line; do
        note "left out: $line"
    done <"$file"
}

# Wine makes its folder when it starts for the first time. Of two programs that start at once, one
# would fail.
start_wine()
{
    local wine
    wine=$(sed -n 's/^QPOOL_WINE:FILEPATH=//p' "$1/CMakeCache.txt")
    logged "$QPOOL_BUILD/log/wine.log" "starting Wine" \
        env "WINEPREFIX=$1/wine" WINEDEBUG=-all "$wine" cmd /c exit
}

# Emulated code is about ten times as slow, so the tests run a tenth of the operations by default.
run_arch()
{
    local build=$QPOOL_BUILD/arch-$1
    [[ $1 != windows ]] || start_wine "$build"
    shift
    QPOOL_TEST_DIVISOR=${QPOOL_TEST_DIVISOR:-10} WINEDEBUG=${WINEDEBUG:--all} \
        CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)} \
        ctest --test-dir "$build" --output-on-failure --no-tests=error "$@" 9>&-
}

arch_summary()
{
    grep -E '^[0-9]+% tests passed' "$QPOOL_BUILD/log/$1-tests.log" || echo "no test was run"
}
