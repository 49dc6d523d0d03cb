// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "classes.h"

InlineConstructed::~InlineConstructed() = default;

ABC1Event::ABC1Event() : QEvent(QEvent::User) { }
ABC1Event::~ABC1Event() = default;

Unrelated::Unrelated() = default;
Unrelated::~Unrelated() = default;

QEvent *makeHeaderOnly()
{
    return new HeaderOnly;
}

QEvent *makeCMD0Event()
{
    return new CMD0Event;
}
