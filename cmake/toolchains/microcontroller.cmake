# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A Cortex-M3 without an operating system, and qemu's emulation of ARM's MPS2 board with this processor
# (image AN385). An emulated instruction takes a nanosecond of the board's time (-icount shift=0), so
# its timers count instructions.

set(QPOOL_ARCH microcontroller)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR cortex-m3)
set(CMAKE_C_COMPILER arm-none-eabi-gcc)
set(CMAKE_CXX_COMPILER arm-none-eabi-g++)
# Without a linker script no program can be linked, so CMake's checks must build libraries.
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CROSSCOMPILING_EMULATOR
    "qemu-system-arm;-M;mps2-an385;-display;none;-monitor;none;-serial;none;-icount;shift=0;-semihosting-config;enable=on,target=native;-kernel")
