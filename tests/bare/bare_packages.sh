# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The packages on a system without compilers: installed by apt, used by somebody without rights, upgraded, run
# under another Qt, and removed without a trace.

source "$(dirname "$0")/common.sh"
source "$(dirname "$0")/packages.sh"
machine=$QPOOL_BARE/installed

# The paths of our packages on the machine.
# shellcheck disable=SC2046 # one word a package
our_files() { (cd "$machine" && ls $(our_packages | sed 's,^,packages/,; s,$,_*.deb,')) | sed 's,^,/,'; }

# What belongs to the Qt that is installed later is a dependency, and stays.
# shellcheck disable=SC2046,SC2086 # one word a package
dependencies()
{
    local names
    names=$(on_machine "$machine" root apt-get -s --no-install-recommends install designer-qt6 $(our_files) |
        awk '$1 == "Inst" { print $2 }' | grep -vxF "$(our_packages)") || fail "apt finds no dependencies"
    apt_get "$machine" install $names
}

# shellcheck disable=SC2046 # one word a package
install_ours() { apt_get "$machine" install $(our_files); }

timed "A machine" new_machine installed
timed "What the packages depend on, and designer" dependencies
for tool in cc c++ cmake ninja; do
    [[ ! -e $machine/usr/bin/$tool ]] || fail "the packages install $tool"
done
unowned "$machine" >"$QPOOL_BARE/before"
timed "The packages" install_ours
timed "As a user without rights" as_user "$machine" as_user.sh
python3 -B "$QPOOL_ROOT/tests/bare/check_demo.py" "$machine/home/user/snapshot.json" "$machine/home/user/window.png" ||
    fail "the window shows no bars"

upgrade()
{
    local deb
    rm -rf "$machine/packages" "$QPOOL_BARE/newer"
    mkdir "$machine/packages" "$QPOOL_BARE/newer"
    for deb in "$packages"/*.deb; do
        [[ $deb == */libqpool-dev_* ]] || repack "$deb" "$QPOOL_BARE/newer" 0.1.9-1
    done
    cp "$QPOOL_BARE"/newer/*.deb "$machine/packages/"
    install_ours
    # shellcheck disable=SC2016 # dpkg's, not the shell's
    versions=$(on_machine "$machine" root dpkg-query -W -f '${Version}\n' $(our_packages) | sort -u)
    [[ $versions == 0.1.9-1 ]] || fail "after the upgrade, the packages have these versions: $versions"
    [[ $(on_machine "$machine" user qpool --version) == "QPool "* ]] || fail "the upgraded command does not work"
}
timed "An upgrade" upgrade

# The same Qt as a later package of the distribution.
other_qt()
{
    local deb old
    old=$(on_machine "$machine" root sh -c 'cd /tmp && apt-get -q download libqt6core6* >/dev/null 2>&1 && ls libqt6core6*.deb')
    deb=$machine/tmp/$old
    mkdir -p "$QPOOL_BARE/otherqt"
    rm -f "$QPOOL_BARE"/otherqt/*
    repack "$deb" "$QPOOL_BARE/otherqt" "$(dpkg-deb -f "$deb" Version).1"
    cp "$QPOOL_BARE"/otherqt/*.deb "$machine/packages/"
    apt_get "$machine" install "/packages/$(basename "$QPOOL_BARE"/otherqt/*.deb)"
    touch "$(readlink -f "$machine"/usr/lib/*/libQt6Core.so.6.*)"
    as_user "$machine" under_other_qt.sh
}
timed "Another Qt under it" other_qt

remove()
{
    # shellcheck disable=SC2046 # one word a package
    apt_get "$machine" purge $(our_packages)
    unowned "$machine" >"$QPOOL_BARE/after"
    diff "$QPOOL_BARE/before" "$QPOOL_BARE/after" || fail "the removed packages left files (>), or took others (<)"
    local left
    left=$(find "$machine" -xdev \( -path "$machine/home" -o -path "$machine/packages" -o -path "$machine/proc" \) -prune \
        -o -iname '*qpool*' -print)
    [[ ! $left ]] || fail "the removed packages left $left"
}
timed "Removed" remove
# The comparison notices what is left.
touch "$machine/usr/share/left-behind"
! diff <(unowned "$machine") "$QPOOL_BARE/before" >/dev/null || fail "a file that is left is not noticed"
say "nothing is left"
