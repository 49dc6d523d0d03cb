// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef NOTES_H
#define NOTES_H

#include <QtCore/QFile>

#include <cstring>

#include <link.h>

// Copies a library, and changes the headers of the copy so that its notes are at \a address and \a
// size bytes long. Those that the dynamic linker itself reads, which are aligned to 8, stay.
inline bool copyWithNotesAt(const QString &from, const QString &to, quint64 address, quint64 size)
{
    QFile original(from);
    QFile copy(to);
    if (!original.open(QIODevice::ReadOnly) || !copy.open(QIODevice::WriteOnly))
        return false;
    QByteArray content = original.readAll();
    ElfW(Ehdr) file;
    std::memcpy(&file, content.constData(), sizeof(file));
    bool found = false;
    for (int i = 0; i < file.e_phnum; ++i) {
        char *place = content.data() + file.e_phoff + i * file.e_phentsize;
        ElfW(Phdr) header;
        std::memcpy(&header, place, sizeof(header));
        if (header.p_type != PT_NOTE || header.p_align == 8)
            continue;
        header.p_vaddr = ElfW(Addr)(address);
        header.p_memsz = ElfW(Xword)(size);
        std::memcpy(place, &header, sizeof(header));
        found = true;
    }
    return copy.write(content) == content.size() && found;
}

#endif // NOTES_H
