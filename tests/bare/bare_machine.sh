# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Makes a minimal system of this machine's own release, from this machine's own mirrors: the
# essential packages and apt.

source "$(dirname "$0")/common.sh"

# Creates two machines.
free=$(df -Pk "$QPOOL_BARE" | awk 'NR == 2 { print $4 }')
((free >= 8 * 1024 * 1024)) ||
    fail "the disk of $QPOOL_BARE has $((free / 1024)) MB left and 8 GB are needed: free some, or set QPOOL_BUILD_DIR to a folder on another disk"

codename=$(. /etc/os-release && echo "${VERSION_CODENAME-}")
[[ $codename ]] || fail "/etc/os-release names no release (VERSION_CODENAME)"
sources=$(find /etc/apt/sources.list /etc/apt/sources.list.d -name '*.list' -o -name '*.sources' 2>/dev/null || true)
# shellcheck disable=SC2086 # one word a file
list=$(awk -v types=deb -v "codename=$codename" -f "$QPOOL_ROOT/cmake/AptSources.awk" $sources)
[[ $list ]] || fail "/etc/apt names no archive of $codename's main packages"

# The bare machine reaches the archive as this machine does: with its proxies and the keys of mirrors.
options=()
while IFS= read -r option; do
    options+=("--aptopt=$option")
done < <(apt-config dump | grep -iE '^Acquire::(https?|ftp)::Proxy' || true)
for key in $(sed -n 's/^Signed-By: *\(\/.*\)/\1/p' <<<"$list" | sort -u); do
    options+=("--setup-hook=mkdir -p \"\$1$(dirname "$key")\" && cp -L '$key' \"\$1$key\"")
done

# Removes what an earlier run left. Nothing is mounted there, because mounts end with their command.
rm -rf "$QPOOL_BARE/root" "$QPOOL_BARE/user" "$QPOOL_BARE/unfinished"
timed "A minimal system of $codename" \
    mmdebstrap --quiet --mode=root --variant=apt "${options[@]}" \
    "$codename" "$QPOOL_BARE/unfinished" - <<<"$list"
mv "$QPOOL_BARE/unfinished" "$QPOOL_BARE/root"

for tool in cc c++ cmake ninja ccache git python3 sudo; do
    [[ ! -e $QPOOL_BARE/root/usr/bin/$tool ]] || fail "the bare machine has $tool"
done
say "$(chroot "$QPOOL_BARE/root" dpkg-query -W | wc -l) packages are there"
