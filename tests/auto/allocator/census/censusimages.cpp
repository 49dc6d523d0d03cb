// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes images of a real pool's memory, from which the fuzzer of the walk begins: what the walk reads, in
// several states of the pool. censusimages FOLDER

#include "countedpool.h"
#include "memoryimage.h"
#include "rendezvous.h"

#include <cstdio>
#include <map>
#include <string>
#include <thread>

using namespace QPool;

namespace {

class Nothing final : public LiveChunkVisitor
{
public:
    void begin() override { }
    void chunk(const LiveChunk &) override { }
    void commit() override { }
    void discard() override { }
};

// Remembers what is read.
class Recorder final : public ReadableMemory
{
public:
    std::size_t readSome(std::uintptr_t from, void *to, std::size_t bytes) const noexcept override
    {
        const std::size_t done = m_memory.readSome(from, to, bytes);
        constexpr std::uintptr_t step = 64; // a part that is zero takes no room in the image
        for (std::uintptr_t at = from / step * step; at < from + done; at += step) {
            std::string &part = m_parts[at];
            part.resize(step);
            m_memory.read(at, part.data(), step);
        }
        return done;
    }

    // Neighbours that are alike are one block.
    std::string image(std::uintptr_t table) const
    {
        std::string result;
        for (const bool first : { true, false }) {
            std::uintptr_t begin = 0;
            std::string content;
            for (const auto &[at, part] : m_parts) {
                const bool isTable = at - table / 64 * 64 < sizeof(countedFacts) + 64;
                if (isTable != first)
                    continue;
                if (begin + content.size() != at || isZero(content) != isZero(part)) {
                    append(&result, begin, content);
                    begin = at;
                    content.clear();
                }
                content += part;
            }
            append(&result, begin, content);
        }
        return result;
    }

private:
    static bool isZero(const std::string &text)
    {
        return text.find_first_not_of('\0') == std::string::npos;
    }

    static void append(std::string *image, std::uintptr_t at, const std::string &content)
    {
        if (content.empty())
            return;
        const ImageBlock block { at, std::uint32_t(content.size()), isZero(content) ? ImageBlock::Zeroes : 0 };
        image->append(reinterpret_cast<const char *>(&block), sizeof(block));
        if (block.begin == 0)
            image->append(content);
    }

    ProcessMemory m_memory { 0 };
    mutable std::map<std::uintptr_t, std::string> m_parts;
};

bool save(const std::string &path)
{
    // At the start of a part: there the image's first block begins.
    alignas(64) static const auto table = countedFacts;
    Recorder memory;
    Facts facts;
    LayoutFacts layout {};
    std::string message;
    Nothing nothing;
    const auto at = reinterpret_cast<std::uintptr_t>(&table);
    if (!facts.read(memory, at, &message) || !layout.take(facts, &message)) {
        std::fprintf(stderr, "censusimages: %s\n", message.c_str());
        return false;
    }
    PoolWalk walk(memory, layout, std::uint64_t(1) << 30);
    const std::string image = walk.run(nothing) == WalkResult::Complete ? memory.image(at) : std::string();
    std::FILE *file = std::fopen(path.c_str(), "wb");
    const bool saved = file && !image.empty() && std::fwrite(image.data(), image.size(), 1, file) == 1;
    return file && std::fclose(file) == 0 && saved;
}

} // namespace

int main(int argc, char **argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    bool saved = save(folder + "/unused");
    std::vector<void *> chunks;
    for (int i = 0; i < 90; ++i)
        chunks.push_back(allocateIn(Object, 48));
    saved &= save(folder + "/live");
    for (int i = 0; i < 10; ++i)
        CountedPool::deallocate(chunks[std::size_t(i)]);
    CountedPool::trim();
    saved &= save(folder + "/freed");
    // A batch in a backlog, chunks in a remote cache, and two arenas.
    Rendezvous turn(2);
    std::thread other([&] {
        for (std::size_t i = 10; i < 80; ++i)
            CountedPool::deallocate(chunks[i]);
        for (int i = 0; i < 5; ++i)
            chunks.push_back(allocateIn(Event, 200));
        turn.wait();
        turn.wait();
    });
    turn.wait();
    saved &= save(folder + "/remote");
    turn.wait();
    other.join();
    saved &= save(folder + "/orphaned");
    return saved ? 0 : 1;
}
