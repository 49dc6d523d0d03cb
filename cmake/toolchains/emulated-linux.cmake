# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Debian's cross compilers, and qemu's user-mode emulation to run the programs. Included by the file
# of a processor, which sets qpool_triplet, qpool_emulator and CMAKE_SYSTEM_PROCESSOR.

get_filename_component(QPOOL_ARCH "${CMAKE_TOOLCHAIN_FILE}" NAME_WE)
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_C_COMPILER "${qpool_triplet}-gcc")
set(CMAKE_CXX_COMPILER "${qpool_triplet}-g++")

# Libraries come from CMAKE_SYSROOT, where ./qpool unpacked the target's packages, or else from the
# cross compiler's folder, which has the C and C++ library alone. The emulated process finds its shared
# libraries there, too.
set(qpool_libraries "/usr/${qpool_triplet}")
if(CMAKE_SYSROOT)
    set(qpool_libraries "${CMAKE_SYSROOT}")
    set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
    set(ENV{PKG_CONFIG_LIBDIR}
        "${CMAKE_SYSROOT}/usr/lib/${qpool_triplet}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
    set(CMAKE_LIBRARY_ARCHITECTURE "${qpool_triplet}")
endif()
set(CMAKE_CROSSCOMPILING_EMULATOR "${qpool_emulator};-L;${qpool_libraries}")

# Search this machine for programs, and the target's folders for headers and libraries.
set(CMAKE_FIND_ROOT_PATH "${qpool_libraries}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
