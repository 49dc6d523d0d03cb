# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# The pooled library looks for everything where the distribution's does.

source "$(dirname "$0")/check.sh"

qtpaths=/usr/lib/qt6/bin/qtpaths
[[ -x $qtpaths ]] || skip "there is no $qtpaths"

"$qtpaths" --query | grep -v '^QT_VERSION' >"$work/distribution"
LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime "$qtpaths" --query | grep -v '^QT_VERSION' >"$work/pooled"
check "qtpaths tells something" test -s "$work/distribution"
check_equal "and the same on both" "$(diff "$work/distribution" "$work/pooled")" ""
check_contains "on the pooled library indeed" \
    "$(LD_LIBRARY_PATH=$QPOOL_QT_DIR/on-runtime LD_DEBUG=libs "$qtpaths" --plugin-dir 2>&1)" \
    "$QPOOL_QT_DIR/on-runtime/libQt6Core.so.6"

finish
