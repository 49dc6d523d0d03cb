// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

InlineConstructed::~InlineConstructed() = default;

Unrelated::Unrelated() = default;
Unrelated::~Unrelated() = default;

QEvent *makeHeaderOnly()
{
    return new HeaderOnly;
}
