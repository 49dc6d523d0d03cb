# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash

summary_package() { echo "make Debian packages, or an archive of the source"; }
group_package=build

help_package()
{
    cat <<'HELP'
usage: ./qpool package [--output DIR] [--source] [--jobs N]

Builds what is missing, and makes Debian packages of it for the Qt of this distribution: the
libraries, their files for development, the malloc front, the pooled QtCore, the command with its
tools, and the window. lintian checks them. doc/install.md says what each is for and how to install
them. DEBFULLNAME and DEBEMAIL name the maintainer, as for Debian's tools; without them the packages
say that they have none.

  --output DIR   write them into DIR (default: build/packages); earlier files of the same kind there
                 are removed
  --source       make an archive of the source at the last commit instead, with its SPDX document;
                 made twice, it is the same, byte for byte
  --jobs N       compile N files at a time (default: the number of processors)
HELP
}

command_package()
{
    local output=$QPOOL_BUILD/packages archive='' operands=()
    take_options "--output= --source --jobs=" take_package_option "$@"
    output=$(realpath -m -- "$output")
    [[ ! -e $output || -d $output ]] || fail "$output is not a folder: give --output a folder"
    if [[ $archive ]]; then
        package_source "$output"
    else
        package_debian "$output"
    fi
}

# Sets $output and $archive.
take_package_option()
{
    case $1 in
    --output) output=$2 ;;
    --source) archive=yes ;;
    esac
}

package_debian()
{
    umask 022 # what is installed is for everybody
    local output=$1 build=$QPOOL_BUILD/package stage=$QPOOL_BUILD/package/staged maintainer
    choose_maintainer
    qpool_steps=10
    prepare_source view tools package
    build_qt on Core

    step "The files of the packages"
    rm -rf "$stage"
    stage_command "$stage/command"
    stage_qtcore "$stage/qtcore"
    stage_documents "$stage/doc"
    step_done

    SOURCE_DATE_EPOCH=$(source_time)
    export SOURCE_DATE_EPOCH
    configure_project "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr -DQPOOL_BUILD_TESTS=OFF \
        -DQPOOL_BUILD_TOOLS=ON "-DQPOOL_QT_DIR=$qt_dir" \
        -DQPOOL_PACKAGES=ON "-DQPOOL_PACKAGES_STAGE=$stage" "-DQPOOL_PACKAGES_QT=$(qtcore_package)" \
        "-DQPOOL_PACKAGES_QT_VERSION=$(qt_number_of "$qt_version")" "-DQPOOL_PACKAGES_MAINTAINER=$maintainer" \
        "-DQPOOL_PACKAGES_VIEW=$(packages_of view | grep -E '^(qml6-|qt6-wayland|fonts-)' | paste -sd';')" \
        "-DCMAKE_CXX_FLAGS=\"-ffile-prefix-map=$QPOOL_ROOT=.\" \"-ffile-prefix-map=$build=build\"" \
        "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,relro,-z,now" "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,relro,-z,now"
    build_project "$build" QPoolAllocator QPoolPools QPoolSharedMemory QPoolShared QPoolMalloc \
        qpool-top qpool-census qpool-memory qpool-heap qpool-check qpool-histogram

    step "Packages"
    rm -rf "$build/made"
    # Only what is newer than the time of the source gets that time.
    find "$stage" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
    logged "$QPOOL_BUILD/log/package.log" "making the packages" \
        env -C "$build" cpack -G DEB -B "$build/made" --config "$build/CPackConfig.cmake"
    step_done "$(find "$build/made" -maxdepth 1 -name '*.deb' | wc -l) packages"

    step "lintian"
    # A package that is not uploaded to Debian closes none of its bugs.
    local log=$QPOOL_BUILD/log/lintian.log status=0 warnings
    lintian --allow-root --no-cfg --fail-on error --tag-display-limit 0 \
        --suppress-tags initial-upload-closes-no-bugs "$build"/made/*.deb >"$log" 2>&1 || status=$?
    if ((status)); then
        grep '^E:' "$log" >&2 || tail -n 10 "$log" >&2
        fail "lintian finds errors in the packages: see $log"
    fi
    warnings=$(grep -c '^W:' "$log") || true
    step_done "no errors, $warnings warnings: $log"
    deliver "$output" "$build"/made/*.deb
    say "Made: apt-get install $output/*.deb installs them; doc/install.md says what each is for"
}

# deliver FOLDER FILE...: puts the files into FOLDER, in place of other versions of them there.
deliver()
{
    local folder=$1 file stem
    shift
    rm -rf "$folder/.unfinished"
    mkdir -p "$folder/.unfinished" 2>/dev/null || fail "cannot write to $folder: give --output a folder of your own"
    cp "$@" "$folder/.unfinished/"
    for file; do
        file=${file##*/}
        stem=${file%%[-_][0-9]*}
        find "$folder" -maxdepth 1 -type f -name "$stem[-_][0-9]*.${file##*.}" -delete
    done
    mv "$folder"/.unfinished/* "$folder/"
    rmdir "$folder/.unfinished"
}
