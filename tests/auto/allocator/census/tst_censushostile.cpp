// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Whatever a process has in its table of facts and in its pool, and however it changes that while it is read:
// the reader names what is wrong or counts something, and the work that this takes is bounded.

#include "alteredmemory.h"
#include "countedpool.h"

#include "census/qpoolcensustally.h"

#include "randomsource.h"
#include "testscale.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

using namespace QPool;

// Exported, for the test that reads another process; its content is that of countedFacts.
extern "C" {
__attribute__((visibility("default"))) auto qt_pool_allocator_facts = countedFacts;
}

namespace {

using Word = std::uintptr_t;

// The pool of these tests is small. Its walk reads some 100 KB; no forged one may read a thousand times that.
constexpr std::uint64_t Mapped = std::uint64_t(1) << 30;
constexpr std::uint64_t MostReads = 2'000'000;
constexpr std::uint64_t MostBytes = std::uint64_t(1) << 30;

class Counter final : public LiveChunkVisitor
{
public:
    void begin() override { m_now = 0; }
    void chunk(const LiveChunk &) override { ++m_now; }
    void commit() override { chunks += m_now; }
    void discard() override { }

    std::uint64_t chunks = 0;

private:
    std::uint64_t m_now = 0;
};

struct Outcome
{
    std::string problem; // the table's
    WalkResult result = WalkResult::Complete;
    std::uint64_t chunks = 0;
    std::uint32_t moving = 0;
};

class CensusHostile : public testing::Test
{
protected:
    // Some live chunks, some in each list: magazines, pages, backlogs, and remote caches. A batch waits in a
    // backlog, and another one in a remote cache of a thread that still runs.
    CensusHostile()
    {
        for (int i = 0; i < 400; ++i)
            m_chunks.push_back(allocateIn(Object, 48));
        for (int i = 0; i < 20; ++i)
            m_chunks.push_back(allocateIn(Event, 200));
        for (int i = 0; i < 100; i += 3)
            freeOne(std::size_t(i));
        std::thread other([this] {
            for (std::size_t i = 100; i < 300; ++i)
                freeOne(i);
            CountedPool::flush();
        });
        other.join();
    }
    ~CensusHostile() override
    {
        for (void *chunk : m_chunks)
            CountedPool::deallocate(chunk);
        CountedPool::trim();
    }

    void freeOne(std::size_t index)
    {
        CountedPool::deallocate(m_chunks[index]);
        m_chunks[index] = nullptr;
    }

    std::uint64_t live() const
    {
        return std::uint64_t(std::count_if(m_chunks.begin(), m_chunks.end(),
                                           [](void *chunk) { return chunk != nullptr; }));
    }

    static Bin &binOf(const void *chunk) { return *SystemPages::headerOf(chunk)->bin; }

    static Outcome walk(const AlteredMemory &memory, const void *table = &countedFacts)
    {
        Outcome outcome;
        Facts facts;
        LayoutFacts layout {};
        if (!facts.read(memory, reinterpret_cast<Word>(table), &outcome.problem)
            || !layout.take(facts, &outcome.problem)) {
            EXPECT_NE(outcome.problem, "");
            return outcome;
        }
        Counter counter;
        PoolWalk walk(memory, layout, Mapped);
        outcome.result = walk.run(counter);
        outcome.chunks = counter.chunks;
        for (const PoolWalk::Arena &arena : walk.arenas())
            outcome.moving += arena.moving;
        EXPECT_LT(memory.reads, MostReads);
        EXPECT_LT(memory.bytesRead, MostBytes);
        return outcome;
    }

