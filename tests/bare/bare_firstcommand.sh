# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# A clone, and the first command of the README, by root on the bare machine.

source "$(dirname "$0")/common.sh"
machine=$QPOOL_BARE/root

if [[ $(git -C "$QPOOL_ROOT" status --porcelain) ]]; then
    say "What is tested is the last commit: there are changes that are not committed."
fi
begun=$SECONDS
rm -rf "$machine/home/qpool"
timed "Clone of $(git -C "$QPOOL_ROOT" rev-parse --short HEAD)" \
    git clone --quiet --no-hardlinks "$QPOOL_ROOT" "$machine/home/qpool"
timed "$(first_command)" call_first_command "$machine" root home/qpool "$QPOOL_BARE/firstcommand.log"
say "clone to window: $(minutes $((SECONDS - begun)))"
check_demo "$machine" home/qpool
