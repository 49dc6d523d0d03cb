// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// After main(): destructors of static and of thread-local objects, functions of atexit(), and the
// last calls of the C library. Blocks are passed between all of them.

#include "frontcheck.h"

#include <map>
#include <string>
#include <thread>
#include <vector>

namespace {

int calls = 0;
std::vector<Patterned *> fromMain;

void takeSomeFromMain()
{
    ++calls;
    for (int i = 0; i < 200; ++i) {
        freeBlock(fromMain.back());
        fromMain.pop_back();
    }
    churn(unsigned(calls));
}

struct Owner
{
    ~Owner()
    {
        EXPECT(texts.size() == 1000);
        texts.clear();
        takeSomeFromMain();
        // Another thread, which ends while the process does.
        std::thread([] { churn(2); }).join();
    }

    std::map<int, std::string> texts;
};

Owner owner;
thread_local Owner threadOwner;

void fill(Owner &some)
{
    for (int i = 0; i < 1000; ++i)
        some.texts[i] = std::string(std::size_t(i % 300), 'x');
}

} // namespace

// The last of all.
__attribute__((destructor(101))) static void atTheVeryEnd()
{
    ++calls;
    churn(3);
    EXPECT(calls == 4);
    _exit(0);
}

int main()
{
    expectFront();
    fromMain.reserve(100000);
    for (unsigned i = 0; i < 10000; ++i)
        fromMain.push_back(makeBlock(someSize(i)));
    fill(owner);
    fill(threadOwner);
    std::atexit(&takeSomeFromMain);
    return 7; // what atTheVeryEnd() makes of it
}