    std::vector<void *> m_chunks;
};

TEST_F(CensusHostile, readsTheUnalteredPool)
{
    const AlteredMemory memory;
    const Outcome outcome = walk(memory);
    EXPECT_EQ(outcome.problem, "");
    EXPECT_EQ(outcome.result, WalkResult::Complete);
    EXPECT_EQ(outcome.chunks, live());
    EXPECT_EQ(outcome.moving, 0u);
}

// Facts by name.
const Fact *factNamed(const std::string &name)
{
    for (const Fact &fact : countedFacts) {
        if (fact.name == name)
            return &fact;
    }
    return nullptr;
}

std::string recordOf(const std::string &name)
{
    const std::string prefix = name.substr(0, name.find('.'));
    return prefix == "magazine" || prefix == "bin" ? "bin.state" : prefix + ".size";
}

// The others are offsets.
bool isNumber(const std::string &name)
{
    const char *numbers[] = { "version", "hardened", "windows.shift", "windows.count",
                              "windows.firstPage", "bins", "bins.domain", "bin.state",
                              "magazine.mask", "remoteCache.slotCount", "batch.capacity" };
    return std::find(std::begin(numbers), std::end(numbers), name) != std::end(numbers)
            || (name.size() > 5 && name.compare(name.size() - 5, 5, ".size") == 0);
}

// Those that only gdb's script reads.
bool isForDebuggersOnly(const std::string &name)
{
    return name == "arena.adoptions" || name == "arena.pages";
}

// Those whose place is checked when it is read: a key that only level 2 has, and a number that the census
// does not need.
bool isReadLater(const std::string &name)
{
    return name == "linkKey" || name == "windows.blocks";
}

class CensusFact : public CensusHostile, public testing::WithParamInterface<Fact>
{
};

std::vector<Fact> allFacts()
{
    return { countedFacts.begin(), countedFacts.end() - 1 }; // without the end
}

TEST_P(CensusFact, isNamedOrHarmless)
{
    const std::string name = GetParam().name;
    const Fact &fact = *factNamed(name);
    const Fact *record = factNamed(recordOf(name));
    const bool isField = !isNumber(name) && !fact.address;
    ASSERT_TRUE(record || !isField);
    std::vector<std::size_t> numbers { 0, 1, 2, 3, 4, 7, 8, 64, 255, 4096, 65535, 65536, fact.number + 1,
                                       fact.number - 1, ~std::size_t(0), ~std::size_t(0) - 7 };
    if (sizeof(std::size_t) == 8) {
        numbers.push_back(std::size_t(1) << (sizeof(std::size_t) * 4));
        numbers.push_back(std::size_t(1) << (sizeof(std::size_t) * 5));
    }
    if (record) {
        for (int more : { -8, -1, 0, 1, 8 })
            numbers.push_back(record->number + std::size_t(more));
    }
    for (const std::size_t number : numbers) {
        SCOPED_TRACE(name + " = " + std::to_string(number));
        AlteredMemory memory;
        memory.set(&fact.number, number);
        const Outcome outcome = walk(memory);
        if (isForDebuggersOnly(name) || fact.address) {
            EXPECT_EQ(outcome.problem, "");
            EXPECT_EQ(outcome.chunks, live());
        } else if (number > 0xffffffff || (isField && number >= record->number)) {
            EXPECT_NE(outcome.problem.find(name == "version" ? "table of facts has version"
                                                             : "table's " + name + " "),
                      std::string::npos)
                    << outcome.problem;
        }
    }
    if (!fact.address)
        return;
    for (const Word address : { Word(0), Word(1), Word(8), Word(4096), reinterpret_cast<Word>(fact.address) + 1,
                                ~Word(0), ~Word(7), ~Word(4095), Word(1) << (sizeof(Word) * 8 - 1) }) {
        SCOPED_TRACE(name + " at " + std::to_string(address));
        AlteredMemory memory;
        memory.set(&fact.address, address);
        const Outcome outcome = walk(memory);
        EXPECT_TRUE(hardening < 2 || name != "linkKey" || outcome.result == WalkResult::Unreadable
                    || outcome.chunks > 0);
        if (!isReadLater(name) && (address == 0 || address % sizeof(Word) != 0 || address > ~Word(8))) {
            EXPECT_NE(outcome.problem.find("table's " + name + " is"), std::string::npos)
                    << outcome.problem;
        }
    }
}

// A fact that is missing is named, too.
TEST_P(CensusFact, isNamedWhenMissing)
{
    const std::string name = GetParam().name;
    AlteredMemory memory;
    memory.set(factNamed(name)->name, "another");
    const Outcome outcome = walk(memory);
    if (isForDebuggersOnly(name))
        EXPECT_EQ(outcome.problem, "");
    else
        EXPECT_NE(outcome.problem.find(name == "version" ? "has version 0" : "lacks " + name),
                  std::string::npos)
                << outcome.problem;
}

INSTANTIATE_TEST_SUITE_P(CensusHostile, CensusFact, testing::ValuesIn(allFacts()), [](const auto &info) {
    std::string name = info.param.name;
    std::replace(name.begin(), name.end(), '.', '_');
    return name;
});

TEST_F(CensusHostile, refusesATableWithoutAnEnd)
{
    static std::array<Fact, 4096> table {};
    std::fill(table.begin(), table.end(), *factNamed("version"));
    const AlteredMemory memory;
    EXPECT_NE(walk(memory, table.data()).problem.find("lacks windows.size"), std::string::npos);
    EXPECT_LT(memory.reads, 1000u);
    EXPECT_NE(walk(memory, reinterpret_cast<void *>(64)).problem.find("can't be read"), std::string::npos);
}

// Lists. Each link is changed so that it leads back, into another record, nowhere, or out of the process.
class CensusList : public CensusHostile
{
protected:
    CensusList()
    {
        Facts facts;
        std::string message;
        const AlteredMemory memory;
        EXPECT_TRUE(facts.read(memory, reinterpret_cast<Word>(&countedFacts), &message)
                    && m_layout.take(facts, &message)) << message;
        EXPECT_TRUE(memory.read(m_layout.registry.at + m_layout.registry.arenas, &m_arena));
        EXPECT_TRUE(memory.read(m_layout.registry.at + m_layout.registry.remoteCaches, &m_cache));
        EXPECT_NE(m_arena, 0u);
        EXPECT_NE(m_cache, 0u);
    }

