# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# 64-bit Windows: mingw's compiler with POSIX threads, for std::mutex and std::thread, and Wine.

set(QPOOL_ARCH windows)
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

# Programs are linked statically to the compiler's libraries, because Wine does not search their folder.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")

# On Debian wine64 is not in PATH unless the package wine is installed.
find_program(QPOOL_WINE NAMES wine64 wine64-stable wine-stable wine PATHS /usr/lib/wine)
# A separate folder for Wine's state, and no messages about displays.
set(CMAKE_CROSSCOMPILING_EMULATOR
    "env;WINEPREFIX=${CMAKE_BINARY_DIR}/wine;WINEDEBUG=-all;${QPOOL_WINE}")

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
