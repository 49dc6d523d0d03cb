// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A document that is loaded, used and discarded. All of its memory is in one resource, is fetched
// before the first node is created, and is freed at once.

#include <qpool/qpoolresource.h>

#include <cstdio>
#include <map>
#include <memory_resource>
#include <string>
#include <vector>

struct Document
{
    explicit Document(std::pmr::memory_resource *memory) : chapters(memory) { }
    std::pmr::map<int, std::pmr::vector<std::pmr::string>> chapters;
};

int main()
{
    QPool::PoolResource memory;
    memory.reserve(512 * 1024);
    std::printf("reserved: %zu KiB\n", memory.heldBytes() / 1024);
    for (int load = 0; load < 3; ++load) {
        {
            Document document(&memory);
            for (int chapter = 0; chapter < 20; ++chapter) {
                auto &lines = document.chapters[chapter];
                for (int line = 0; line < 100; ++line)
                    lines.emplace_back("a line that is longer than what a string keeps inside");
            }
            std::printf("loaded %zu chapters into %zu KiB\n", document.chapters.size(),
                        memory.heldBytes() / 1024);
        }
        // Releases everything at once, not block by block. A hardened build reports blocks that are
        // still in use.
        memory.release();
    }
    std::printf("released: %zu KiB\n", memory.heldBytes() / 1024);
    return memory.heldBytes() == 0 ? 0 : 1;
}
