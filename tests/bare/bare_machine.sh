# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Makes a minimal system: the essential packages and apt.

source "$(dirname "$0")/common.sh"

# Creates five machines.
free=$(df -Pk "$QPOOL_BARE" | awk 'NR == 2 { print $4 }')
((free >= 8 * 1024 * 1024)) ||
    fail "the disk of $QPOOL_BARE has $((free / 1024)) MB left and 8 GB are needed: free some, or set QPOOL_BUILD_DIR to a folder on another disk"

# Removes what an earlier run left. Nothing is mounted there, because mounts end with their command.
rm -rf "$QPOOL_BARE"/{root,user,minimal,installed,development}
timed "A minimal system" "$QPOOL_ROOT/cmake/debian-tree" "$QPOOL_BARE/root" --mode=root --variant=apt

for tool in cc c++ cmake ninja ccache git python3 sudo; do
    [[ ! -e $QPOOL_BARE/root/usr/bin/$tool ]] || fail "the bare machine has $tool"
done
say "$(chroot "$QPOOL_BARE/root" dpkg-query -W | wc -l) packages are there"
if [[ $CACHE ]]; then
    # A precondition of the cache is that each header is there, with the content that it had when the object was made.
    timed "The compilers' cache, because CI has no time to compile everything twice" \
        on_machine "$QPOOL_BARE/root" root sh -ec '
            apt-get -q -y update >/dev/null
            DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends ccache >/dev/null'
fi
# For the tests of the packages.
cp -a --reflink=auto "$QPOOL_BARE/root" "$QPOOL_BARE/minimal"
