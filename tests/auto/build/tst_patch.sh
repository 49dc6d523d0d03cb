# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# qtbase.patch, which the build writes for review.

source "$(dirname "$0")/check.sh"

patch_file=$QPOOL_QT_DIR/qtbase.patch
untouched=$QPOOL_QT_DIR/source
[[ -d $untouched ]] || skip "Qt's source is a checkout outside the build folder"

check "the patch applies to the untouched source" \
    patch -s -p1 --dry-run -d "$untouched" -i "$patch_file"
for file in src/corelib/kernel/{qcoreevent.h,qobject.h,qpooloperators.h,qpooloperators.cpp} \
    src/corelib/kernel/{qobjectdefs_impl.h,qpoolslotoperators.h} \
    src/corelib/kernel/qeventdispatcher_{unix,glib}.cpp src/corelib/{configure.cmake,CMakeLists.txt} \
    src/corelib/global/qconfig-bootstrapped.h src/3rdparty/qpool/allocator/qpoolglobal.h; do
    check "the patch has $file" grep -q "^+++ b/$file\$" "$patch_file"
done
check_equal "the patch only adds" "$(grep -c '^-[^-]' "$patch_file")" 0
check_equal "and names no folder of this machine" "$(grep -cF "$QPOOL_ROOT" "$patch_file")" 0

finish
