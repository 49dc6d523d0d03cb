# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# --arch arm64-qt: the pooled QtCore for arm64, built with the libraries of Debian's arm64 packages and
# run by qemu. Debian's own QtCore for arm64 is the stock that it is compared with.

# build_arch_qt has nine steps, build_arch two.
arch_qt_more_steps=7

build_arch_qt()
{
    local arch=${1%-qt} build=$QPOOL_BUILD/arch-$1 tree=$QPOOL_BUILD/arch-$1/tree sources
    local qt_dir qt_target # for the functions called here; the next processor has its own
    choose_qt
    make_tree "$arch" "$tree"
    get_qt_source
    edit_qt_source

    # QtCore, the suites and the tests have a folder as on this machine.
    sources=$qt_dir
    qt_dir=$build/$qt_version
    mkdir -p "$qt_dir"
    ln -sfn "$sources/source-pool" "$qt_dir/source-pool"
    qt_target=("-DCMAKE_TOOLCHAIN_FILE=$QPOOL_ROOT/cmake/toolchains/$arch.cmake" "-DCMAKE_SYSROOT=$tree"
        "-DQPOOL_DEBIAN_ARCH=$arch" -DQT_HOST_PATH=/usr
        "-DQT_HOST_PATH_CMAKE_DIR=/usr/lib/$(dpkg-architecture -qDEB_BUILD_MULTIARCH)/cmake")
    build_qt on Core
    offer_library "$tree/usr/lib/$(dpkg-architecture -a "$arch" -qDEB_HOST_MULTIARCH 2>/dev/null)/libQt6Core.so.6" \
        "$qt_dir/stock-runtime" libQt6Core.so.6
    build_suites suites "$qt_untouched" '' telling_suites

    configure_project "$build" -S "$QPOOL_ROOT/tests/emulated" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" "-DQPOOL_QT_DIR=$qt_dir" "${qt_target[@]}"
    build_project "$build" all
}

# make_tree ARCH FOLDER: one step. Unpacks the packages that QtCore needs, without installing them: this
# machine's packages stay as they are.
make_tree()
{
    local arch=$1 tree=$2 packages wanted mode=()
    packages=$(packages_of qt | paste -sd,)
    wanted="$(installed_qt_package) $packages"
    step "Debian's packages for $arch"
    if [[ -e $tree.made && $(<"$tree.made") == "$wanted" ]]; then
        step_done "there"
        return 0
    fi
    need_room 2
    note "getting and unpacking about 600 MB"
    # The files then belong to the user.
    ((EUID == 0)) || mode=(--mode=chrootless)
    rm -rf "$tree" "$tree.made"
    mkdir -p "$(dirname "$tree")"
    logged "$QPOOL_BUILD/log/arch-$arch-tree.log" "unpacking the packages for $arch" \
        "$QPOOL_ROOT/cmake/debian-tree" "$tree" "${mode[@]}" \
        --variant=extract "--architectures=$arch" "--include=$packages"
    printf '%s\n' "$wanted" >"$tree.made"
    step_done
}
