// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolelffile_p.h"

#if defined(__ELF__)

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

QPoolElfFile::Opened::Opened(const char *path)
{
    // open() must not wait for the writer of a FIFO.
    file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0)
        error = std::strerror(errno);
    else if (!S_ISREG(status.st_mode))
        error = "not a file";
    else
        size = std::uintptr_t(status.st_size);
}

QPoolElfFile::QPoolElfFile(const QByteArray &path, const Opened &opened)
    : ElfCopies(opened.file, opened.size, &m_left), m_path(path), m_file(opened.file),
      m_image(QPool::ElfReader(*this, QPool::ElfReader::File)), m_error(opened.error)
{
    if (opened.error)
        return;
    switch (m_image.reader().error()) {
    case QPool::ElfReader::NoError:
        break;
    case QPool::ElfReader::NotElf:
        m_error = "not a program or library";
        break;
    case QPool::ElfReader::OtherProcessor:
        m_error = "for a processor of another kind";
        break;
    case QPool::ElfReader::Incomplete:
        m_error = "broken or not complete";
        break;
    }
}

QPoolElfFile::~QPoolElfFile()
{
    if (m_file >= 0)
        close(m_file);
}

// The reader asks for the string table, once.
const char *QPoolElfFile::keep(std::uintptr_t place, std::size_t size) const noexcept
{
    constexpr std::size_t most = 256 * 1024 * 1024;
    if (size > most)
        return nullptr;
    m_kept.resize(qsizetype(size));
    return read(place, m_kept.data(), size) ? m_kept.constData() : nullptr;
}

QByteArray QPoolElfFile::interpreter() const
{
    char path[4096] = "";
    m_image.reader().forEachHeader([&](const ElfW(Phdr) &header) {
        if (header.p_type != PT_INTERP)
            return true;
        m_image.reader().read(header.p_vaddr, path, std::min<std::size_t>(header.p_filesz, sizeof(path) - 1));
        return false;
    });
    return path;
}

#endif
