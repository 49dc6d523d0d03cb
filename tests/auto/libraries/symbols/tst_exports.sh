# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# What the shared libraries promise: each symbol of the lists in this folder is exported, and the number in the SONAME is
# the list's. A symbol that goes, or has other parameters, needs another number; a new one is added to the list.
#   tst_exports.sh LIBQPOOL LIBQPOOL-MALLOC [--write]

source "$(dirname "$0")/../../build/check.sh"
here=$(cd "$(dirname "$0")" && pwd)
shared=$1 malloc=$2 write=${3-}

# Without the level of hardening and the size of cache lines, which are the builder's choice.
exported() { nm -D --defined-only "$1" | awk '{ print $3 }' | LC_ALL=C sort -u; }
plain() { c++filt | sed -E 's/hardened[0-9]+_line[0-9]+/BUILD/g' | LC_ALL=C sort -u; }

# The classes and functions of public headers that are in the library. All others are details that templates use: they
# belong to the release that a program was compiled for.
promised_of_shared()
{
    exported "$1" | plain | grep -E '^QPool::v[0-9]+_BUILD::(SharedSegment|HugeMemory|CachePublication|errorText|lockName|Abi)\b'
}

# Everything but the pool's own, which QtCore of the same build shares.
promised_of_malloc() { exported "$1" | grep -vE '^_Z(N|NK|ZN|GVN|ZNK)5QPool'; }

list() { grep -v '^#' "$here/$1.txt"; }
soname() { readelf -d "$1" | sed -nE 's/.*\(SONAME\).*\[(.*)\]/\1/p'; }
listed_soname() { sed -nE 's/^# SONAME: //p' "$here/$1.txt"; }

# write_list NAME LIBRARY FUNCTION
write_list()
{
    {
        # REUSE-IgnoreStart
        printf '# Copyright (C) 2026 The QPool authors\n# SPDX-License-Identifier: BSD-3-Clause\n#\n'
        # REUSE-IgnoreEnd
        printf '# Written by tst_exports.sh --write.\n# SONAME: %s\n' "$(soname "$2")"
        "$3" "$2"
    } >"$here/$1.txt"
}

if [[ $write == --write ]]; then
    write_list libqpool "$shared" promised_of_shared
    write_list libqpool-malloc "$malloc" promised_of_malloc
    exit 0
fi

# compare NAME LIBRARY FUNCTION
compare()
{
    local gone new
    check_equal "the SONAME of $1 is the list's" "$(soname "$2")" "$(listed_soname "$1")"
    gone=$(LC_ALL=C comm -23 <(list "$1") <("$3" "$2"))
    new=$(LC_ALL=C comm -13 <(list "$1") <("$3" "$2"))
    check_equal "$1 exports what it did; otherwise, its SONAME needs another number" "$gone" ""
    check_equal "$1 exports nothing else; otherwise, add it: tst_exports.sh ... --write" "$new" ""
}
compare libqpool "$shared" promised_of_shared
compare libqpool-malloc "$malloc" promised_of_malloc

check_equal "the number in the SONAME is that in the names of the symbols" \
    "$(list libqpool | grep -oE 'QPool::v[0-9]+' | sort -u)" "QPool::v$(soname "$shared" | sed 's/.*so\.//')"
# A program must find these whatever library it was linked with.
check_equal "no function of the malloc front has a version" \
    "$(readelf --dyn-syms -W "$malloc" | awk '$7 != "UND" && $8 ~ /@/ { print $8 }' | xargs)" ""
for function in malloc calloc realloc free aligned_alloc posix_memalign malloc_usable_size _Znwm _ZdlPv; do
    check "the malloc front has $function" grep -qx "$function" <(promised_of_malloc "$malloc")
done

# The arena of threads that have none, 50 KB, is all zero.
check "the malloc front has less than 8 KiB of initialised data" \
    test "$(size -A "$malloc" | awk '$1 == ".data" { print $2 }')" -lt 8192

# The comparison notices a symbol that is gone.
printf 'int other;\n' | gcc -shared -x c -o "$work/other.so" - 2>/dev/null &&
    check_equal "another library has none of them" "$(promised_of_shared "$work/other.so")" ""
finish
