#!/bin/bash
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds QtCore after each patch of the series, with all features on, and runs tst_qobject and
# tst_qeventloop on it. Started by hand, because it takes hours:
#   buildsteps.sh SOURCE FOLDER PROGRAMS [STEP...]
# SOURCE is an untouched qtbase tree; FOLDER receives the patched tree and the builds; PROGRAMS contains
# the two test programs in some subfolder, like build/qt/VERSION/suites after ./qpool test
# --conformance. Without STEPs it builds all, from the last to the first: ccache has the objects of the
# last from ./qpool build, and for each earlier step the objects that a patch does not change.

set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if (($# < 3)); then
    sed -n '5,14s/^# \?//p' "${BASH_SOURCE[0]}" >&2
    exit 2
fi
source_tree=$(realpath "$1") folder=$(realpath -m "$2") programs=$(realpath "$3")
shift 3

# Outside of the tree, because Qt's build looks for a .git in it. The folders have the same names as
# those below build/qt/VERSION, so that ccache finds their contents.
tree=$folder/source-pool
export GIT_DIR=$folder/history GIT_WORK_TREE=$tree
export GIT_COMMITTER_NAME=steps GIT_COMMITTER_EMAIL=steps@localhost
export CCACHE_BASEDIR=$folder CCACHE_NOHASHDIR=1

prepare()
{
    local series
    mkdir -p "$folder/log"
    env -u GIT_DIR -u GIT_WORK_TREE "$root/qpool" patches "$folder/series" --source "$source_tree"
    cp -a "$source_tree" "$tree"
    rm -rf "$tree/.git" "$tree/.pc" "$tree/debian"
    series=("$folder"/series/*.patch)
    cd "$tree"
    git init -q
    git add -A -f
    git commit -q --author "Qt <steps@localhost>" -m untouched
    git tag untouched
    git am -q "${series[@]}"
    git tag series
}

# build STEP
build()
{
    local same=()
    [[ $(dpkg-query -W -f '${source:Upstream-Version}' qt6-base-dev 2>/dev/null) != \
        "$(sed -n 's/.*QT_REPO_MODULE_VERSION "\(.*\)").*/\1/p' "$tree/.cmake.conf")"* ]] ||
        same=(-DQPOOL_SAME_VERSION=ON)
    cmake -DFEATURE_pool_allocator=ON -DFEATURE_economical_wakeup=ON \
        -DFEATURE_nested_loop_wakeup=ON -DFEATURE_object_fast_paths=ON \
        -DFEATURE_event_latency=ON \
        "${same[@]}" -C "$root/cmake/QtOptions.cmake" \
        -S "$tree" -B "$folder/on" -G Ninja >"$folder/log/$1-configure.log" 2>&1 &&
        ninja -C "$folder/on" Core >"$folder/log/$1-build.log" 2>&1
}

# run STEP NAME
run()
{
    local program library
    program=$(find -L "$programs" -type f -perm -u+x -name "tst_$2" | head -n 1)
    library=$(dirname "$(find "$folder/on/lib" -name libQt6Core.so.6 | head -n 1)")
    [[ $program ]] || { echo "no tst_$2 below $programs"; return 1; }
    (
        cd "$(dirname "$program")"
        export LD_LIBRARY_PATH=$library QT_QPA_PLATFORM=offscreen
        # grep -q would end before ldd has written all, which pipefail counts as a failure.
        ldd "$program" | grep -F "$library/libQt6Core.so.6" >/dev/null ||
            { echo "tst_$2 would run on another QtCore"; exit 1; }
        status=0
        "$program" >"$folder/log/$1-$2.log" 2>&1 || status=$?
        echo "tst_$2 $(grep -a '^Totals' "$folder/log/$1-$2.log" || echo "ended without totals")"
        exit "$status"
    )
}

[[ -d $folder/history ]] || prepare
cd "$folder"
mapfile -t commits < <(git rev-list --reverse untouched..series)
steps=("$@")
if ((!${#steps[@]})); then
    mapfile -t steps < <(seq "${#commits[@]}" -1 1)
fi
failures=0
for step in "${steps[@]}"; do
    git checkout -q "${commits[step - 1]}"
    begun=$SECONDS
    printf 'step %s, %s: ' "$step" "$(git log -1 --format=%s)"
    if build "$step" && run "$step" qobject >"$folder/log/$step" && run "$step" qeventloop >>"$folder/log/$step"; then
        printf 'passed in %d s; %s\n' $((SECONDS - begun)) "$(paste -sd ';' "$folder/log/$step")"
    else
        printf 'FAILED: see %s\n' "$folder/log/$step-*"
        failures=$((failures + 1))
    fi
done
exit $((failures > 0))
