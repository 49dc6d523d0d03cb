// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

#include <cstdio>

int main()
{
    QObject *object = new InlineConstructed;
    delete object;
    std::puts("ran");
    return 0;
}
