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

# The program looks at what itself has loaded: the library of this line's process.
said=$(qpool run sh -c 'echo "preloaded: ${LD_PRELOAD-} ${LD_LIBRARY_PATH-}"; exit 7' 2>&1) && status=0 || status=$?
((status == 7)) || fail "the exit code is $status, not the program's: $said"
[[ $said == *"is installed: starting on stock Qt"* ]] || fail "it does not say so: $said"
[[ $said == *"preloaded:  "* || $said == *"preloaded: "$'\n'* || $said != *libqpool* ]] || fail "the pool is preloaded: $said"
status=0
qpool trace -o other.json true 2>trace.err || status=$?
((status)) && grep -q "records no events" trace.err || fail "qpool trace does not say why it cannot record"
echo "$said"
