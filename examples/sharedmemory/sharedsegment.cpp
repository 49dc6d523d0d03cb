// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A map of strings that several processes use: a child counts the words of a text in it, the parent
// prints it. Plain pointers and a plain std::map, because both map the segment at the same address.

#include <qpool/qpoolsharedallocator.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <scoped_allocator>

#if defined(__unix__) || defined(__APPLE__)
#  include <sys/wait.h>
#  include <unistd.h>
#endif

template <class T>
using Allocator = std::scoped_allocator_adaptor<QPool::SharedAllocator<T>>;
using String = std::basic_string<char, std::char_traits<char>, QPool::SharedAllocator<char>>;
using Counts = std::map<String, int, std::less<>, Allocator<std::pair<const String, int>>>;

static bool countWords(QPool::SharedSegment &segment)
{
    static constexpr char text[] = "what one process writes the other process reads where it is";
    // Held while the map changes; allocations within take no further lock.
    const std::lock_guard<QPool::SharedSegment> guard(segment);
    Counts *counts = segment.findOrConstruct<Counts>("counts", Counts::allocator_type(segment));
    if (!counts)
        return false;
    String word(segment);
    for (const char c : text) {
        if (c != ' ' && c != '\0') {
            word += c;
            continue;
        }
        ++counts->try_emplace(word, 0).first->second;
        word.clear();
    }
    return true;
}

int main()
{
    constexpr char name[] = "example-of-words";
    QPool::SharedSegment::unlink(name); // remains of a run that did not end normally
    QPool::SharedSegment segment = QPool::SharedSegment::create(name, 1 << 20);
    if (!segment) {
        std::printf("cannot create the segment: %s\n", QPool::errorText(QPool::SharedSegment::lastError()));
        return 1;
    }

#if defined(__unix__) || defined(__APPLE__)
    const pid_t child = fork();
    if (child == 0) {
        // An unrelated process would begin here. This child has its parent's mapping, so it unmaps
        // that first.
        segment = QPool::SharedSegment();
        segment = QPool::SharedSegment::attach(name);
        _exit(segment && countWords(segment) ? 0 : 1);
    }
    int status = 1;
    waitpid(child, &status, 0);
#else
    const int status = countWords(segment) ? 0 : 1;
#endif
    // Processes that have the segment keep it; no other process can attach now.
    QPool::SharedSegment::unlink(name);

    const std::lock_guard<QPool::SharedSegment> guard(segment);
    const Counts *counts = segment.find<Counts>("counts");
    if (status != 0 || !counts)
        return 1;
    for (const auto &[word, count] : *counts)
        std::printf("%2d  %s\n", count, word.c_str());
    const QPool::SharedStatistics statistics = segment.statistics();
    std::printf("%llu bytes in %llu blocks, of a segment of %llu\n",
                (unsigned long long)statistics.usedBytes, (unsigned long long)statistics.usedBlocks,
                (unsigned long long)statistics.bytes);
    return counts->find("process")->second == 2 ? 0 : 1;
}
