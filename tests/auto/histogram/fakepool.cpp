// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Replaces the pooled QtCore: preloaded, it exports the two functions that the program
// looks up. FAKE_POOL chooses the answer:
//   fixed     always the same statistics (the default)
//   moving    counts that grow with every call
//   disabled  a disabled pool
//   damaged   something that is not JSON
//   growing   a text that gets longer with every call, up to a point
// No Qt in here: it is loaded into the process before Qt is.

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include <unistd.h>

#if defined(__GNUC__)
#define FAKE_EXPORT __attribute__((visibility("default")))
#else
#define FAKE_EXPORT
#endif

namespace {

std::atomic<long> calls { 0 };
std::atomic<long> trims { 0 };

struct Class
{
    int size;
    long allocated;
    long freed;
    long remote;
};

std::string entry(const Class &c)
{
    return "{\"size\":" + std::to_string(c.size) + ",\"allocated\":" + std::to_string(c.allocated)
           + ",\"freed\":" + std::to_string(c.freed) + ",\"remote\":" + std::to_string(c.remote)
           + ",\"live\":" + std::to_string(c.allocated - c.freed) + "}";
}

std::string domain(const char *name, std::initializer_list<Class> classes)
{
    std::string text = std::string("\"") + name + "\":{\"classes\":[";
    for (const Class &c : classes) {
        if (text.back() == '}')
            text += ',';
        text += entry(c);
    }
    return text + "]}";
}

std::string arena(int id, long thread, bool orphaned, int adoptions, long live, int pages,
                  int backlog)
{
    return "{\"id\":" + std::to_string(id) + ",\"thread\":" + std::to_string(thread)
           + ",\"orphaned\":" + (orphaned ? "true" : "false") + ",\"adoptions\":"
           + std::to_string(adoptions) + ",\"live\":" + std::to_string(live) + ",\"pages\":"
           + std::to_string(pages) + ",\"backlog\":" + std::to_string(backlog) + "}";
}

std::string head(bool enabled)
{
    return "{\"version\":2,\"pid\":" + std::to_string(getpid())
           + ",\"qt\":\"6.4.2\",\"enabled\":" + (enabled ? "true" : "false");
}

std::string snapshot(long step)
{
    const long s = step;
    const long wave = s % 16 * 40;
    std::string text = head(true) + ",\"domains\":{";
    text += domain("event",
                   { { 16, 420 + s, 415 + s, 12 },
                     { 24, 52310 + 4000 * s, 52000 + 4000 * s - wave, 41200 + 3900 * s },
                     { 32, 88, 86, 0 },
                     { 48, 6, 6, 0 },
                     { 72, 940 + 3 * s, 940 + 3 * s, 0 },
                     { 112, 61800 + 4900 * s, 61032 + 4900 * s - wave, 60900 + 4900 * s } });
    text += ',';
    text += domain("object", { { 16, 214 + 20 * s, 190 + 20 * s, 88 + 10 * s },
                               { 24, 61, 12, 0 },
                               { 48, 8120 + 300 * s, 7930 + 300 * s, 0 },
                               { 64, 9, 3, 0 } });
    text += ',';
    text += domain("private", { { 112, 51200 + 4000 * s, 50690 + 4000 * s, 50100 + 3900 * s },
                                { 128, 310, 140, 0 },
                                { 160, 8400 + 300 * s, 8200 + 300 * s, 120 },
                                { 192, 96, 4, 0 },
                                { 256, 640, 31, 2 },
                                { 512, 412, 9, 0 },
                                { 1024, 7, 0, 0 } });
    text += "},\"arenas\":[" + arena(1, getpid(), false, 0, 1042, 14, 0) + ','
            + arena(2, getpid() + 1, false, 0, 31, 3, 12) + ','
            + arena(3, getpid() + 2, false, 0, 480, 4, 0) + ','
            + arena(4, getpid() + 5, false, 7, 96, 2, 64) + ','
            + arena(5, getpid() + 6, true, 6, 192, 2, 31) + "]";
    text += ",\"bytes\":{\"reserved\":68719476736,\"committed\":1638400,\"live\":"
            + std::to_string(421888 + 100 * wave - 64 * trims) + "}}";
    return text;
}

std::string answer()
{
    const char *mode = std::getenv("FAKE_POOL");
    const std::string name = mode ? mode : "fixed";
    const long call = ++calls;
    if (name == "moving")
        return snapshot(call);
    if (name == "disabled")
        return head(false) + "}";
    if (name == "damaged")
        return "{\"version\":2,";
    if (name == "growing")
        return snapshot(0) + std::string(std::size_t(call < 4 ? call : 4) * 20000, ' ');
    return snapshot(0);
}

} // namespace

extern "C" FAKE_EXPORT std::size_t qt_pool_allocator_snapshot(char *buffer, std::size_t size)
{
    const std::string text = answer();
    if (buffer && size > text.size())
        std::memcpy(buffer, text.c_str(), text.size() + 1);
    else if (buffer)
        std::memcpy(buffer, text.data(), size);
    return text.size();
}

extern "C" FAKE_EXPORT void qt_pool_allocator_trim(void)
{
    ++trims;
}
