// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A census reads the file that a process has mapped, and no other: whatever the process has put at the
// path meanwhile is not opened, is not waited for, and leaves no trace in the result.

#include "countedpool.h"

#include "census/qpoolsymbolfile.h"
#include "census/qpoolvtablesymbols.h"
#include "os/qpoolelfcopies.h"

#include <gtest/gtest.h>

#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <link.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

using namespace QPool;

namespace {

constexpr std::size_t PageSize = 65536; // of any processor

// What is done with the file at the path, once it is mapped.
struct Kind
{
    const char *name;
    bool (*replace)(const std::string &path, const std::string &other);
    bool isOpened; // at the path: for the comparison, or because it is the right one after all
};

bool makeFifo(const std::string &path)
{
    return mkfifo(path.c_str(), 0644) == 0;
}

bool makeSocket(const std::string &path)
{
    sockaddr_un address {};
    address.sun_family = AF_UNIX;
    const int server = socket(AF_UNIX, SOCK_STREAM, 0);
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    const bool isMade = bind(server, reinterpret_cast<sockaddr *>(&address), sizeof(address)) == 0;
    close(server);
    return isMade;
}

bool replaceBy(const std::string &path, bool isMade(const std::string &))
{
    return unlink(path.c_str()) == 0 && isMade(path);
}

const Kind kinds[] = {
    { "Fifo", [](const std::string &path, const std::string &) { return replaceBy(path, makeFifo); },
      false },
    { "Socket", [](const std::string &path, const std::string &) { return replaceBy(path, makeSocket); },
      false },
    { "Directory",
      [](const std::string &path, const std::string &) {
          return unlink(path.c_str()) == 0 && mkdir(path.c_str(), 0755) == 0;
      },
      false },
    { "Device",
      [](const std::string &path, const std::string &) {
          return unlink(path.c_str()) == 0
                  && mknod(path.c_str(), S_IFCHR | 0644, makedev(1, 5)) == 0; // as /dev/zero
      },
      false },
    { "LinkToDevice",
      [](const std::string &path, const std::string &) {
          return unlink(path.c_str()) == 0 && symlink("/dev/zero", path.c_str()) == 0;
      },
      false },
    { "LinkToPrivateFile",
      [](const std::string &path, const std::string &other) {
          return unlink(path.c_str()) == 0 && symlink(other.c_str(), path.c_str()) == 0;
      },
      false },
    { "LinkToItself",
      [](const std::string &path, const std::string &) {
          return unlink(path.c_str()) == 0 && symlink(path.c_str(), path.c_str()) == 0;
      },
      false },
    { "LinkToTheFile", // even so
      [](const std::string &path, const std::string &) {
          const std::string moved = path + ".moved";
          return rename(path.c_str(), moved.c_str()) == 0 && symlink(moved.c_str(), path.c_str()) == 0;
      },
      true },
    { "LinkedFolder",
      [](const std::string &path, const std::string &) {
          const std::string folder = path.substr(0, path.rfind('/'));
          const std::string moved = folder + ".moved";
          return rename(folder.c_str(), moved.c_str()) == 0
                  && symlink(moved.c_str(), folder.c_str()) == 0;
      },
      true },
    { "Nothing", [](const std::string &path, const std::string &) { return unlink(path.c_str()) == 0; },
      false },
    { "OtherFile",
      [](const std::string &path, const std::string &other) {
          return rename(other.c_str(), path.c_str()) == 0;
      },
      true },
    { "CopyOfTheFile",
      [](const std::string &path, const std::string &) {
          const std::string copy = path + ".copy";
          std::filesystem::copy_file(path, copy);
          return rename(copy.c_str(), path.c_str()) == 0;
      },
      true },
};

class SymbolFileTest : public testing::Test
{
protected:
    SymbolFileTest() : m_memory(0)
    {
        char folder[] = "/tmp/tst_symbolfile.XXXXXX";
        EXPECT_TRUE(mkdtemp(folder));
        // maps has the path without links.
        m_folder = std::filesystem::canonical(folder);
        std::filesystem::create_directory(m_folder + "/of");
        m_path = m_folder + "/of/x";
        m_other = m_folder + "/other";
        std::filesystem::copy_file(NAMED_PLUGIN, m_path);
        std::ofstream(m_other) << "a secret";
        m_events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    }
    ~SymbolFileTest() override
    {
        if (m_mapped != MAP_FAILED)
            munmap(m_mapped, PageSize);
        close(m_events);
        std::filesystem::remove_all(m_folder);
    }

