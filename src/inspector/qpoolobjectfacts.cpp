// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolobjectfacts.h"

#include "census/qpoolwalkrecords.h"
#include "stats/qpoolprintable.h"

#include <algorithm>

namespace QPool {

namespace {

using Layout = ObjectLayout;
using WalkRecords::at;

void addUtf8(std::string *text, char32_t code)
{
    if (code < 0x80) {
        *text += char(code);
    } else if (code < 0x800) {
        *text += { char(0xc0 | code >> 6), char(0x80 | (code & 0x3f)) };
    } else if (code < 0x10000) {
        *text += { char(0xe0 | code >> 12), char(0x80 | (code >> 6 & 0x3f)), char(0x80 | (code & 0x3f)) };
    } else {
        *text += { char(0xf0 | code >> 18), char(0x80 | (code >> 12 & 0x3f)), char(0x80 | (code >> 6 & 0x3f)),
                   char(0x80 | (code & 0x3f)) };
    }
}

// A half of a pair that stands alone becomes bytes that are not UTF-8, which printable() shows.
std::string utf8Of(const std::vector<char16_t> &text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        char32_t code = text[i];
        if (code >= 0xd800 && code < 0xdc00 && i + 1 < text.size() && text[i + 1] >= 0xdc00 && text[i + 1] < 0xe000)
            code = 0x10000 + ((code - 0xd800) << 10) + (text[++i] - 0xdc00);
        addUtf8(&result, code);
    }
    return result;
}

} // namespace

bool ObjectFacts::read(Word address, Object *object) const
{
    struct
    {
        Word vtable, privatePart;
    } head {};
    static_assert(Layout::Private == sizeof(Word));
    unsigned char data[Layout::PrivateSize];
    if (address == 0 || address % sizeof(Word) != 0 || !m_memory.read(address, &head) || head.privatePart == 0
        || head.privatePart % sizeof(Word) != 0 || !m_memory.read(head.privatePart, data, sizeof(data))
        || at<Word>(data, Layout::Public) != address) {
        return false;
    }
    const int score = threadScore(at<Word>(data, Layout::ThreadData));
    if (score == 0 || score < privateScore(address))
        return false;
    object->address = address;
    object->vtable = head.vtable;
    object->parent = at<Word>(data, Layout::Parent);
    object->childArray = at<Word>(data, Layout::Children + 8);
    object->children = at<std::uint64_t>(data, Layout::Children + 16);
    object->deleteLater = at<std::uint32_t>(data, Layout::Flags) & Layout::DeleteLaterCalled;
    object->extraData = at<Word>(data, Layout::ExtraData);
    object->threadData = at<Word>(data, Layout::ThreadData);
    object->connections = at<Word>(data, Layout::Connections);
    return true;
}

int ObjectFacts::privateScore(Word address) const
{
    Word data = 0;
    return m_memory.read(address + Layout::ThreadData, &data) ? threadScore(data) : 0;
}

int ObjectFacts::threadScore(Word data) const
{
    if (data == 0 || data % sizeof(Word) != 0)
        return 0;
    const auto known = m_scores.find(data);
    if (known != m_scores.end())
        return known->second;
    Word thread = 0;
    Word id = 0;
    Word part = 0;
    Word back = 0;
    int score = 0;
    if (m_memory.read(data + m_layout.thread, &thread) && m_memory.read(data + m_layout.threadId, &id)) {
        if (thread == 0)
            score = id == 0 ? 1 : 0;
        else if (m_memory.read(thread + Layout::Private, &part) && m_memory.read(part + Layout::Public, &back))
            score = back == thread ? 2 : 0;
    }
    if (m_scores.size() >= MostScores)
        m_scores.clear();
    m_scores.emplace(data, score);
    return score;
}

ObjectFacts::Word ObjectFacts::ofPrivate(Word address, Word candidate) const
{
    Word back = 0;
    return candidate != 0 && candidate % sizeof(Word) == 0 && m_memory.read(candidate + Layout::Private, &back)
                    && back == address
            ? candidate
            : 0;
}

std::string ObjectFacts::nameOf(const Object &object) const
{
    struct
    {
        Word text;
        std::uint64_t size;
    } name {};
    if (object.extraData == 0 || !m_memory.read(object.extraData + Layout::ObjectName + 8, &name) || name.size == 0)
        return {};
    // One more, so that printable() shows that there are more.
    std::vector<char16_t> text(std::size_t(std::min<std::uint64_t>(name.size, MostNameCharacters + 1)));
    if (!m_memory.read(name.text, text.data(), text.size() * sizeof(char16_t)))
        return {};
    return printable(utf8Of(text), MostNameCharacters);
}

ObjectFacts::Thread ObjectFacts::threadOf(const Object &object) const
{
    Thread thread;
    if (object.threadData == 0 || !m_memory.read(object.threadData + m_layout.thread, &thread.object)
        || !m_memory.read(object.threadData + m_layout.threadId, &thread.id)) {
        return {};
    }
    return thread;
}

std::size_t ObjectFacts::count(Word connection, Word next, std::size_t most) const
{
    std::size_t result = 0;
    for (std::size_t steps = 0; connection != 0 && steps < most; ++steps) {
        Word receiver = 0;
        if (!m_memory.read(connection + Layout::Receiver, &receiver) || !m_memory.read(connection + next, &connection))
            break;
        result += receiver != 0;
    }
    return result;
}

std::size_t ObjectFacts::incoming(const Object &object) const
{
    Word first = 0;
    if (object.connections == 0 || !m_memory.read(object.connections + Layout::Senders, &first))
        return 0;
    return count(first, Layout::NextSender, MostConnections);
}

std::size_t ObjectFacts::outgoing(const Object &object) const
{
    Word vector = 0;
    Word signalCount = 0;
    if (object.connections == 0 || !m_memory.read(object.connections + Layout::SignalVector, &vector) || vector == 0
        || !m_memory.read(vector + Layout::VectorSize, &signalCount)) {
        return 0;
    }
    std::vector<unsigned char> lists(std::size_t(std::min<Word>(signalCount, MostConnections) + 1) * Layout::ListSize);
    if (!m_memory.read(vector + Layout::VectorLists, lists.data(), lists.size()))
        return 0;
    std::size_t result = 0;
    for (std::size_t i = 0; i < lists.size() && result < MostConnections; i += Layout::ListSize)
        result += count(at<Word>(lists.data(), i), Layout::NextOfSignal, MostConnections - result);
    return result;
}

std::vector<ObjectFacts::Word> ObjectFacts::childrenOf(const Object &object) const
{
    std::vector<Word> result(std::size_t(std::min<std::uint64_t>(object.children, MostChildren)));
    if (!m_memory.read(object.childArray, result.data(), result.size() * sizeof(Word)))
        result.clear();
    return result;
}

} // namespace QPool
