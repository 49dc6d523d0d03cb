# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

set(qpool_triplet i686-linux-gnu)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(qpool_emulator qemu-i386-static)
include("${CMAKE_CURRENT_LIST_DIR}/emulated-linux.cmake")