    // Maps the file, and returns its mapping as a census sees it.
    void map()
    {
        const int file = open(m_path.c_str(), O_RDONLY | O_CLOEXEC);
        m_mapped = mmap(nullptr, PageSize, PROT_READ, MAP_PRIVATE, file, 0);
        struct stat status;
        EXPECT_EQ(fstat(file, &status), 0);
        m_inode = status.st_ino;
        close(file);
        ASSERT_NE(m_mapped, MAP_FAILED);
        look();
    }
    void look()
    {
        ASSERT_TRUE(m_mappings.read(m_memory));
        const Mappings::Entry *entry = m_mappings.find(reinterpret_cast<std::uintptr_t>(m_mapped));
        ASSERT_TRUE(entry);
        m_entry = *entry;
    }

    // Whether \a file is what is mapped; closes it.
    bool isIt(int file) const
    {
        struct stat status {};
        const bool is = file >= 0 && fstat(file, &status) == 0 && status.st_ino == m_inode
                && (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY;
        if (file >= 0)
            close(file);
        return is;
    }

    // Whether the superuser's way can be taken.
    bool mayFollowMappings() const
    {
        const int place = SymbolFile::placeByMapping(m_memory, m_entry);
        if (place >= 0)
            close(place);
        return place >= 0;
    }

    void watch(const std::string &path) const
    {
        inotify_add_watch(m_events, path.c_str(), IN_OPEN);
    }
    bool wasOpened() const
    {
        char events[4096];
        return read(m_events, events, sizeof(events)) > 0;
    }

    ProcessMemory m_memory;
    Mappings m_mappings;
    Mappings::Entry m_entry {};
    std::string m_folder;
    std::string m_path;
    std::string m_other;
    void *m_mapped = MAP_FAILED;
    ino_t m_inode = 0;
    int m_events = -1;
};

TEST_F(SymbolFileTest, opensTheFileThatIsMapped)
{
    map();
    EXPECT_TRUE(isIt(SymbolFile::open(m_memory, m_mappings, m_entry)));
    EXPECT_TRUE(isIt(SymbolFile::openAt(SymbolFile::placeByPath(m_memory, m_mappings, m_entry), m_entry)));
    EXPECT_EQ(isIt(SymbolFile::openAt(SymbolFile::placeByMapping(m_memory, m_entry), m_entry)),
              mayFollowMappings());
}

class ReplacedFile : public SymbolFileTest, public testing::WithParamInterface<Kind>
{
};

INSTANTIATE_TEST_SUITE_P(By, ReplacedFile, testing::ValuesIn(kinds),
                         [](const testing::TestParamInfo<Kind> &info) { return info.param.name; });

TEST_P(ReplacedFile, isNeverOpened)
{
    map();
    if (!GetParam().replace(m_path, m_other))
        GTEST_SKIP() << "only the superuser can make a device";
    watch(m_path);
    watch(m_other);
    // With the mappings of before, and with those that say that the file was deleted.
    for (bool isLate : { false, true }) {
        if (isLate)
            look();
        const bool isMoved = isLate && !m_mappings.isDeleted(m_entry);
        const int byPath = SymbolFile::openAt(SymbolFile::placeByPath(m_memory, m_mappings, m_entry),
                                              m_entry);
        EXPECT_EQ(isIt(byPath), isMoved) << m_mappings.pathOf(m_entry);
        // Still the right one.
        EXPECT_EQ(isIt(SymbolFile::open(m_memory, m_mappings, m_entry)), isMoved || mayFollowMappings());
        EXPECT_TRUE(GetParam().isOpened || !wasOpened());
    }
}

// A deleted file is called "x (deleted)", and this is no path.
TEST_F(SymbolFileTest, neverOpensAPathThatEndsLikeADeletedOne)
{
    map();
    ASSERT_EQ(unlink(m_path.c_str()), 0);
    const std::string trap = m_path + " (deleted)";
    std::filesystem::copy_file(NAMED_PLUGIN, trap);
    watch(trap);
    look();
    EXPECT_TRUE(m_mappings.isDeleted(m_entry));
    EXPECT_EQ(m_mappings.nameOf(m_entry), "x");
    EXPECT_EQ(SymbolFile::placeByPath(m_memory, m_mappings, m_entry), -1);
    EXPECT_EQ(isIt(SymbolFile::open(m_memory, m_mappings, m_entry)), mayFollowMappings());
    EXPECT_FALSE(wasOpened());
}

// The text has no end of a line but at the end of lines.
TEST_F(SymbolFileTest, pathsOfSeveralLinesAreNotFollowed)
{
    const std::string folder = m_folder + "/of/y\n7f0000000000-7f0000001000 r-xp 00000000 00:00 1 ";
    std::filesystem::create_directory(folder);
    std::filesystem::rename(m_path, folder + "/x");
    m_path = folder + "/x";
    map();
    EXPECT_EQ(m_entry.inode, m_inode);
    EXPECT_FALSE(m_mappings.find(0x7f0000000000));
    EXPECT_EQ(SymbolFile::placeByPath(m_memory, m_mappings, m_entry), -1);
}

// Copies of the file that end, or go on, at any moment of the reading.
class ChangedCopies final : public ElfCopies
{
public:
    ChangedCopies(int file, std::uintptr_t end, std::uint64_t *left, unsigned turn, off_t size)
        : ElfCopies(file, end, left), m_file(file), m_turn(turn), m_size(size)
    {
    }

