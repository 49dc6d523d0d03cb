// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolprocentry.h"

#include "stats/qpoolprintable.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace QPool {

namespace {

struct FolderCloser
{
    void operator()(DIR *folder) const { closedir(folder); }
};
using Folder = std::unique_ptr<DIR, FolderCloser>;

bool isNumber(const char *text)
{
    return *text && std::all_of(text, text + std::char_traits<char>::length(text), [](char c) {
        return c >= '0' && c <= '9';
    });
}

} // namespace

Descriptor::~Descriptor()
{
    if (m_descriptor >= 0)
        close(m_descriptor);
}

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept
{
    std::swap(m_descriptor, other.m_descriptor);
    return *this;
}

ProcEntry::ProcEntry(std::int64_t pid)
    : m_folder(open(("/proc/" + std::to_string(pid)).c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC))
{
}

std::string ProcEntry::linkTarget(const std::string &path) const
{
    char target[4096];
    const ssize_t length = readlinkat(m_folder.get(), path.c_str(), target, sizeof(target));
    return length > 0 ? std::string(target, std::size_t(length)) : std::string();
}

std::string ProcEntry::text(const char *path) const
{
    const Descriptor file(openat(m_folder.get(), path, O_RDONLY | O_CLOEXEC));
    char buffer[1024];
    const ssize_t length = file ? read(file.get(), buffer, sizeof(buffer)) : 0;
    return length > 0 ? std::string(buffer, std::size_t(length)) : std::string();
}

bool ProcEntry::isAlive() const
{
    // "number (name) state ...", where the name may contain anything.
    const std::string status = text("stat");
    const std::size_t end = status.rfind(") ");
    if (end == std::string::npos || end + 2 >= status.size())
        return false;
    const char state = status[end + 2];
    return state != 'Z' && state != 'X' && state != 'x';
}

std::string ProcEntry::programName() const
{
    std::string name = linkTarget("exe");
    name.erase(0, name.rfind('/') + 1);
    // An update has replaced the file.
    constexpr char deleted[] = " (deleted)";
    if (const std::size_t end = name.rfind(deleted); end != std::string::npos)
        name.erase(end);
    if (name.empty()) {
        name = text("comm");
        if (!name.empty() && name.back() == '\n')
            name.pop_back();
    }
    return printable(name);
}

Descriptor ProcEntry::openMemoryFile(const std::string &name, std::string *number) const
{
    const int folder = openat(m_folder.get(), "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const Folder entries(folder < 0 ? nullptr : fdopendir(folder)); // closes it, too
    if (!entries)
        return Descriptor();
    const std::string wanted = "/memfd:" + name + " (deleted)";
    while (const dirent *entry = readdir(entries.get())) {
        const std::string path = std::string("fd/") + entry->d_name;
        if (!isNumber(entry->d_name) || linkTarget(path) != wanted)
            continue;
        *number = entry->d_name;
        // A file of the right name may still be a pipe, on which open() would wait, or a device, to which
        // open() means something. So it is looked at before it is opened, and the same one is opened.
        const Descriptor place(openat(m_folder.get(), path.c_str(), O_PATH | O_CLOEXEC));
        struct stat status;
        if (!place || fstat(place.get(), &status) != 0)
            return Descriptor();
        if (!S_ISREG(status.st_mode)) {
            errno = ENOENT;
            return Descriptor();
        }
        const std::string same = "/proc/self/fd/" + std::to_string(place.get());
        return Descriptor(open(same.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    }
    errno = ENOENT;
    return Descriptor();
}

bool ProcEntry::holds(const std::string &number, const Descriptor &file) const
{
    struct stat theirs;
    struct stat ours;
    return fstatat(m_folder.get(), ("fd/" + number).c_str(), &theirs, 0) == 0
           && fstat(file.get(), &ours) == 0 && theirs.st_ino == ours.st_ino
           && theirs.st_dev == ours.st_dev;
}

std::vector<std::int64_t> ProcEntry::all()
{
    std::vector<std::int64_t> result;
    const Folder entries(opendir("/proc"));
    while (const dirent *entry = entries ? readdir(entries.get()) : nullptr) {
        if (isNumber(entry->d_name))
            result.push_back(std::strtoll(entry->d_name, nullptr, 10));
    }
    std::sort(result.begin(), result.end());
    return result;
}

} // namespace QPool
