// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

// On 32-bit ARM, GNU's assembler refuses a weak personality routine, so qpoolweakexceptions.h cannot
// make it one. The unwinder calls this routine instead, and only while an exception passes through this
// library: then the C++ library is loaded, and has the real one.

#include "../qpoolglobal.h"

#if defined(__ARM_EABI__) && !defined(__clang__)

#include <dlfcn.h>
#include <unwind.h>

extern "C" QPOOL_LOCAL _Unwind_Reason_Code __gxx_personality_v0(_Unwind_State state,
                                                                _Unwind_Control_Block *exception,
                                                                _Unwind_Context *context)
{
    using Personality = _Unwind_Reason_Code(_Unwind_State, _Unwind_Control_Block *, _Unwind_Context *);
    // The dynamic linker does not find the hidden one.
    void *real = dlsym(RTLD_DEFAULT, "__gxx_personality_v0");
    return real ? reinterpret_cast<Personality *>(real)(state, exception, context) : _URC_FAILURE;
}

#endif
