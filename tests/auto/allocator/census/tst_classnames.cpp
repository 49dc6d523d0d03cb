// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Which class an object is of, by its first word: also of half-built ones, of classes without type
// information, and of modules that are gone; and what only looks like an object.

#include "countedpool.h"
#include "plainplugin.h"

#include <gtest/gtest.h>

#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace QPool;

namespace Shapes {

std::uintptr_t wordWhileBuilt;

std::uintptr_t firstWord(const void *object)
{
    std::uintptr_t word;
    std::memcpy(&word, object, sizeof(word));
    return word;
}

struct Base
{
    Base() { wordWhileBuilt = firstWord(this); }
    virtual ~Base() = default;
    std::uint16_t type = 43; // where QEvent has it
};
struct Second
{
    virtual ~Second() = default;
    virtual void other() { }
};
struct Derived : Base
{
};
struct Both : Base, Second
{
};
template <class Type>
struct Box : Base
{
    Type value {};
};
struct Abstract
{
    virtual ~Abstract() = default;
    virtual void act() = 0;
};
struct Act final : Abstract
{
    void act() override { }
};

} // namespace Shapes

namespace {

using Shapes::firstWord;

struct Local : Shapes::Base
{
};

class ClassNamesTest : public testing::Test
{
protected:
    ClassNamesTest() : m_memory(0), m_names(m_memory) { look(); }

    void look()
    {
        ASSERT_TRUE(m_mappings.read(m_memory));
        m_names.setMappings(&m_mappings);
    }

    std::string nameOf(std::uintptr_t word)
    {
        const ClassNames::Class *found = m_names.find(word);
        return found ? found->name : "none";
    }

    static const CensusRow *row(const Census &census, const std::string &name)
    {
        for (const CensusRow &row : census.rows) {
            if (row.name == name)
                return &row;
        }
        return nullptr;
    }

    // Maps the segments of a module's file at the beginning of \a region, as the dynamic linker does, and
    // returns the end of its zero-initialised variables; 0 if that fails.
    static std::uintptr_t load(const char *path, char *region)
    {
        const auto page = std::uintptr_t(sysconf(_SC_PAGESIZE));
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        ElfW(Ehdr) header;
        if (file < 0 || pread(file, &header, sizeof(header), 0) != sizeof(header))
            return 0;
        std::uintptr_t end = 0;
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            ElfW(Phdr) segment;
            if (pread(file, &segment, sizeof(segment), off_t(header.e_phoff + i * sizeof(segment)))
                != sizeof(segment)) {
                return 0;
            }
            if (segment.p_type != PT_LOAD)
                continue;
            const std::uintptr_t begin = segment.p_vaddr / page * page;
            const std::uintptr_t skew = segment.p_vaddr - begin;
            const std::uintptr_t fileEnd = (segment.p_vaddr + segment.p_filesz + page - 1) / page * page;
            const int protection = segment.p_flags & PF_W ? PROT_READ | PROT_WRITE : PROT_READ;
            if (mmap(region + begin, fileEnd - begin, protection, MAP_PRIVATE | MAP_FIXED, file,
                     off_t(segment.p_offset - skew)) == MAP_FAILED) {
                return 0;
            }
            end = (segment.p_vaddr + segment.p_memsz + page - 1) / page * page;
            if (end > fileEnd
                && mmap(region + fileEnd, end - fileEnd, protection,
                        MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) {
                return 0;
            }
        }
        close(file);
        return reinterpret_cast<std::uintptr_t>(region) + end;
    }

    ProcessMemory m_memory;
    Mappings m_mappings;
    ClassNames m_names;
};

TEST_F(ClassNamesTest, findsTheClassesOfObjects)
{
    const Shapes::Derived derived;
    const Shapes::Both both;
    const Shapes::Box<Shapes::Derived> box;
    const Shapes::Act act;
    const Local local;
    EXPECT_EQ(nameOf(firstWord(&derived)), "Shapes::Derived");
    EXPECT_EQ(nameOf(Shapes::wordWhileBuilt), "Shapes::Base");
    EXPECT_EQ(nameOf(firstWord(&both)), "Shapes::Both");
    EXPECT_EQ(nameOf(firstWord(&box)), "Shapes::Box<Shapes::Derived>");
    EXPECT_EQ(nameOf(firstWord(&act)), "Shapes::Act");
    EXPECT_EQ(nameOf(firstWord(&local)), "(anonymous namespace)::Local");
    const ClassNames::Class *found = m_names.find(firstWord(&derived));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->module.rfind("tst_classnames", 0), 0u) << found->module;
}

