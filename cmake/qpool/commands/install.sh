# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_install() { echo "install the pooled Qt and the allocator into a folder"; }
group_install=build

help_install()
{
    cat <<'HELP'
usage: ./qpool install --prefix DIR [--full] [--qt VERSION | --source DIR] [--jobs N]

Builds what is missing and installs it into DIR: libraries, headers and CMake's package files.
DIR must be a new or empty folder, or one that an earlier call created. It can be moved
afterwards. Programs find it with cmake -DCMAKE_PREFIX_PATH=DIR:
find_package(Qt6 COMPONENTS Core), and find_package(QPool) for the libraries without Qt:
QPool::Allocator, QPool::Pools, QPool::SharedMemory, QPool::Shared with all of them, and
QPool::Malloc, by which all of a program's malloc() comes from the pool. DIR/bin/qpool-run PROGRAM
starts one that is installed already.

  --prefix DIR   install into DIR
  --full         install all of qtbase, to build programs with windows (./qpool build --full).
                 Without it: QtCore, QtXml, QtConcurrent and QtTest, with the distribution's plugins
HELP
    qt_help_options
}

command_install()
{
    local variant=on prefix='' operands=()
    take_options "$qt_options --full --prefix=" take_install_option "$@"
    [[ $prefix ]] || usage_error "install needs --prefix DIR: see ./qpool install --help"
    prefix=$(realpath -m -- "$prefix")
    check_prefix "$prefix"

    qpool_steps=8
    if [[ $variant == full ]]; then
        prepare_source install full
    else
        prepare_source install
    fi
    build_qt "$variant" all
    configure_allocator
    build_project "$allocator_build" QPoolAllocator QPoolPools QPoolSharedMemory QPoolShared QPoolMalloc

    step "Installing into $prefix"
    install_into "$prefix" "$qt_dir/$variant" "$allocator_build"
    step_done
    say "Installed: cmake -DCMAKE_PREFIX_PATH=$prefix finds it; doc/compatibility.md says what to build against it"
}

# Sets $variant and $prefix.
take_install_option()
{
    case $1 in
    --full) variant=full ;;
    --prefix) prefix=$2 ;;
    esac
}

# Checked before an hour of building, not after it.
check_prefix()
{
    local prefix=$1
    # The dynamic linker splits paths at the last two, and CMake takes the others as wildcards.
    [[ $prefix != *[][*?:\;]* ]] || fail "neither CMake nor the dynamic linker takes $prefix as one path, because of one of []*?:; in it: give --prefix another"
    if [[ -e $prefix && ! -d $prefix ]]; then
        fail "$prefix is not a folder: give --prefix a new or an empty one"
    fi
    if [[ -d $prefix && ! -e $(installed_files "$prefix") && -n $(ls -A "$prefix" 2>/dev/null) ]]; then
        fail "$prefix is not empty and holds no installation of QPool's: give --prefix a new or an empty folder"
    fi
    local existing=$prefix
    while [[ ! -e $existing ]]; do
        existing=$(dirname "$existing")
    done
    if [[ ! -d $existing || ! -w $existing ]]; then
        fail "cannot write to $existing: give --prefix a folder of your own, or run ./qpool install as its owner"
    fi
}

# install_into PREFIX BUILD...: prepares everything in a folder within PREFIX, which is on the same file
# system with the same permissions, and only then moves it into place.
install_into()
{
    local prefix=$1 build drop_in=OFF
    shift
    # Global, for the trap.
    stage=$prefix/.qpool-unfinished
    stage_created=
    [[ -d $prefix ]] || stage_created=$prefix
    trap 'rm -rf "$stage"; [[ ! $stage_created ]] || rmdir "$stage_created" 2>/dev/null || true' EXIT
    rm -rf "$stage"
    mkdir -p "$stage" 2>/dev/null ||
        fail "cannot write to $prefix: give --prefix a folder of your own, or run ./qpool install as its owner"

    for build in "$@"; do
        DESTDIR=$stage logged "$QPOOL_BUILD/log/install.log" "installing from $build" \
            cmake --install "$build" --prefix "$prefix"
    done
    local made=$stage$prefix
    [[ $1 != */on ]] || drop_in=ON
    cmake_script "$QPOOL_BUILD/log/relocate.log" RelocateInstallation.cmake \
        "-DFOLDER=$made" "-DDROP_IN=$drop_in"
    # Qt installs empty folders. The list of files does not name them, so they would stay for ever.
    find "$made" -depth -type d -empty -delete
    mkdir -p "$made/share/qpool" "$made/bin"
    install -m 755 "$QPOOL_ROOT/cmake/qpool-run" "$made/bin/"
    (cd "$made" && find . \( -type f -o -type l \) -printf '%P\n' | LC_ALL=C sort) >"$stage/files"
    mv "$stage/files" "$(installed_files "$made")"
    printf 'share/qpool/installed-files\n' >>"$(installed_files "$made")"

    remove_former "$prefix" "$(installed_files "$made")"
    # Links instead of copies: they need no space, and leave no file half-copied.
    logged "$QPOOL_BUILD/log/install.log" "installing into $prefix" \
        cp -al --remove-destination "$made/." "$prefix/"
    rm -rf "$stage"
    trap - EXIT
}
