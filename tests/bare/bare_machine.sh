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
# For the tests of the packages.
cp -a --reflink=auto "$QPOOL_BARE/root" "$QPOOL_BARE/minimal"
