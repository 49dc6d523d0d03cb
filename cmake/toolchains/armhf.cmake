# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

set(qpool_triplet arm-linux-gnueabihf)
set(CMAKE_SYSTEM_PROCESSOR armv7l)
set(qpool_emulator qemu-arm-static)
include("${CMAKE_CURRENT_LIST_DIR}/emulated-linux.cmake")
