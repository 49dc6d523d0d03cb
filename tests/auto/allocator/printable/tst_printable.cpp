// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What is shown for a text that another process made.

#include "stats/qpoolprintable.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

using QPool::printable;

namespace {

TEST(Printable, showsWhatIsHidden)
{
    std::ifstream cases(PRINTABLE_CASES);
    int count = 0;
    for (std::string line; std::getline(cases, line);) {
        if (line[0] == '#')
            continue;
        const std::size_t end = line.find(' ');
        std::string text;
        for (std::size_t i = 0; i + 2 <= end; i += 2)
            text += char(std::stoi(line.substr(i, 2), nullptr, 16));
        const std::string expected = line.substr(end + 1);
        EXPECT_EQ(printable(text), expected) << line.substr(0, end);
        EXPECT_EQ(printable(expected), expected) << "what is printable stays as it is";
        ++count;
    }
    EXPECT_GT(count, 50);
}

TEST(Printable, isNotLongerThanAskedFor)
{
    EXPECT_EQ(printable("abc", 3), "abc");
    EXPECT_EQ(printable("abcd", 3), "ab\xe2\x80\xa6");
    EXPECT_EQ(printable("\x1b", 3), "\xe2\x80\xa6");
    EXPECT_EQ(printable("a\x1b", 4), "a\xe2\x80\xa6");
    EXPECT_EQ(printable("a\x1b", 5), "a\\x1b");
    EXPECT_EQ(printable(std::string(1000000, '\n')).size(), 249 * 4 + 3u);
}

// Every byte after every other: never a control character, and always on one line.
TEST(Printable, leavesNoControlCharacter)
{
    for (int first = 0; first < 256; ++first) {
        for (int second = 0; second < 256; ++second) {
            const char text[] = { char(first), char(second) };
            for (const char c : printable({ text, 2 }))
                ASSERT_TRUE(static_cast<unsigned char>(c) >= ' ' && c != 0x7f) << first << ' ' << second;
        }
    }
}

} // namespace
