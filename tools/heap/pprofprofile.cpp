// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "pprofprofile.h"
#include "protobuf.h"

#include <QtCore/qdatetime.h>

#include <cmath>
#include <zlib.h>

using QPool::NamedStack;

namespace {

// The fields' numbers, as the format defines them.
namespace Profile {
enum { SampleType = 1, Sample = 2, Location = 4, Function = 5, Text = 6, Time = 9, PeriodType = 11, Period = 12,
       DefaultType = 14 };
}
namespace ValueType {
enum { Type = 1, Unit = 2 };
}
namespace Sample {
enum { Locations = 1, Values = 2 };
}
namespace Location {
enum { Id = 1, Address = 3, Line = 4 };
}
namespace Line {
enum { Function = 1, Number = 2 };
}
namespace Function {
enum { Id = 1, Name = 2, SystemName = 3, File = 4 };
}

class Writer
{
public:
    Writer() { textOf({}); } // the first text is empty

    QByteArray write(const QPool::HeapProfile &profile, const std::vector<NamedStack> &stacks, bool byAllocated)
    {
        for (const char *type : { "alloc_objects", "alloc_space", "inuse_objects", "inuse_space" })
            m_profile.add(Profile::SampleType, valueType(type, std::strstr(type, "space") ? "bytes" : "count"));
        for (const NamedStack &stack : stacks) {
            std::vector<quint64> locations;
            for (const NamedStack::Frame &frame : stack.frames)
                locations.push_back(locationOf(frame));
            if (stack.frames.empty())
                locations.push_back(locationOf({ 0, { unknown() } }));
            ProtobufMessage sample;
            sample.addPacked(Sample::Locations, locations);
            sample.addPacked(Sample::Values, std::array { rounded(stack.allocated.objects), rounded(stack.allocated.bytes),
                                                          rounded(stack.inUse.objects), rounded(stack.inUse.bytes) });
            m_profile.add(Profile::Sample, sample);
        }
        m_profile.add(Profile::Time, quint64(QDateTime::currentMSecsSinceEpoch()) * 1000000);
        m_profile.add(Profile::PeriodType, valueType("space", "bytes"));
        m_profile.add(Profile::Period, profile.interval);
        m_profile.add(Profile::DefaultType, textOf(byAllocated ? "alloc_space" : "inuse_space"));
        for (const std::string &text : m_textsInOrder)
            m_profile.add(Profile::Text, QByteArray::fromStdString(text));
        return m_profile.bytes();
    }

private:
    static quint64 rounded(double value) { return quint64(std::llround(value)); }

    static NamedStack::Place unknown()
    {
        NamedStack::Place place;
        place.function = "(stacks without a record of their own)";
        return place;
    }

    quint64 textOf(const std::string &text)
    {
        const auto [at, isNew] = m_texts.emplace(text, m_texts.size());
        if (isNew)
            m_textsInOrder.push_back(text);
        return at->second;
    }

    ProtobufMessage valueType(const char *type, const char *unit)
    {
        ProtobufMessage message;
        message.add(ValueType::Type, textOf(type));
        message.add(ValueType::Unit, textOf(unit));
        return message;
    }

    quint64 functionOf(const NamedStack::Place &place)
    {
        const auto [at, isNew] = m_functions.emplace(place.function + '\n' + place.file, m_functions.size() + 1);
        if (isNew) {
            ProtobufMessage function;
            function.add(Function::Id, at->second);
            function.add(Function::Name, textOf(place.function));
            function.add(Function::SystemName, textOf(place.function));
            function.add(Function::File, textOf(place.file));
            m_profile.add(Profile::Function, function);
        }
        return at->second;
    }

    // By address, and by how many of its places are left: those of the allocator are not.
    quint64 locationOf(const NamedStack::Frame &frame)
    {
        const auto [at, isNew] = m_locations.emplace(std::pair(frame.address, frame.places.size()),
                                                     m_locations.size() + 1);
        if (isNew) {
            ProtobufMessage location;
            location.add(Location::Id, at->second);
            location.add(Location::Address, quint64(frame.address));
            for (const NamedStack::Place &place : frame.places) {
                ProtobufMessage line;
                line.add(Line::Function, functionOf(place));
                line.add(Line::Number, quint64(place.line));
                location.add(Location::Line, line);
            }
            m_profile.add(Profile::Location, location);
        }
        return at->second;
    }

    ProtobufMessage m_profile;
    std::map<std::string, quint64> m_texts;
    std::vector<std::string> m_textsInOrder;
    std::map<std::string, quint64> m_functions;
    std::map<std::pair<std::uintptr_t, std::size_t>, quint64> m_locations;
};

} // namespace

QByteArray PprofProfile::message(const QPool::HeapProfile &profile, const std::vector<NamedStack> &stacks,
                                 bool byAllocated)
{
    return Writer().write(profile, stacks, byAllocated);
}

QByteArray PprofProfile::compressed(const QByteArray &message)
{
    z_stream stream {};
    constexpr int gzip = 16 + MAX_WBITS;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return {};
    QByteArray result(qsizetype(deflateBound(&stream, uLong(message.size()))), Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(message.constData()));
    stream.avail_in = uInt(message.size());
    stream.next_out = reinterpret_cast<Bytef *>(result.data());
    stream.avail_out = uInt(result.size());
    const bool done = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    result.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return done ? result : QByteArray();
}
