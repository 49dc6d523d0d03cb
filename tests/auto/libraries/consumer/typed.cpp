// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include <qpool/qtypedpool.h>

int main()
{
    return *QPool::TypedPool<int>::makeUnique(0);
}
