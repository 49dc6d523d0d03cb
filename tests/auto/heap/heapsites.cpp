// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Allocates known amounts at known places, at the orders of tst_heap.py: a line is a name and a number.

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#define SITE __attribute__((noinline))

class Widget
{
public:
    virtual ~Widget() { }
    virtual int value() const { return m_value; }

private:
    int m_value = 7;
    char m_space[200] = {};
};

static std::vector<void *> s_blocks;
static std::vector<Widget *> s_widgets;

static void keep(void *block)
{
    if (!block)
        std::abort();
    s_blocks.push_back(block);
}

SITE void keepSmall(int count)
{
    for (int i = 0; i < count; ++i)
        keep(std::malloc(100));
}

SITE void keepLarge(int count)
{
    for (int i = 0; i < count; ++i)
        keep(std::malloc(100000));
}

// In line in its caller, and shown nevertheless.
static inline __attribute__((always_inline)) void *allocateInLine(std::size_t size)
{
    return std::malloc(size);
}

SITE void keepInLine(int count)
{
    for (int i = 0; i < count; ++i)
        keep(allocateInLine(300));
}

SITE void keepWidgets(int count)
{
    for (int i = 0; i < count; ++i)
        s_widgets.push_back(new Widget);
}

// The container's functions are not what a reader looks for.
SITE void keepStrings(int count)
{
    static std::vector<std::string> strings;
    strings.reserve(std::size_t(count));
    for (int i = 0; i < count; ++i)
        strings.emplace_back(200, 'x');
}

SITE void churn(int count)
{
    for (int i = 0; i < count; ++i) {
        void *volatile block = std::malloc(500);
        std::free(block);
    }
}

SITE void resize(int count)
{
    for (int i = 0; i < count; ++i) {
        void *block = std::malloc(16);
        for (std::size_t size : { 600u, 5000u, 50000u, 90000u, 700u })
            block = std::realloc(block, size);
        keep(block);
    }
}

SITE void freeAll()
{
    for (void *block : s_blocks)
        std::free(block);
    s_blocks.clear();
    for (Widget *widget : s_widgets)
        delete widget;
    s_widgets.clear();
}

int main()
{
    std::puts("ready");
    std::fflush(stdout);
    char order[32];
    int count = 0;
    while (std::scanf("%31s %d", order, &count) == 2) {
        const auto is = [&](const char *name) { return std::strcmp(order, name) == 0; };
        // What the list itself takes is not counted among the sites.
        s_blocks.reserve(s_blocks.size() + std::size_t(count));
        s_widgets.reserve(s_widgets.size() + std::size_t(count));
        if (is("small"))
            keepSmall(count);
        else if (is("large"))
            keepLarge(count);
        else if (is("inline"))
            keepInLine(count);
        else if (is("widgets"))
            keepWidgets(count);
        else if (is("strings"))
            keepStrings(count);
        else if (is("churn"))
            churn(count);
        else if (is("resize"))
            resize(count);
        else if (is("thread"))
            std::thread(keepSmall, count).join();
        else if (is("free"))
            freeAll();
        else if (is("freeInThread"))
            std::thread(freeAll).join();
        else
            return 1;
        std::puts("ready");
        std::fflush(stdout);
    }
    return 0;
}
