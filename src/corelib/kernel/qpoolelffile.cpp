// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelffile_p.h"

#if defined(__ELF__)

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

QPoolElfFile::QPoolElfFile(QByteArray path) : m_path(std::move(path))
{
    map();
    if (m_error.isEmpty())
        read();
}

QPoolElfFile::~QPoolElfFile()
{
    if (m_data)
        munmap(const_cast<char *>(m_data), m_size);
}

void QPoolElfFile::map()
{
    // open() must not wait for the writer of a FIFO.
    const int file = open(m_path.constData(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        m_error = std::strerror(errno);
    } else if (!S_ISREG(status.st_mode)) {
        m_error = "not a file";
    } else if (std::size_t(status.st_size) < sizeof(ElfW(Ehdr))) {
        m_error = "not a program or library";
    } else {
        m_size = std::size_t(status.st_size);
        void *data = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file, 0);
        if (data == MAP_FAILED)
            m_error = std::strerror(errno);
        else
            m_data = static_cast<const char *>(data);
    }
    if (file >= 0)
        close(file);
}

void QPoolElfFile::read()
{
    constexpr unsigned char ourClass = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    const std::uint16_t one = 1;
    const unsigned char ourOrder = *reinterpret_cast<const unsigned char *>(&one) ? ELFDATA2LSB
                                                                                  : ELFDATA2MSB;
    ElfW(Ehdr) header;
    std::memcpy(&header, m_data, sizeof(header));
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
        m_error = "not a program or library";
        return;
    }
    if (header.e_ident[EI_CLASS] != ourClass || header.e_ident[EI_DATA] != ourOrder) {
        m_error = "for a processor of another kind";
        return;
    }
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        m_error = "not a program or library";
        return;
    }
    const std::size_t tableSize = std::size_t(header.e_phnum) * sizeof(ElfW(Phdr));
    if (header.e_phentsize != sizeof(ElfW(Phdr)) || header.e_phoff > m_size
        || tableSize > m_size - header.e_phoff) {
        m_error = "broken or not complete";
        return;
    }
    std::vector<QPoolElfImage::Segment> segments;
    std::uintptr_t dynamic = 0;
    for (unsigned i = 0; i < header.e_phnum; ++i) {
        ElfW(Phdr) part;
        std::memcpy(&part, m_data + header.e_phoff + i * sizeof(part), sizeof(part));
        if (part.p_type == PT_DYNAMIC)
            dynamic = part.p_vaddr;
        if (part.p_type != PT_LOAD && part.p_type != PT_NOTE && part.p_type != PT_INTERP)
            continue;
        if (part.p_offset > m_size || part.p_filesz > m_size - part.p_offset) {
            m_error = "broken or not complete";
            return;
        }
        const char *data = m_data + part.p_offset;
        if (part.p_type == PT_LOAD)
            segments.push_back({ part.p_vaddr, part.p_filesz, data });
        else if (part.p_type == PT_NOTE)
            m_marked |= QPoolElfImage::hasMark(data, part.p_filesz);
        else
            m_interpreter = QByteArray(data, qsizetype(strnlen(data, part.p_filesz)));
    }
    m_image = QPoolElfImage(std::move(segments), dynamic);
}

bool QPoolElfFile::usesQt() const
{
    const std::vector<const char *> needed = m_image.strings(DT_NEEDED);
    return std::any_of(needed.begin(), needed.end(), [](const char *library) {
        return std::strncmp(library, "libQt6", 6) == 0;
    });
}

#endif
