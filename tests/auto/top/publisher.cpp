// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates a number of timers, whose private parts are in the pool, prints "ready", and creates as
// many more for each line on standard input, until that ends.

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>

#include <cstdio>
#include <memory>
#include <vector>

int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    std::vector<std::unique_ptr<QObject>> objects;
    char line[64] = "1000";
    do {
        const int count = std::atoi(line);
        for (int i = 0; i < count; ++i)
            objects.emplace_back(new QTimer);
        std::puts("ready");
        std::fflush(stdout);
    } while (std::fgets(line, sizeof(line), stdin));
    return 0;
}
