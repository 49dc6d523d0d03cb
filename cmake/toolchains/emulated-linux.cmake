# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Debian's cross compilers, and qemu's user-mode emulation to run the programs. Included by the file
# of a processor, which sets qpool_triplet, qpool_emulator and CMAKE_SYSTEM_PROCESSOR.

get_filename_component(QPOOL_ARCH "${CMAKE_TOOLCHAIN_FILE}" NAME_WE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER "${qpool_triplet}-gcc")
set(CMAKE_CXX_COMPILER "${qpool_triplet}-g++")

# The C library's folder is also where the emulated process finds its shared libraries.
set(CMAKE_CROSSCOMPILING_EMULATOR "${qpool_emulator};-L;/usr/${qpool_triplet}")

# Search this machine for programs, and the target's folders for headers and libraries.
set(CMAKE_FIND_ROOT_PATH "/usr/${qpool_triplet}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
