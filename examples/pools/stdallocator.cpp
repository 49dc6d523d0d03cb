// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The standard's containers on pools: a word count in a map whose nodes and keys come from pools of
// their size. The allocator is stateless, so the containers are used as usual.

#include <qpool/qpoolstdallocator.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

template <class T>
using Allocator = QPool::StdAllocator<T>;
using String = std::basic_string<char, std::char_traits<char>, Allocator<char>>;
using Counts = std::map<String, int, std::less<>, Allocator<std::pair<const String, int>>>;

int main()
{
    static constexpr char text[] = "the pool serves the nodes and the pool serves the keys of the "
                                   "map-whose-keys-are-too-long-to-be-kept-inside";
    Counts counts;
    String word;
    for (const char c : text) {
        if (c != ' ' && c != '\0') {
            word += c;
            continue;
        }
        ++counts[word];
        word.clear();
    }
    for (const auto &[key, count] : counts)
        std::printf("%2d  %s\n", count, key.c_str());

    // Equal allocators: nodes move between containers without a new allocation.
    Counts frequent;
    for (auto it = counts.begin(); it != counts.end();) {
        const auto next = std::next(it);
        if (it->second > 1)
            frequent.insert(counts.extract(it));
        it = next;
    }
    std::printf("%zu words more than once\n", frequent.size());

    // The statistics include all containers with nodes of this size.
    const auto statistics = QPool::QSizedPoolAllocator<>::statistics(72);
    std::printf("%llu blocks of 72 bytes are in use\n", (unsigned long long)statistics.live());
    return frequent["the"] == 5 ? 0 : 1;
}
