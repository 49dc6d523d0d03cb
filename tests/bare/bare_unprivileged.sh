# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The same by a user who may use sudo, on a copy of the first machine, incrementally: some packages and
# a part of the build are missing. The command restores both, and does nothing else.

source "$(dirname "$0")/common.sh"
machine=$QPOOL_BARE/user

rm -rf "$machine"
timed "A second machine" cp -a --reflink=auto "$QPOOL_BARE/root" "$machine"

prepare()
{
    on_machine "$machine" root sh -ec '
        export DEBIAN_FRONTEND=noninteractive
        apt-get -q -y install --no-install-recommends sudo >/dev/null
        apt-get -q -y purge ninja-build qml6-module-qt-labs-folderlistmodel >/dev/null
        useradd -m -s /bin/bash user
        echo "user ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/user
        chown -R user:user /home/qpool
        cd /home/qpool/build
        rm demo/examples/histogram/qpool-histogram
        find demo/src -name "*.o" -delete
        find qt/*/on -name "qobject.cpp.o" -delete
    ' 2>&1
}
timed "A user with sudo, two packages fewer, no histogram" prepare

log=$QPOOL_BARE/unprivileged.log
timed "$(first_command)" call_first_command "$machine" user home/qpool "$log"
check_demo "$machine" home/qpool
grep -q '^ *installing: ninja-build qml6-module-qt-labs-folderlistmodel *$' "$log" ||
    fail "other packages than the two missing ones were installed"

timed "$(first_command), once more" call_first_command "$machine" user home/qpool "$log"
check_demo "$machine" home/qpool
if grep -E 'installing:|getting|[0-9] of [0-9]+, [0-9]+ s' "$log"; then
    fail "the second call repeated work of the first"
fi
