// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolobjectlayout.h"

#include "census/qpoolfacts.h"

namespace QPool {

namespace {

struct Known
{
    std::uint32_t version;
    std::uintptr_t thread;
    std::uintptr_t threadId;
};

constexpr Known KnownVersions[] = {
    { 0x060402, 96, 104 },
    { 0x060802, 96, 104 },
    { 0x060b02, 80, 88 },
};

constexpr std::uintptr_t KnownTypes = 22; // qtHookData's number for these layouts

std::string nameOf(std::uintptr_t version)
{
    return std::to_string(version >> 16 & 0xff) + '.' + std::to_string(version >> 8 & 0xff) + '.'
            + std::to_string(version & 0xff);
}

} // namespace

bool ObjectLayout::setVersion(std::uintptr_t hooks, std::uintptr_t qt, std::uintptr_t types, std::string *message)
{
    for (const Known &known : KnownVersions) {
        if (known.version == qt && hooks == 3 && types == KnownTypes && sizeof(void *) == 8) {
            version = known.version;
            thread = known.thread;
            threadId = known.threadId;
            return true;
        }
    }
    *message = "the process has Qt " + nameOf(qt) + ", whose objects can't be read: their private members are known of Qt";
    for (const Known &known : KnownVersions)
        *message += (&known == KnownVersions ? " " : ", ") + nameOf(known.version);
    *message += ", 64-bit; a census without --holders and --show works";
    return false;
}

bool ObjectLayout::read(const ProcessMemory &memory, const Mappings &mappings, std::string *message)
{
    std::uintptr_t words[7] = {}; // the version of the table, its size, Qt's, three functions, that of the types
    // Of QtCore, or of a program which it is linked into.
    const std::uintptr_t table = Facts::find(memory, mappings, "qtHookData", "libQt6Core");
    if (!table || !memory.read(table, words, sizeof(words)) || words[1] < 7) {
        *message = "the process does not tell which Qt it has: its QtCore has no table for tools";
        return false;
    }
    return setVersion(words[0], words[2], words[6], message);
}

} // namespace QPool