    // The outcome if the word at \a place were \a value.
    static Outcome with(Word place, Word value)
    {
        AlteredMemory memory;
        memory.set(reinterpret_cast<void *>(place), value);
        return walk(memory);
    }

    LayoutFacts m_layout {};
    Word m_arena = 0;
    Word m_cache = 0;
};

TEST_F(CensusList, ofArenasEnds)
{
    const Word next = m_arena + m_layout.arena.next;
    EXPECT_EQ(with(next, m_arena).result, WalkResult::EndlessArenas);
    EXPECT_EQ(with(next, m_arena + sizeof(Word)).result, WalkResult::EndlessArenas); // overlaps
    EXPECT_EQ(with(next, m_arena + 1).result, WalkResult::EndlessArenas);
    EXPECT_EQ(with(next, ~Word(7)).result, WalkResult::EndlessArenas);
    EXPECT_EQ(with(next, 8).result, WalkResult::Unreadable);
}

TEST_F(CensusList, ofRemoteCachesEnds)
{
    const Word next = m_cache + m_layout.remoteCache.next;
    EXPECT_EQ(with(next, m_cache).result, WalkResult::EndlessRemoteCaches);
    EXPECT_EQ(with(next, m_cache + sizeof(Word)).result, WalkResult::EndlessRemoteCaches);
    EXPECT_EQ(with(next, ~Word(7)).result, WalkResult::EndlessRemoteCaches);
    EXPECT_EQ(with(next, 8).result, WalkResult::Unreadable);
}

// A circle of many records.
TEST_F(CensusList, ofManyRecordsEnds)
{
    const std::size_t records = 300;
    const std::size_t bytes = m_layout.remoteCache.bytes;
    std::vector<Word> memory(records * bytes / sizeof(Word));
    const auto record = [&](std::size_t i) {
        return reinterpret_cast<Word>(memory.data()) + i % records * bytes;
    };
    for (std::size_t i = 0; i < records; ++i) {
        const Word following = i + 1 < records ? record(i + 1) : 0;
        std::memcpy(reinterpret_cast<void *>(record(i) + m_layout.remoteCache.next), &following,
                    sizeof(following));
    }
    const Word head = m_layout.registry.at + m_layout.registry.remoteCaches;
    EXPECT_EQ(with(head, record(0)).result, WalkResult::Complete);
    const Word last = record(records - 1) + m_layout.remoteCache.next;
    const Word back = record(1);
    std::memcpy(reinterpret_cast<void *>(last), &back, sizeof(back));
    EXPECT_EQ(with(head, record(0)).result, WalkResult::EndlessRemoteCaches);
}

TEST_F(CensusList, ofBinsLiesInTheArena)
{
    const Word bins = m_arena + m_layout.arena.bins;
    for (const Word value : { Word(0), Word(8), m_arena - 8, m_arena + m_layout.arena.bytes, ~Word(7) })
        EXPECT_EQ(with(bins, value).result, WalkResult::OddBins);
}

TEST_F(CensusList, ofPagesLiesInTheWindows)
{
    const Word windows = m_layout.windows.at;
    // Without possible addresses there are no pages, as before the first one is needed.
    const Word numbers = ~Word(0) >> m_layout.windows.shift;
    for (const Word value : { numbers + 1, numbers - m_layout.windows.count + 1, ~Word(0) })
        EXPECT_EQ(with(windows + m_layout.windows.first, value).chunks, 0u) << value;
    // Windows of which nothing is mapped.
    EXPECT_EQ(with(windows + m_layout.windows.first, numbers - m_layout.windows.count).result,
              WalkResult::Unreadable);
    // More pages than there are headers, than fit in a window, and than fit in memory.
    for (const std::uint32_t taken : { 1u << 12, 1u << 19, ~0u }) {
        AlteredMemory memory;
        for (Word index = 0; index < m_layout.windows.count; ++index)
            memory.set(reinterpret_cast<void *>(windows + m_layout.windows.taken + 4 * index), taken);
        const WalkResult result = walk(memory).result;
        EXPECT_NE(result, WalkResult::Complete) << taken;
        EXPECT_EQ(result == WalkResult::OddWindows, taken > 1u << 12) << taken;
    }
}

// Chunks of the bin in which all lists are filled.
TEST_F(CensusList, ofFreeChunksEnds)
{
    Bin &bin = binOf(m_chunks.back());
    Bin &other = binOf(m_chunks[310]);
    for (Bin *each : { &bin, &other }) {
        const auto at = reinterpret_cast<Word>(each);
        const PageHeader *page = SystemPages::headerOf(each == &bin ? m_chunks.back() : m_chunks[310]);
        for (Word place : { at + m_layout.bin.backlog, at + m_layout.bin.keptChunks, at + m_layout.bin.batches,
                            at + m_layout.bin.keptBatches, at + m_layout.bin.magazine,
                            reinterpret_cast<Word>(page) + m_layout.header.free }) {
            for (Word value : { Word(1), Word(8), ~Word(7), at, place, reinterpret_cast<Word>(m_chunks.back()),
                                reinterpret_cast<Word>(m_chunks[310]) + 1 }) {
                const Outcome outcome = with(place, value);
                EXPECT_EQ(outcome.result, WalkResult::Complete);
                EXPECT_LE(outcome.moving, 1u);
            }
        }
    }
}

// A batch that is followed by itself, full or without chunks, and a chunk that links to itself.
TEST_F(CensusList, ofBatchesEnds)
{
    RemoteBatch batch;
    batch.next = &batch;
    FreeChunk *chunk = reinterpret_cast<FreeChunk *>(m_chunks[310]);
    const auto place = reinterpret_cast<Word>(&binOf(chunk)) + m_layout.bin.batches;
    for (std::uint32_t count : { 0u, 1u, 2u, RemoteBatch::Capacity, RemoteBatch::Capacity + 1, ~0u }) {
        batch.count = count;
        std::fill(std::begin(batch.chunks), std::end(batch.chunks), chunk);
        const Outcome outcome = with(place, reinterpret_cast<Word>(&batch));
        EXPECT_EQ(outcome.result, WalkResult::Complete);
        EXPECT_EQ(outcome.moving, 1u);
    }
}

// What a header says about its page.
TEST_F(CensusList, ofChunksLiesInThePage)
{
    const auto header = reinterpret_cast<Word>(SystemPages::headerOf(m_chunks[310]));
    for (Word field : { m_layout.header.fresh, m_layout.header.capacity, m_layout.header.chunkSize }) {
        for (std::uint32_t value : { 0u, 1u, 7u, 8u, 65536u, 1u << 31, ~0u }) {
            AlteredMemory memory;
            memory.set(reinterpret_cast<void *>(header + field), value);
            const Outcome outcome = walk(memory);
            EXPECT_EQ(outcome.result, WalkResult::Complete);
            EXPECT_LE(outcome.moving, 1u);
            EXPECT_LE(outcome.chunks, live() + 65536 / 8);
        }
    }
}

// Remote caches that claim chunks without end: their bins count as moving.
TEST_F(CensusList, ofRemoteChunksEnds)
{
    const auto &facts = m_layout.remoteCache;
    Word loop = 0; // a chunk that links to itself
    Link::set(reinterpret_cast<FreeChunk *>(m_chunks.back()), reinterpret_cast<FreeChunk *>(m_chunks.back()));
    loop = reinterpret_cast<Word>(m_chunks.back());
    for (std::uint32_t count : { 0u, 1u, 64u, 65u, ~0u }) {
        for (Word batch : { Word(0), Word(8), loop, ~Word(7) }) {
            AlteredMemory memory;
            for (Word i = 0; i < facts.count; ++i) {
                const Word slot = m_cache + facts.slotArray + i * facts.slotBytes;
                memory.set(reinterpret_cast<void *>(m_cache + facts.bins + i * sizeof(Word)), Word(1));
                memory.set(reinterpret_cast<void *>(slot + facts.batch), batch);
                memory.set(reinterpret_cast<void *>(slot + facts.first), loop);
                memory.set(reinterpret_cast<void *>(slot + facts.held), count);
            }
            EXPECT_EQ(walk(memory).result, WalkResult::Complete);
        }
    }
}

// Every read may give another value: what was checked is what is used.
TEST_F(CensusHostile, staysSaneWhileTheMemoryChanges)
{
    RandomSource random(TestScale::seed());
    std::uint64_t complete = 0;
    std::uint64_t named = 0;
    const std::uint64_t turns = TestScale::scaled(400);
    for (std::uint64_t turn = 0; turn < turns; ++turn) {
        AlteredMemory memory;
        const std::uint64_t seldom = std::uint64_t(1) << (2 + random.below(12));
        memory.setChange([&](std::uintptr_t, char *data, std::size_t bytes) {
            if (bytes < 4 || random.below(seldom) != 0)
                return;
            const std::size_t width = bytes >= 8 && random.below(2) ? 8 : 4;
            const std::size_t at = random.below(bytes / width) * width;
            std::uint64_t value = random() >> random.below(64);
            if (random.below(2)) {
                // Near to what is there.
                std::uint64_t before = 0;
                std::memcpy(&before, data + at, width);
                value = before + random.below(17) - 8;
            }
            std::memcpy(data + at, &value, width);
        });
        const Outcome outcome = walk(memory);
        complete += outcome.problem.empty() && outcome.result == WalkResult::Complete;
        named += !outcome.problem.empty() || outcome.result != WalkResult::Complete;
    }
    EXPECT_EQ(complete + named, turns);
    if (turns > 50) {
        EXPECT_GT(complete, 0u);
        EXPECT_GT(named, 0u);
    }
}

// Chunks of ever more kinds: those beyond the limit are counted as others.
TEST_F(CensusHostile, countsABoundedNumberOfKinds)
{
    const ProcessMemory memory(0);
    Mappings mappings;
    ASSERT_TRUE(mappings.read(memory));
    const ClassNames names(memory);
    const LayoutFacts layout {};
    const PoolWalk pool(memory, layout, Mapped);
    CensusTally tally(mappings, names, pool);
    const auto words = reinterpret_cast<Word>(&countedFacts);
    constexpr Word types = 65536;
    constexpr Word kinds = CensusTally::MostKinds + 2 * types;
    for (Word half = 0; half < 2; ++half) {
        tally.begin();
        for (Word kind = half * kinds / 2; kind < (half + 1) * kinds / 2; ++kind)
            tally.chunk({ 0, 48, PoolWalk::EventDomain, { words + kind / types * sizeof(Word), kind % types } });
        tally.commit();
    }
    std::size_t entries = 0;
    Word chunks = 0;
    tally.forEach([&](const CensusTally::Entry &entry) {
        ++entries;
        chunks += entry.count;
    });
    EXPECT_EQ(entries, CensusTally::MostKinds + 1);
    EXPECT_EQ(chunks, kinds);
}

// The same through CensusReader, for another process: its error has a kind and names the fact.
TEST_F(CensusHostile, isRefusedByTheReader)
{
    struct Case
    {
        const char *fact;
        const char *list; // whose first record is followed by itself
        CensusReader::Error error;
        const char *message;
    };
    const auto none = static_cast<const char *>(nullptr);
    for (const Case &each : { Case { "header.bin", none, CensusReader::Incompatible,
                                     "the table's header.bin lies outside of its record" },
                              Case { none, "registry.arenas", CensusReader::Damaged, "no end" },
                              Case { none, none, CensusReader::NoError, "" } }) {
        int ready[2];
        ASSERT_EQ(pipe(ready), 0);
        const pid_t child = fork();
        if (child == 0) {
            for (Fact &fact : qt_pool_allocator_facts) {
                if (each.fact && std::strcmp(fact.name, each.fact) == 0)
                    fact.number = std::size_t(1) << 30;
            }
            if (each.list) {
                const auto *registry = static_cast<const char *>(factNamed("registry")->address);
                char *arena;
                std::memcpy(&arena, registry + factNamed(each.list)->number, sizeof(arena));
                std::memcpy(arena + factNamed("arena.next")->number, &arena, sizeof(arena));
            }
            if (write(ready[1], "x", 1) == 1)
                pause();
            _exit(0);
        }
        char byte;
        ASSERT_EQ(read(ready[0], &byte, 1), 1);
        std::string message;
        CensusReader::Error error = CensusReader::NoError;
        const auto reader = CensusReader::attach(child, &error, &message);
        Census census;
        if (reader)
            reader->take(&census, &error, &message);
        EXPECT_EQ(error, each.error) << message;
        EXPECT_NE(message.find(each.message), std::string::npos) << message;
        EXPECT_EQ(census.count() > 0, each.error == CensusReader::NoError);
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
        close(ready[0]);
        close(ready[1]);
    }
}

} // namespace
