# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash
# The common part of the tests of the packages, after common.sh.

packages=$QPOOL_BARE/packages

# The names of our packages, but for what a developer needs.
our_packages() { for deb in "$packages"/*.deb; do dpkg-deb -f "$deb" Package; done | grep -v -e '-dev$'; }

# apt_get MACHINE ARGUMENTS...
apt_get()
{
    local machine=$1
    shift
    on_machine "$machine" root env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends \
        -o Dpkg::Use-Pty=0 "$@" >"$QPOOL_BARE/apt.log" 2>&1 ||
        { tail -n 20 "$QPOOL_BARE/apt.log" >&2; fail "apt-get $* failed"; }
}

# new_machine NAME: a copy of the minimal system, with a user without rights; our packages are in /packages.
new_machine()
{
    local machine=$QPOOL_BARE/$1
    rm -rf "$machine"
    cp -a --reflink=auto "$QPOOL_BARE/minimal" "$machine"
    mkdir "$machine/packages"
    cp "$packages"/*.deb "$machine/packages/"
    apt_get "$machine" update
    on_machine "$machine" root useradd -m -s /bin/bash user
}

# as_user MACHINE SCRIPT: runs a script of this folder as that user.
as_user()
{
    install -m 755 "$(dirname "${BASH_SOURCE[0]}")/$2" "$1/home/user/$2"
    on_machine "$1" user bash -c "cd && exec bash ./$2"
}

# repack DEB FOLDER VERSION: the same package as VERSION; dependencies on its siblings follow.
repack()
{
    local unpacked old
    unpacked=$(mktemp -d -p "$QPOOL_BARE")
    dpkg-deb -R "$1" "$unpacked"
    old=$(dpkg-deb -f "$1" Version)
    sed -i "s/^Version: .*/Version: $3/; s/(= $old)/(= $3)/g" "$unpacked/DEBIAN/control"
    dpkg-deb -Zgzip -z1 --root-owner-group -b "$unpacked" "$2" >/dev/null
    rm -rf "$unpacked"
}

# unowned MACHINE: the files that belong to no package, without what changes at every call of apt.
unowned()
{
    local machine=$1
    LC_ALL=C comm -23 \
        <(cd "$machine" && find . \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./run \
            -o -path ./packages -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./var/lib/dpkg \
            -o -path ./home -o -path ./root \) -prune -o -printf '/%P\n' | LC_ALL=C sort -u) \
        <(sed -E 's,^/(bin|sbin|lib|lib32|lib64|libx32)(/|$),/usr/\1\2,' "$machine"/var/lib/dpkg/info/*.list | LC_ALL=C sort -u)
}
