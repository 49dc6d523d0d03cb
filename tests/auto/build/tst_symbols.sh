# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Compares what the built libraries export with an untouched library or, if none was built, with a
# library with the flag off:
#   tst_symbols.sh stock|off

source "$(dirname "$0")/check.sh"

reference=$1
variants=(on off)
[[ $reference == off ]] || variants+=("$reference")
library() { echo "$QPOOL_QT_DIR/$1-runtime/libQt6Core.so.6"; }

exported() { nm -D --defined-only --with-symbol-versions "$1" | awk '{ print $3 }' | sort -u; }

for variant in "${variants[@]}"; do
    check "$variant was built" test -e "$(library $variant)" || true
    exported "$(library $variant)" >"$work/$variant"
    check "$variant exports something" test -s "$work/$variant"
done

if ! diff "$work/$reference" "$work/off" >"$work/difference"; then
    failed "with the flag off the symbols differ: $(head -n 5 "$work/difference")"
elif [[ $reference == stock ]]; then
    passed "with the flag off the symbols are those of an untouched tree"
fi

# The start and size of each function. The addresses in its code may differ: some of Qt's messages
# contain the paths of its sources.
layout() { readelf --debug-dump=frames "$(library "$1")" 2>/dev/null | sed -n 's/.* pc=//p'; }
for variant in "${variants[@]}"; do
    layout "$variant" >"$work/$variant-layout"
done
check "the layout of the code is known" test -s "$work/off-layout"
[[ $reference == off ]] ||
    check "with the flag off it is that of an untouched tree" cmp -s "$work/stock-layout" "$work/off-layout"
check "with the flag on it is not" bash -c "! cmp -s '$work/off-layout' '$work/on-layout'"

check_equal "the pooled library lacks none of the untouched one's" \
    "$(comm -13 "$work/on" "$work/$reference")" ""
check "the pooled library has operators" grep -q '^_ZN6QEventnwEm@' "$work/on"
check_equal "the untouched one has not" "$(grep -c '^_ZN6QEventnwEm@' "$work/$reference")" 0

# The distribution's library, if it has exactly this version. Templates and constants of std that a
# compiler emits are not part of Qt.
distribution=$(ldconfig -p | awk '/libQt6Core\.so\.6 / { print $NF; exit }')
version=$(basename "$(readlink -f "$distribution")")
if [[ $version == "$(basename "$(readlink -f "$(library on)")")" ]]; then
    exported "$distribution" | grep -v '^_ZN\?K\?St' >"$work/distribution"
    check_equal "the pooled library lacks none of the distribution's" \
        "$(comm -13 "$work/on" "$work/distribution")" ""
else
    echo "The distribution's is $version; not compared."
fi

# Otherwise the program's copy, compiled without the pool, could be used.
check_equal "the pooled library exports no inline class's deleting destructor" \
    "$(nm -D --defined-only "$(library on)" | grep -E ' [VW] _ZN.*D0Ev')" ""
check "the pooled library stays in memory" bash -c "readelf -d '$(library on)' | grep -q NODELETE"

finish
