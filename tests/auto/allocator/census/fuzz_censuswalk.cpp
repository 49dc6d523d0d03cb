// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// libFuzzer's bytes as a process's memory, with its table of facts. Whatever they are, and however the memory
// changes while it is read, the walk reads nothing but them, takes bounded work and memory, and ends.

#include "memoryimage.h"

#include "census/qpoolwalk.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

using namespace QPool;

namespace {

void require(bool holds)
{
    if (!holds)
        std::abort();
}

class Checker final : public LiveChunkVisitor
{
public:
    explicit Checker(const LayoutFacts &facts) : m_facts(facts) { }

    void begin() override { require(std::exchange(m_isOpen, true) == false); }
    void chunk(const LiveChunk &chunk) override
    {
        require(m_isOpen && chunk.domain <= PoolWalk::HeapDomain);
        require(chunk.size >= m_facts.chunk.bytes && chunk.size <= m_facts.page.bytes);
        ++m_now;
    }
    void commit() override
    {
        require(std::exchange(m_isOpen, false));
        chunks += std::exchange(m_now, 0);
    }
    void discard() override
    {
        require(std::exchange(m_isOpen, false));
        m_now = 0;
    }

    std::uint64_t chunks = 0;

private:
    const LayoutFacts &m_facts;
    std::uint64_t m_now = 0;
    bool m_isOpen = false;
};

#ifdef UNCHECKED_FACT
// The positive control: a fact that nobody checks is used as an offset.
void spoil(const MemoryImage &memory, LayoutFacts *layout)
{
    char name[24];
    std::uintptr_t words[2];
    for (std::uintptr_t at = memory.table(); memory.read(at, &name) && name[0]; at += sizeof(name) + sizeof(words)) {
        if (std::strncmp(name, "arena.pages", sizeof(name)) == 0 && memory.read(at + sizeof(name), &words))
            layout->header.bin = words[0];
    }
}
#endif

class Random
{
public:
    explicit Random(unsigned seed) : m_state(seed) { }
    std::uint64_t operator()()
    {
        m_state = m_state * 6364136223846793005u + 1442695040888963407u;
        return m_state >> 16;
    }
    std::size_t below(std::size_t count) { return std::size_t((*this)() % count); }

private:
    std::uint64_t m_state;
};

struct Place
{
    ImageBlock header;
    std::size_t content; // where it begins
};

std::vector<Place> blocksOf(const std::uint8_t *data, std::size_t size)
{
    std::vector<Place> result;
    for (std::size_t at = 0; size - at >= sizeof(ImageBlock);) {
        Place place;
        std::memcpy(&place.header, data + at, sizeof(ImageBlock));
        place.content = at + sizeof(ImageBlock);
        if (place.header.contentBytes() > size - place.content)
            break;
        at = place.content + place.header.contentBytes();
        result.push_back(place);
    }
    return result;
}

} // namespace

extern "C" size_t LLVMFuzzerMutate(std::uint8_t *data, size_t size, size_t most);

// Changes a word of the image, from the start or while it is read. What libFuzzer does by itself moves the
// bytes behind it, and the blocks are none any more.
extern "C" size_t LLVMFuzzerCustomMutator(std::uint8_t *data, size_t size, size_t most, unsigned seed)
{
    Random random(seed);
    std::vector<Place> blocks = blocksOf(data, size);
    const std::vector<Place> all = blocks;
    blocks.erase(std::remove_if(blocks.begin(), blocks.end(),
                                [](const Place &place) { return place.header.contentBytes() < 8; }),
                 blocks.end());
    if (blocks.empty() || random.below(16) == 0)
        return LLVMFuzzerMutate(data, size, most);
    // The table is the first block, and matters most.
    const Place &chosen = random.below(3) == 0 ? blocks.front() : blocks[random.below(blocks.size())];
    const std::size_t words = chosen.header.contentBytes() / 8;
    std::size_t word = random.below(words);
    if (&chosen == &blocks.front() && words > 5 && random.below(8) > 0)
        word = random.below(words / 5) * 5 + (random.below(8) == 0 ? 4 : 3); // a number or an address, not a name
    const std::size_t offset = word * 8 + (random.below(4) == 0 ? 4 : 0);
    const std::size_t width = offset % 8 ? 4 : 8;
    std::uint64_t value = 0;
    std::memcpy(&value, data + chosen.content + offset, width);
    switch (random.below(6)) {
    case 0: // another block's address, or near it
        value = all[random.below(all.size())].header.address + random.below(128) * 8;
        break;
    case 1:
        value += random.below(33) - 16;
        break;
    case 2:
        value = std::uint64_t(1) << random.below(64);
        break;
    case 3:
        value = random() & ((std::uint64_t(1) << random.below(48)) - 1);
        break;
    case 4:
        value = random.below(2) - 1;
        break;
    default: { // another word of the image
        const Place &other = blocks[random.below(blocks.size())];
        std::memcpy(&value, data + other.content + random.below(other.header.contentBytes() / 8) * 8, 8);
    }
    }
    if (random.below(4) == 0 && size + sizeof(ImageBlock) + 8 <= most) {
        const ImageBlock change { chosen.header.address + offset, std::uint32_t(width),
                                  std::uint32_t(1 + random.below(400)) };
        std::memcpy(data + size, &change, sizeof(change));
        std::memcpy(data + size + sizeof(change), &value, 8);
        return size + sizeof(change) + 8;
    }
    std::memcpy(data + chosen.content + offset, &value, width);
    return size;
}

// QPOOL_FUZZ_SECONDS: for that long, instead of a number of runs.
extern "C" int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *seconds = std::getenv("QPOOL_FUZZ_SECONDS");
    if (!seconds)
        return 0;
    static std::string time = std::string("-max_total_time=") + seconds;
    for (int i = 1; i < *argc; ++i) {
        if (std::strncmp((*argv)[i], "-runs=", 6) == 0)
            (*argv)[i] = time.data();
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const MemoryImage memory(data, size);
    Facts facts;
    LayoutFacts layout {};
    std::string message;
    if (!facts.read(memory, memory.table(), &message) || !layout.take(facts, &message)) {
        require(!message.empty() && message.size() < 200);
        return 0;
    }
#ifdef UNCHECKED_FACT
    spoil(memory, &layout);
#endif
    Checker checker(layout);
    PoolWalk walk(memory, layout, size);
    const WalkResult result = walk.run(checker);
    require((problemOf(result)[0] == '\0') == (result == WalkResult::Complete || result == WalkResult::Unreadable));
    // Every chunk and every link is in the image, and is read at most a few times in each of the rounds.
    require(memory.reads < 1'000'000);
    std::uint64_t live = 0;
    for (const PoolWalk::Arena &arena : walk.arenas()) {
        require(arena.uncertain <= arena.live && (arena.moving > 0 || arena.uncertain == 0));
        live += arena.live;
    }
    require(result != WalkResult::Complete || live == checker.chunks);
    return 0;
}
