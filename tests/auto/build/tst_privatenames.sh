# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Since 6.6 Qt's build gives every symbol that contains the name of a class of a private header
# the version Qt_6_PRIVATE_API. A name as short as Layout also occurs in symbols of Qt's own, and
# programs that were linked to these would no longer find them.

source "$(dirname "$0")/check.sh"

headers=$(find "$QPOOL_ROOT/src/corelib" -name '*_p.h')
check "there are private headers" test -n "$headers"

# shellcheck disable=SC2086 # one word a header
names=$(sed -nE 's/^(class|struct|union) +(Q[A-Z0-9_]+_(EXPORT|LOCAL) +)?([A-Za-z0-9_]+).*/\4/p' $headers | sort -u)
check "they name classes" test -n "$names"
for name in $names; do
    # No symbol of QtCore's own contains the last two.
    check "$name can only be ours" grep -qE '^(Q(Pool|WakeUp)|Latency|Tick)[A-Z]' <<<"$name"
done

finish
