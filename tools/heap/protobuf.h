// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef PROTOBUF_H
#define PROTOBUF_H

#include <QtCore/qbytearray.h>

// A message in the encoding of protocol buffers: numbers, texts and messages in fields with numbers.
class ProtobufMessage
{
public:
    void add(int field, quint64 number)
    {
        addNumber(quint64(field) << 3);
        addNumber(number);
    }
    void add(int field, const QByteArray &text)
    {
        addNumber(quint64(field) << 3 | 2);
        addNumber(quint64(text.size()));
        m_bytes += text;
    }
    void add(int field, const ProtobufMessage &message) { add(field, message.m_bytes); }

    // A list of numbers in one field.
    template <class Numbers>
    void addPacked(int field, const Numbers &numbers)
    {
        ProtobufMessage packed;
        for (const auto number : numbers)
            packed.addNumber(quint64(number));
        add(field, packed);
    }

    const QByteArray &bytes() const { return m_bytes; }

private:
    // Seven bits a byte, the lowest first; the highest bit says that more follow.
    void addNumber(quint64 number)
    {
        for (; number > 127; number >>= 7)
            m_bytes += char(number | 128);
        m_bytes += char(number);
    }

    QByteArray m_bytes;
};

#endif // PROTOBUF_H