    bool read(std::uintptr_t place, void *to, std::size_t size) const noexcept override
    {
        if (turns++ == m_turn) {
            EXPECT_EQ(ftruncate(m_file, m_size), 0);
        }
        return ElfCopies::read(place, to, size);
    }

    mutable unsigned turns = 0;

private:
    const int m_file;
    const unsigned m_turn;
    const off_t m_size;
};

TEST_F(SymbolFileTest, filesMayChangeWhileTheyAreRead)
{
    const auto size = off_t(std::filesystem::file_size(NAMED_PLUGIN));
    // The number of symbols, and of readings if nothing changes.
    const auto read = [&](unsigned turn, off_t changed, unsigned *turns = nullptr) {
        std::filesystem::copy_file(NAMED_PLUGIN, m_path, std::filesystem::copy_options::overwrite_existing);
        const int file = open(m_path.c_str(), O_RDWR | O_CLOEXEC);
        std::uint64_t left = UINT64_MAX;
        std::size_t room = 1 << 20;
        const ChangedCopies copies(file, std::uintptr_t(size), &left, turn, changed);
        const VtableSymbols symbols(copies, &room);
        if (turns)
            *turns = copies.turns;
        close(file);
        return symbols.count();
    };
    unsigned all = 0;
    ASSERT_GT(read(UINT_MAX, 0, &all), 0u);
    EXPECT_GT(all, 20u);
    std::size_t found = 0;
    for (off_t changed : { off_t(0), off_t(64), size / 2, size - 1, 4 * size }) {
        for (unsigned turn = 0; turn < all; ++turn) {
            const bool isFound = read(turn, changed) > 0;
            found += isFound;
            EXPECT_TRUE(isFound || changed < size);
        }
    }
    EXPECT_LT(found, 5 * all);
}

// A file of symbols: so many, all with this text as their name, or the end of the file.
class ManySymbols
{
public:
    ManySymbols(const std::string &path, std::uint64_t count, std::uint64_t namesSize, const std::string &name)
        : m_file(open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644))
    {
        constexpr std::uint64_t front = 4096;
        size = front + count * sizeof(ElfW(Sym)) + namesSize;
        EXPECT_EQ(ftruncate(m_file, off_t(size)), 0);
        ElfW(Ehdr) header {};
        const int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC); // for this processor
        EXPECT_EQ(pread(own, &header, sizeof(header), 0), ssize_t(sizeof(header)));
        close(own);
        header.e_phnum = 0;
        header.e_shnum = 2;
        header.e_shoff = 512;
        put(0, &header, sizeof(header));
        ElfW(Shdr) sections[2] {};
        sections[0].sh_type = SHT_SYMTAB;
        sections[0].sh_entsize = sizeof(ElfW(Sym));
        sections[0].sh_link = 1;
        sections[0].sh_offset = front;
        sections[0].sh_size = count * sizeof(ElfW(Sym));
        sections[1].sh_type = SHT_STRTAB;
        sections[1].sh_offset = front + sections[0].sh_size;
        sections[1].sh_size = namesSize;
        put(512, sections, sizeof(sections));
        put(sections[1].sh_offset, name.data(), name.size());
        ElfW(Sym) symbol {};
        symbol.st_shndx = 1;
        symbol.st_info = STT_OBJECT;
        for (std::uint64_t i = 0; i < count && i < 1000; ++i) {
            symbol.st_value = i * 8;
            put(front + i * sizeof(symbol), &symbol, sizeof(symbol));
        }
    }
    ~ManySymbols() { close(m_file); }

