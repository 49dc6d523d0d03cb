// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLWEAKEXCEPTIONS_H
#define QPOOLWEAKEXCEPTIONS_H

// The functions that the compiler calls for a catch, or for code that must not throw, are in the
// C++ library, which may be missing: so each file that is compiled with exceptions refers to them
// weakly. Clang applies this only to what was declared and is used, GCC only to what was not
// declared.
#if defined(__clang__)

extern "C" {
int __gxx_personality_v0(...) __attribute__((weak));
void *__cxa_begin_catch(void *) noexcept __attribute__((weak));
void __cxa_end_catch() __attribute__((weak));
void _ZSt9terminatev() noexcept __attribute__((weak));
}
__attribute__((used)) static void *const qpool_weakly_needed[] = {
    reinterpret_cast<void *>(&__gxx_personality_v0),
    reinterpret_cast<void *>(&__cxa_begin_catch),
    reinterpret_cast<void *>(&__cxa_end_catch),
    reinterpret_cast<void *>(&_ZSt9terminatev),
};

#else

#  if !defined(__ARM_EABI__) // see qpoolpersonality.cpp
__asm__(".weak __gxx_personality_v0");
#  endif
__asm__(".weak __cxa_begin_catch\n"
        ".weak __cxa_end_catch\n");

#endif

#endif // QPOOLWEAKEXCEPTIONS_H
