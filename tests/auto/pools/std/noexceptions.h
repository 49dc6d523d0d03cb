// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef NOEXCEPTIONS_H
#define NOEXCEPTIONS_H

int useWithoutExceptions();
void exhaustWithoutExceptions();
void askForTooMuchWithoutExceptions();

#endif // NOEXCEPTIONS_H