    // Their number, with what reading them may take.
    std::size_t read(std::uint64_t *left, std::size_t *room) const
    {
        const ElfCopies copies(m_file, size, left);
        return VtableSymbols(copies, room).count();
    }

    std::uint64_t size;

private:
    void put(std::uint64_t place, const void *bytes, std::size_t count) const
    {
        EXPECT_EQ(pwrite(m_file, bytes, count, off_t(place)), ssize_t(count));
    }

    const int m_file;
};

TEST_F(SymbolFileTest, namesAreShortPrintableAndLimitedTogether)
{
    const auto count = [&](std::uint64_t namesSize, const std::string &name, std::size_t room = 1 << 21) {
        std::uint64_t left = UINT64_MAX;
        const ManySymbols symbols(m_path, 1000, namesSize, name);
        return symbols.read(&left, &room);
    };
    EXPECT_EQ(count(4096, "_ZTV1a"), 1000u);
    EXPECT_EQ(count(4096, "_ZTS1a"), 0u);
    EXPECT_EQ(count(4096, "_ZTV"), 0u);
    EXPECT_EQ(count(4, "_ZTV"), 0u);
    EXPECT_EQ(count(7, std::string("_ZTV1a\0", 7)), 1000u);
    EXPECT_EQ(count(6, "_ZTV1a"), 0u); // does not end
    EXPECT_EQ(count(4096, "_ZTV\033]0;a title\007\033[2K"), 0u);
    EXPECT_EQ(count(4096, "_ZTV1a\x9b"), 0u);
    EXPECT_EQ(count(4096, "_ZTV" + std::string(VtableSymbols::MostName - 1, 'a')), 1000u);
    EXPECT_EQ(count(4096, "_ZTV" + std::string(VtableSymbols::MostName, 'a')), 0u);
    EXPECT_EQ(count(64 << 20, "_ZTV" + std::string((64 << 20) - 5, 'a')), 0u);
    EXPECT_EQ(count(4096, "_ZTV" + std::string(936, 'a'), 10 * 1000), 10u); // and 64 bytes each
}

// A file of a terabyte without content.
TEST_F(SymbolFileTest, readingEndsWithItsLimit)
{
    const std::uint64_t terabyte = std::uint64_t(1) << 40;
    if (sizeof(std::uintptr_t) < 8)
        GTEST_SKIP() << "no larger file than the addresses reach";
    const ManySymbols symbols(m_path, terabyte / sizeof(ElfW(Sym)), 4096, "_ZTV1a");
    std::uint64_t left = 16 << 20;
    std::size_t room = 1 << 20;
    EXPECT_EQ(symbols.read(&left, &room), 1000u);
    EXPECT_LT(left, 4096u);
}

// A block that looks as if it were an object of a class of the deleted file: no other file is opened, and
// the census ends.
TEST_F(SymbolFileTest, censusOpensNoOtherFile)
{
    for (bool isFifo : { true, false }) {
        const std::string path = m_folder + "/of/lib" + (isFifo ? "a" : "b");
        const std::string trap = path + " (deleted)";
        const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
        ASSERT_EQ(ftruncate(file, PageSize), 0);
        void *place = mmap(nullptr, PageSize, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE, file, 0);
        if (place == MAP_FAILED)
            GTEST_SKIP() << "no file in the folder for temporary files may be executed";
        close(file);
        auto *words = static_cast<std::uintptr_t *>(place);
        words[2] = reinterpret_cast<std::uintptr_t>(place); // a function
        auto *block = static_cast<std::uintptr_t *>(allocateIn(Object, 56));
        block[0] = reinterpret_cast<std::uintptr_t>(words + 2);
        ASSERT_EQ(unlink(path.c_str()), 0);
        ASSERT_TRUE(isFifo ? makeFifo(trap) : symlink(m_other.c_str(), trap.c_str()) == 0);
        watch(isFifo ? trap : m_other);

        std::string message;
        CensusReader::Error error;
        const auto reader = CensusReader::ofOwnProcess(&countedFacts, &error, &message);
        ASSERT_TRUE(reader) << message;
        Census census;
        ASSERT_TRUE(reader->take(&census, &error, &message)) << message;
        ASSERT_EQ(census.rows.size(), 1u);
        EXPECT_EQ(census.rows[0].name, isFifo ? "liba+0x0" : "libb+0x0");
        EXPECT_EQ(census.rows[0].count, 1u);
        EXPECT_FALSE(wasOpened());
        CountedPool::deallocate(block);
        munmap(place, PageSize);
    }
}

} // namespace
