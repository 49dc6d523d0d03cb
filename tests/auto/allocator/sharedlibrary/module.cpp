// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "module.h"

extern "C" __attribute__((visibility("default"))) void MODULE(ModuleFunctions *functions)
{
    *functions = functionsOfThisModule();
}