TEST_F(ClassNamesTest, findsNoClassForOtherWords)
{
    static const char text[] = "a text of the program's, aligned or not";
    static const void *const table[8] = {};
    const Shapes::Both both;
    const Shapes::Second &part = both;
    const Shapes::Derived derived;
    const auto word = [](const void *place) { return reinterpret_cast<std::uintptr_t>(place); };
    EXPECT_EQ(nameOf(0), "none");
    EXPECT_EQ(nameOf(8), "none");
    EXPECT_EQ(nameOf(~std::uintptr_t(0)), "none");
    EXPECT_EQ(nameOf(word(text) & ~std::uintptr_t(7)), "none");
    EXPECT_EQ(nameOf(word(table + 4)), "none");
    EXPECT_EQ(nameOf(word(reinterpret_cast<const void *>(&std::strlen)) & ~std::uintptr_t(7)), "none");
    EXPECT_EQ(nameOf(firstWord(&part)), "none"); // no object begins with that
    EXPECT_EQ(nameOf(firstWord(&derived) + 1), "none");
    EXPECT_EQ(nameOf(word(&derived)), "none");
    EXPECT_EQ(nameOf(word(&typeid(derived))), "none");
}

// Every word of the program's constant data: none is taken for a class that it is not. Right are only
// those with the name that the compiler makes.
TEST_F(ClassNamesTest, findsOnlyRealClassesInTheProgram)
{
    int classes = 0;
    const std::string own = m_mappings.nameOf(*m_mappings.find(
            reinterpret_cast<std::uintptr_t>(&Shapes::wordWhileBuilt)));
    for (const Mappings::Entry &entry : m_mappings.entries()) {
        if (m_mappings.nameOf(entry) != own)
            continue;
        for (std::uintptr_t word = entry.begin; word < entry.end; word += sizeof(word)) {
            const ClassNames::Class *found = m_names.find(word);
            if (!found || found->guessed)
                continue;
            ++classes;
            ASSERT_EQ(found->name.find(own), std::string::npos) << std::hex << word;
            ASSERT_NE(found->name, "");
        }
    }
    EXPECT_GT(classes, 5);
}

TEST_F(ClassNamesTest, usesSymbolsOrOffsetsWithoutRtti)
{
    alignas(std::max_align_t) char place[64];
    for (const char *path : { NAMED_PLUGIN, STRIPPED_PLUGIN }) {
        SCOPED_TRACE(path);
        void *plugin = dlopen(path, RTLD_NOW);
        ASSERT_TRUE(plugin) << dlerror();
        const auto make = reinterpret_cast<MakeFunction>(dlsym(plugin, "makeShape"));
        ASSERT_TRUE(make);
        make(place);
        look();
        if (path == std::string(NAMED_PLUGIN)) {
            EXPECT_EQ(nameOf(firstWord(place)), "Plain::Shape");
        } else {
            const std::string file = std::string(path).substr(std::string(path).rfind('/') + 1);
            EXPECT_EQ(nameOf(firstWord(place)).rfind(file + "+0x", 0), 0u)
                    << nameOf(firstWord(place));
        }
        dlclose(plugin);
    }
}

