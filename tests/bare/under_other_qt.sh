# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# What qpool run does if the distribution's Qt is not the one that the pooled QtCore is for: started by
# bare_packages.sh on the machine.

set -euo pipefail
export QT_QPA_PLATFORM=offscreen
fail()
{
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

# Shows which libraries designer would load.
said=$(qpool run sh -c 'ldd /usr/lib/qt6/bin/designer; exit 7' 2>&1) && status=0 || status=$?
((status == 7)) || fail "the exit code is $status, not the program's: $said"
[[ $said == *"is installed: starting on stock Qt"* ]] || fail "it does not say so: $said"
[[ $said == *libQt6Core* && $said != */qpool/libQt6Core* && $said != *libqpool-malloc* ]] || fail "it is not on stock Qt: $said"
status=0
qpool trace -o other.json true 2>trace.err || status=$?
((status)) && grep -q "records no events" trace.err || fail "qpool trace does not say why it cannot record"
grep -m 1 stock <<<"$said"
