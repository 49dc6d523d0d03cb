# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# A clone, and the first command of the README, by root on the bare machine.

source "$(dirname "$0")/common.sh"
machine=$QPOOL_BARE/root

if [[ $(git -C "$QPOOL_ROOT" status --porcelain) ]]; then
    say "This tests the last commit, without the uncommitted changes."
fi
begun=$SECONDS
rm -rf "$machine/home/qpool"
timed "Clone of $(git -C "$QPOOL_ROOT" rev-parse --short HEAD)" \
    git clone --quiet --no-hardlinks "$QPOOL_ROOT" "$machine/home/qpool"
timed "$(first_command)" call_first_command "$machine" root home/qpool "$QPOOL_BARE/firstcommand.log"
say "clone to window: $(minutes $((SECONDS - begun)))"
check_demo "$machine" home/qpool

# The machine is not part of the product, but what it builds is.
qt=$(cd "$machine/home/qpool/build/qt" && echo [0-9]*)
mine=$(dirname "$QPOOL_BARE")/qt/$qt/on
if [[ ! -e $mine/build.ninja ]]; then
    say "The build is not compared with this machine's: there is none in $mine"
else
    cmp -s "$machine/home/qpool/build/qt/$qt/qtbase.patch" "$(dirname "$mine")/qtbase.patch" ||
        fail "the build in $mine is of other sources than HEAD, so they cannot be compared: ./qpool build first"
    # This machine's build folder may be outside of the clone.
    diff <(what_is_built /home/qpool "$machine/home/qpool/build/qt/$qt/on") \
        <(what_is_built "$QPOOL_ROOT" "$mine" | sed "s|$(dirname "$QPOOL_BARE")|CLONE/build|g") ||
        fail "the built files differ between the bare machine (<) and this one (>)"
    say "Qt $qt is built there as it is here, each feature and option"
fi
