// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolprocfolder.h"

#include <cerrno>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

namespace QPool {

ProcFolder::ProcFolder(const std::string &path)
    : m_folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))
{
}

ProcFolder::~ProcFolder()
{
    if (m_folder >= 0)
        close(m_folder);
}

int ProcFolder::open(const char *name) const noexcept
{
    return openat(m_folder, name, O_RDONLY | O_CLOEXEC);
}

std::string ProcFolder::text(const std::string &name, std::size_t most) const
{
    std::string result(most, '\0');
    std::size_t length = 0;
    const int file = open(name.c_str());
    if (file < 0)
        return {};
    while (length < most) {
        const ssize_t count = ::read(file, &result[length], most - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        length += std::size_t(count);
    }
    close(file);
    result.resize(length);
    return result;
}

std::string ProcFolder::linkTarget(const std::string &name) const
{
    char target[4096];
    const ssize_t length = readlinkat(m_folder, name.c_str(), target, sizeof(target));
    return length > 0 ? std::string(target, std::size_t(length)) : std::string();
}

bool ProcFolder::status(const std::string &name, struct stat *status) const noexcept
{
    return fstatat(m_folder, name.c_str(), status, 0) == 0;
}

void ProcFolder::list(const char *name, std::size_t most,
                      const std::function<void(const char *)> &visit) const
{
    const int file = openat(m_folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *entries = file < 0 ? nullptr : fdopendir(file); // closes the file, too
    if (!entries) {
        if (file >= 0)
            close(file);
        return;
    }
    while (const dirent *entry = most > 0 ? readdir(entries) : nullptr) {
        if (entry->d_name[0] == '.')
            continue;
        visit(entry->d_name);
        --most;
    }
    closedir(entries);
}

} // namespace QPool