// The system reports memory that follows a module's zero-initialised variables in one line with them.
TEST_F(ClassNamesTest, memoryBehindAModuleIsNotPartOfIt)
{
    const std::size_t size = 256 * std::size_t(sysconf(_SC_PAGESIZE));
    auto *region = static_cast<char *>(mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ASSERT_NE(static_cast<void *>(region), MAP_FAILED);
    const std::uintptr_t end = load(NAMED_PLUGIN, region);
    ASSERT_NE(end, 0u);
    ASSERT_LT(end, reinterpret_cast<std::uintptr_t>(region) + size);
    look();
    const Mappings::Entry *inside = m_mappings.find(end - 1);
    ASSERT_TRUE(inside);
    EXPECT_STREQ(m_mappings.pathOf(*inside), NAMED_PLUGIN);
    EXPECT_EQ(inside->base, reinterpret_cast<std::uintptr_t>(region));
    EXPECT_FALSE(m_mappings.find(end));
    munmap(region, size);
}

TEST_F(ClassNamesTest, marksClassesOfUnloadedModules)
{
    std::string message;
    CensusReader::Error error;
    const auto early = CensusReader::ofOwnProcess(&countedFacts, &error, &message);
    ASSERT_TRUE(early) << message;
    void *plugin = dlopen(NAMED_PLUGIN, RTLD_NOW);
    ASSERT_TRUE(plugin) << dlerror();
    const auto make = reinterpret_cast<MakeFunction>(dlsym(plugin, "makeShape"));
    std::vector<void *> shapes;
    for (int i = 0; i < 10; ++i) {
        shapes.push_back(allocateIn(Object, make(nullptr)));
        make(shapes.back());
    }
    Census census;
    ASSERT_TRUE(early->take(&census, &error, &message)) << message;
    ASSERT_TRUE(row(census, "Plain::Shape"));
    EXPECT_EQ(row(census, "Plain::Shape")->count, 10u);
    dlclose(plugin);

    ASSERT_TRUE(early->take(&census, &error, &message)) << message;
    ASSERT_TRUE(row(census, "Plain::Shape (unloaded)"));
    EXPECT_EQ(row(census, "Plain::Shape (unloaded)")->count, 10u);
    // A reader that never saw the class cannot know its name, only that it is gone.
    const auto late = CensusReader::ofOwnProcess(&countedFacts, &error, &message);
    ASSERT_TRUE(late->take(&census, &error, &message)) << message;
    ASSERT_TRUE(row(census, Census::UnloadedClass));
    EXPECT_EQ(row(census, Census::UnloadedClass)->count, 10u);
    for (void *shape : shapes)
        CountedPool::deallocate(shape);
}

TEST_F(ClassNamesTest, countsBlocksByClassAndEventType)
{
    std::vector<Shapes::Derived *> events;
    std::vector<Shapes::Derived *> objects;
    for (int i = 0; i < 300; ++i) {
        events.push_back(makeIn<Shapes::Derived>(Event));
        if (i % 3 == 0)
            events.back()->type = 1003;
        objects.push_back(makeIn<Shapes::Derived>(Object));
    }
    char *text = static_cast<char *>(allocateIn(Heap, 64));
    std::strcpy(text, "a text on the heap");
    auto *box = makeIn<Shapes::Box<int>>(Heap);

    std::string message;
    CensusReader::Error error;
    const auto reader = CensusReader::ofOwnProcess(&countedFacts, &error, &message);
    ASSERT_TRUE(reader) << message;
    Census census;
    ASSERT_TRUE(reader->take(&census, &error, &message)) << message;
    EXPECT_TRUE(census.isExact());
    std::uint64_t metaCalls = 0;
    std::uint64_t users = 0;
    std::uint64_t timers = 0;
    for (const CensusRow &row : census.rows) {
        if (row.name == "Shapes::Derived" && row.domain == "event") {
            (row.eventType == 43 ? metaCalls : users) += row.count;
            EXPECT_EQ(titleOf(row), row.eventType == 43 ? "Shapes::Derived (MetaCall)"
                                                        : "Shapes::Derived (User+3)");
        } else if (row.name == "Shapes::Derived") {
            EXPECT_EQ(row.domain, "object");
            EXPECT_EQ(row.eventType, -1);
            timers += row.count;
            EXPECT_GE(row.bytes, 300 * sizeof(Shapes::Derived));
        }
    }
    EXPECT_EQ(metaCalls, 200u);
    EXPECT_EQ(users, 100u);
    EXPECT_EQ(timers, 300u);
    ASSERT_TRUE(row(census, "Shapes::Box<int>"));
    EXPECT_EQ(row(census, "Shapes::Box<int>")->domain, "heap");
    ASSERT_TRUE(row(census, Census::NoClass));
    EXPECT_EQ(row(census, Census::NoClass)->count, 1u);
    EXPECT_EQ(census.count(), 602u);

    destroy(box);
    CountedPool::deallocate(text);
    for (auto *event : events)
        destroy(event);
    for (auto *object : objects)
        destroy(object);
    ASSERT_TRUE(reader->take(&census, &error, &message)) << message;
    EXPECT_EQ(census.count(), 0u);
}

// This program exports no table: it is looked for, and refused by name.
TEST_F(ClassNamesTest, refusesProcessesWithoutAPool)
{
    std::string message;
    CensusReader::Error error;
    EXPECT_FALSE(CensusReader::attach(std::int64_t(1) << 30, &error, &message));
    EXPECT_EQ(error, CensusReader::NoProcess);
    EXPECT_EQ(message, "there is no process 1073741824");
    EXPECT_FALSE(CensusReader::attach(getpid(), &error, &message));
    EXPECT_EQ(error, CensusReader::NoPool);
    EXPECT_NE(message.find("no QtCore with a pool"), std::string::npos) << message;
}

} // namespace
