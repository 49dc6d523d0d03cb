// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SEGMENTTEST_H
#define SEGMENTTEST_H

#include "qpoolsegmentview.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <vector>

// A copy of a published segment, which a test damages. View is its reader.
template <class View, class Header>
class SegmentTest : public ::testing::Test
{
protected:
    using Words = std::vector<std::uint64_t>;

    explicit SegmentTest(std::size_t count)
        : words(count)
    {
    }

    char *memory() { return reinterpret_cast<char *>(words.data()); }

    template <class Number>
    void set(std::size_t at, Number value)
    {
        std::memcpy(memory() + at, &value, sizeof(value));
    }

    std::optional<View> open(QPool::SegmentView::Error *error, std::string *message)
    {
        return View::open(words.data(), words.size() * sizeof(words[0]), error, message);
    }

    void expectRefusal(QPool::SegmentView::Error kind, const std::string &part)
    {
        QPool::SegmentView::Error error = QPool::SegmentView::NoError;
        std::string message;
        EXPECT_FALSE(open(&error, &message));
        EXPECT_EQ(error, kind) << message;
        EXPECT_NE(message.find(part), std::string::npos) << message;
    }

    // Returns a function that sets one number of the segment as it is now.
    auto changing()
    {
        return [this, sound = words](std::size_t at, std::uint32_t value) {
            words = sound;
            set(at, value);
        };
    }

    // The fields that the headers of all segments begin with. \a version and \a whose are the end of the
    // messages about them.
    void expectHeaderRefusals(const std::string &version, const std::string &whose)
    {
        using QPool::SegmentView;
        const Words sound = words;
        const auto with = changing();
        with(offsetof(Header, version), 999);
        expectRefusal(SegmentView::Incompatible,
                      "it has version 999 of the format, and this program reads version " + version);
        with(offsetof(Header, byteOrder), 0x04030201);
        expectRefusal(SegmentView::Incompatible, "byte order");
        with(offsetof(Header, magic), 0);
        expectRefusal(SegmentView::Incomplete, "no segment yet");
        with(offsetof(Header, magic) + 4, 0x12345678);
        expectRefusal(SegmentView::Damaged, "it is not a segment of " + whose);
        with(offsetof(Header, headerBytes), 8);
        expectRefusal(SegmentView::Damaged, "cut short");
        with(offsetof(Header, segmentBytes), 1u << 30);
        expectRefusal(SegmentView::Damaged, "cut short");
        with(offsetof(Header, wordBytes), 3);
        expectRefusal(SegmentView::Damaged, "words");
        words.clear();
        expectRefusal(SegmentView::Incomplete, "no segment yet");
        words = sound;
    }

    Words words;
};

#endif // SEGMENTTEST_H
