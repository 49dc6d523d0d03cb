// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Work for a thread that sleeps while there is none. Elements are moved through the queue, so each has
// one owner. close() ends the thread when all work is done.

#include <qpool/qblockingspscqueue.h>

#include <cstdio>
#include <memory>
#include <string>
#include <thread>

struct Letter
{
    std::string to;
    std::string text;
};

int main()
{
    QPool::BlockingSpscQueue<std::unique_ptr<Letter>> letters(8);

    std::size_t sent = 0;
    std::thread postman([&] {
        // No more elements come when the queue is closed and empty.
        while (std::optional<std::unique_ptr<Letter>> letter = letters.pop())
            sent += (*letter)->text.size();
    });

    std::size_t written = 0;
    for (int i = 0; i < 1000; ++i) {
        auto letter = std::make_unique<Letter>();
        letter->to = "number " + std::to_string(i);
        letter->text = "Dear " + letter->to;
        written += letter->text.size();
        // Sleeps while eight elements are in the queue.
        letters.push(std::move(letter));
    }
    letters.close();
    postman.join();
    std::printf("%zu characters written, %zu sent\n", written, sent);
    return written == sent ? 0 : 1;
}
