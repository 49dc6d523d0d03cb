// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads copies of libraries of which bytes were changed at random, or the end was cut off, as
// ./qpool check and QLibrary read them. Built with sanitizers: it fails if one leads the reader out of
// the file, and hangs if one leads it in a circle. A number as the last argument is another seed.

#include "qpoolfilescope_p.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include <sys/mman.h>
#include <unistd.h>

namespace {

using Random = std::mt19937;

std::size_t below(Random &random, std::size_t limit)
{
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
}

// Most of the data that is followed is at the beginning, and in the dynamic section, near the end.
std::string damaged(std::string content, Random &random)
{
    if (below(random, 4) == 0)
        content.resize(below(random, content.size()));
    const std::size_t changes = 1 + below(random, 32);
    for (std::size_t i = 0; i < changes && !content.empty(); ++i) {
        const std::size_t part = below(random, 3);
        const std::size_t place = part == 0 ? below(random, std::min<std::size_t>(4096, content.size()))
                                            : below(random, content.size());
        const char values[] = { 0, 1, 127, -1, char(below(random, 256)) };
        content[place] = values[below(random, std::size(values))];
    }
    return content;
}

// Everything that both read; returns how much there was.
std::size_t read(const std::string &path)
{
    const QPoolElfFile file(QByteArray::fromStdString(path));
    if (!file.error().isEmpty())
        return 0;
    QPoolFileScope scope;
    scope.add(file);
    const auto bound = file.image().boundSymbols();
    std::size_t seen = bound.size() + file.usesQt() + file.image().strings(DT_RUNPATH).size();
    seen += qpoolFindCreations(bound, scope, std::numeric_limits<std::size_t>::max()).size();
    for (const QPoolElfImage::Symbol &symbol : bound) {
        std::vector<std::string> bases;
        const std::string name = symbol.name;
        seen += file.image().defines(symbol.name);
        if (name.compare(0, 4, "_ZTI") == 0)
            seen += file.image().findBases(name.substr(4), &bases) + bases.size();
    }
    return seen;
}

} // namespace

int main(int argc, char **argv)
{
    constexpr int copies = 4000;
    unsigned seed = 1;
    std::vector<std::string> libraries(argv + 1, argv + argc);
    if (!libraries.empty() && libraries.back().find('/') == std::string::npos) {
        seed = unsigned(std::atol(libraries.back().c_str()));
        libraries.pop_back();
    }
    const int file = memfd_create("copy", MFD_CLOEXEC);
    if (file < 0) {
        std::perror("memfd_create");
        return 1;
    }
    const std::string copy = "/proc/self/fd/" + std::to_string(file);
    Random random(seed);
    std::size_t readable = 0;
    for (const std::string &library : libraries) {
        if (read(library) == 0) {
            std::fprintf(stderr, "%s cannot be read as it is\n", library.c_str());
            return 1;
        }
        std::ifstream original(library, std::ios::binary);
        const std::string content { std::istreambuf_iterator<char>(original), {} };
        for (int i = 0; i < copies; ++i) {
            const std::string bytes = damaged(content, random);
            if (ftruncate(file, 0) != 0
                || pwrite(file, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size())) {
                std::perror("the copy");
                return 1;
            }
            readable += read(copy) > 0;
        }
    }
    std::printf("%zu of %zu damaged copies could be read in part, seed %u\n", readable,
                copies * libraries.size(), seed);
    // If none was, nothing was tried.
    return readable > libraries.size() * copies / 10 ? 0 : 1;
}
