# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# The common part of the tests on the bare machine. They get QPOOL_ROOT, the tree that is tested, and
# QPOOL_BARE, the folder of the machines.

set -euo pipefail
export LC_ALL=C

# On CI, the folder in which ccache keeps what the other tests compiled; otherwise empty.
CACHE=
if [[ ${CI-} == true ]] && command -v ccache >/dev/null; then
    CACHE=$(ccache --get-config cache_dir)
    mkdir -p "$CACHE"
fi

say() { printf '%s\n' "$*"; }

fail()
{
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

# timed TITLE COMMAND...
timed()
{
    local title=$1 begun=$SECONDS
    shift
    say "-- $title"
    "$@" || fail "$title: exit code $?"
    say "-- $title: $(minutes $((SECONDS - begun)))"
}

minutes() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

# on_machine FOLDER USER COMMAND...: runs COMMAND with FOLDER as the root of the file system, with
# separate processes, devices and shared memory, and nothing of this machine's environment, but for CACHE.
# Processes that are left running end with the command.
on_machine()
{
    local machine=$1 user=$2
    shift 2
    # shellcheck disable=SC2016 # expanded by the inner shell
    unshare --mount --pid --fork --kill-child bash -c '
        set -e
        machine=$1 user=$2 cache=$3 configured=()
        shift 3
        mount --make-rprivate /
        mount -t proc proc "$machine/proc"
        mount --rbind /dev "$machine/dev"
        mount -t tmpfs tmpfs "$machine/dev/shm"
        cp -L /etc/resolv.conf "$machine/etc/resolv.conf"
        home=$(chroot "$machine" sh -c "getent passwd $user | cut -d: -f6")
        if [[ $cache ]]; then
            mkdir -p "$machine/mnt/ccache"
            mount --bind "$cache" "$machine/mnt/ccache"
            configured=(CCACHE_DIR=/mnt/ccache)
            [[ $user == root ]] || configured+=(CCACHE_READONLY=1 CCACHE_TEMPDIR=/tmp)
        fi
        exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            HOME="$home" LANG=C.UTF-8 CI=true "${configured[@]}" \
            chroot --userspec="$user" "$machine" "$@"
    ' bash "$machine" "$user" "$CACHE" "$@" </dev/null
}

# The first command in the README.
first_command()
{
    local command
    command=$(awk '/^```/ { code = !code; next } code && /^\.\/qpool/ { print; exit }' \
        "$QPOOL_ROOT/README.md")
    [[ $command ]] || fail "README.md names no command of ./qpool"
    printf '%s' "$command"
}

# call_first_command MACHINE USER FOLDER LOG: runs the command of the README in FOLDER; the demo runs
# for only five seconds, and also writes its snapshot.
call_first_command()
{
    rm -f "$1/$3/qpool-histogram.png" "$1/$3/snapshot.json"
    on_machine "$1" "$2" sh -c "cd /$3 && $(first_command) --seconds 5 --json snapshot.json" 2>&1 |
        tee "$4"
}

# check_demo MACHINE FOLDER: checks the files that the demo wrote.
check_demo()
{
    /usr/bin/python3 -B "$QPOOL_ROOT/tests/bare/check_demo.py" \
        "$1/$2/snapshot.json" "$1/$2/qpool-histogram.png"
}

# what_is_built FOLDER QT: of a build of Qt in the clone FOLDER, the features, and how each file is
# compiled and linked, without the names of folders.
what_is_built()
{
    grep -E '^QT_FEATURE_' "$2/CMakeCache.txt" | LC_ALL=C sort
    grep -E '^  (DEFINES|FLAGS|INCLUDES|LINK_FLAGS|LINK_LIBRARIES) = ' "$2/build.ninja" |
        sed -e "s|$1|CLONE|g" -e 's|[^ ]*/compiler-launcher||g' | LC_ALL=C sort -u
}
