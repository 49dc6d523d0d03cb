// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// libFuzzer's bytes as a program or library. Whatever they are, the reader stays within them, and its work
// is bounded by their number.

#include "elfuse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    ElfUse use;
    use.run(QPool::ElfReader::File, data, size);
    use.run(QPool::ElfReader::Loaded, data, size);
    use.nameVtables(data, size);
    // The tables may lie over each other: each of its headers and notes can lead through all of the file.
    if (use.bytesRead > 4096 * (size + 4096))
        std::abort();
    return 0;
}
