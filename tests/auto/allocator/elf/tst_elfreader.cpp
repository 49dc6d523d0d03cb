// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// The reader of programs and libraries finds what is there, and of a library in which any one field is
// wrong, finds less, without reading outside of it and without much more work.

#include "elfuse.h"

#include "os/qpoolelfcopies.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

using namespace QPool;

extern "C" {
extern const int elfReaderConstant;
const int elfReaderConstant = 47;
int elfReaderVariable = 48;
}

namespace {

std::string contentOf(const char *path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

template <class Value>
Value valueAt(const std::string &bytes, std::size_t place)
{
    Value value {};
    EXPECT_LE(place + sizeof(value), bytes.size());
    std::memcpy(&value, bytes.data() + place, sizeof(value));
    return value;
}

// A sound library as a file, and as the dynamic linker loads it.
class Library
{
public:
    explicit Library(const char *path) : file(contentOf(path))
    {
        const auto header = valueAt<ElfW(Ehdr)>(file, 0);
        for (unsigned i = 0; i < header.e_phnum; ++i) {
            const auto segment = valueAt<ElfW(Phdr)>(file, header.e_phoff + i * sizeof(ElfW(Phdr)));
            if (segment.p_type != PT_LOAD)
                continue;
            m_segments.push_back(segment);
            loaded.resize(segment.p_vaddr + segment.p_memsz);
            loaded.replace(segment.p_vaddr, segment.p_filesz, file, segment.p_offset, segment.p_filesz);
        }
    }

    // Where the byte of the file at \a offset is in memory; npos if it is not loaded.
    std::size_t loadedPlace(std::size_t offset) const
    {
        for (const ElfW(Phdr) &segment : m_segments) {
            if (offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz)
                return offset - segment.p_offset + segment.p_vaddr;
        }
        return std::string::npos;
    }

    ElfUse use() const
    {
        ElfUse use;
        use.run(ElfReader::File, file.data(), file.size());
        use.run(ElfReader::Loaded, loaded.data(), loaded.size());
        use.nameVtables(file.data(), file.size());
        return use;
    }

    // Overwrites the same in both.
    void put(std::size_t offset, const void *value, std::size_t size)
    {
        std::memcpy(&file[offset], value, size);
        if (loadedPlace(offset) != std::string::npos)
            std::memcpy(&loaded[loadedPlace(offset)], value, size);
    }

    std::string file;
    std::string loaded;

private:
    std::vector<ElfW(Phdr)> m_segments;
};

struct Field
{
    std::string name;
    std::size_t place;
    std::size_t size;
};

#define FIELD(structure, member) \
    { #member, offsetof(structure, member), sizeof(structure::member) }

// All fields of headers, sections, the dynamic section, the hash tables and the symbols of a sound library.
class Fields
{
public:
    explicit Fields(const std::string &bytes) : m_bytes(bytes)
    {
        using Header = ElfW(Ehdr);
        add("header", 0, { FIELD(Header, e_type), FIELD(Header, e_phoff), FIELD(Header, e_shoff),
                           FIELD(Header, e_phentsize), FIELD(Header, e_phnum),
                           FIELD(Header, e_shentsize), FIELD(Header, e_shnum),
                           FIELD(Header, e_shstrndx), { "class", EI_CLASS, 1 },
                           { "order", EI_DATA, 1 }, { "magic", 0, 4 } });
        const auto header = valueAt<Header>(bytes, 0);
        for (unsigned i = 0; i < header.e_phnum; ++i)
            addSegment(i, header.e_phoff + i * sizeof(ElfW(Phdr)));
        for (unsigned i = 0; i < header.e_shnum; ++i)
            addSection(i, header.e_shoff + i * sizeof(ElfW(Shdr)));
    }

    std::vector<Field> all;

private:
    void add(const std::string &what, std::size_t place, const std::vector<Field> &members)
    {
        for (const Field &member : members)
            all.push_back({ what + '.' + member.name, place + member.place, member.size });
    }

    void addSegment(unsigned index, std::size_t place)
    {
        using Segment = ElfW(Phdr);
        add("segment " + std::to_string(index), place,
            { FIELD(Segment, p_type), FIELD(Segment, p_flags), FIELD(Segment, p_offset),
              FIELD(Segment, p_vaddr), FIELD(Segment, p_filesz), FIELD(Segment, p_memsz),
              FIELD(Segment, p_align) });
    }

    // The dynamic section and the tables are those that the section's type says.
    void addSection(unsigned index, std::size_t place)
    {
        using Section = ElfW(Shdr);
        add("section " + std::to_string(index), place,
            { FIELD(Section, sh_type), FIELD(Section, sh_addr), FIELD(Section, sh_offset),
              FIELD(Section, sh_size), FIELD(Section, sh_link), FIELD(Section, sh_info),
              FIELD(Section, sh_entsize) });
        const auto section = valueAt<Section>(m_bytes, place);
        using Dynamic = ElfW(Dyn);
        using Symbol = ElfW(Sym);
        const auto each = [&](const char *what, std::size_t step, std::size_t most,
                              const std::vector<Field> &members) {
            for (std::size_t i = 0; i < most && i < section.sh_size / step; ++i)
                add(what + std::to_string(i), section.sh_offset + i * step, members);
        };
        if (section.sh_type == SHT_DYNAMIC)
            each("dynamic ", sizeof(Dynamic), 100, { FIELD(Dynamic, d_tag), FIELD(Dynamic, d_un) });
        else if (section.sh_type == SHT_DYNSYM || section.sh_type == SHT_SYMTAB)
            each("symbol ", sizeof(Symbol), 16, { FIELD(Symbol, st_name), FIELD(Symbol, st_value),
                                                   FIELD(Symbol, st_size), FIELD(Symbol, st_shndx),
                                                   FIELD(Symbol, st_info) });
        else if (section.sh_type == SHT_GNU_HASH || section.sh_type == SHT_HASH)
            each("hash ", 4, 100, { { "word", 0, 4 } });
        else if (section.sh_type == SHT_NOTE)
            each("note ", 4, 3, { { "word", 0, 4 } });
    }

    const std::string &m_bytes;
};

class ElfReaderTest : public testing::TestWithParam<const char *>
{
};

INSTANTIATE_TEST_SUITE_P(Hash, ElfReaderTest, testing::Values(GNU_LIBRARY, SYSV_LIBRARY),
                         [](const testing::TestParamInfo<const char *> &info) {
                             return std::string(info.index == 0 ? "gnu" : "sysv");
                         });

TEST_P(ElfReaderTest, findsWhatALibraryHas)
{
    const std::string bytes = contentOf(GetParam());
    const StrictSource source(bytes.data(), bytes.size(), true);
    const ElfReader reader(source, ElfReader::File);
    ASSERT_EQ(reader.error(), ElfReader::NoError);
    ElfReader::Symbol symbol;
    ASSERT_TRUE(reader.find("zeroInitialised", &symbol));
    EXPECT_EQ(symbol.st_size, 3 * 4096u);
    EXPECT_STREQ(reader.string(symbol.st_name), "zeroInitialised");
    EXPECT_TRUE(reader.find("makeShape", &symbol));
    EXPECT_FALSE(reader.find("makeShap", &symbol));
    EXPECT_FALSE(reader.find("makeShapes", &symbol));
    bool isExported = false;
    for (std::uint32_t i = reader.exports().begin; i < reader.exports().end; ++i) {
        ASSERT_TRUE(reader.symbol(i, &symbol));
        isExported |= std::string(reader.string(symbol.st_name)) == "makeShape";
    }
    EXPECT_TRUE(isExported);
    EXPECT_NE(reader.findNote("GNU", 20), 0u); // the build's identity
    EXPECT_EQ(reader.findNote("GNU", 21), 0u);
    EXPECT_EQ(reader.findNote("QPool", 4), 0u);
}

// Each field has each of these values in turn: small ones, the largest, its own and the library's size, and
// what is next to them.
TEST_P(ElfReaderTest, survivesEachValueOfEachField)
{
    const Library sound(GetParam());
    const ElfUse whole = sound.use();
    EXPECT_EQ(whole.symbols, 8u); // two symbols, four times
    EXPECT_EQ(whole.vtables, 1u);
    const Fields fields(sound.file);
    EXPECT_GT(fields.all.size(), 300u);
    const std::uint64_t length = sound.file.size();
    const std::uint64_t room = sound.loaded.size();
    Library library = sound;
    std::uint64_t damaged = 0;
    std::uint64_t complete = 0;
    for (const Field &field : fields.all) {
        SCOPED_TRACE(field.name);
        const std::size_t size = std::min(field.size, sizeof(std::uint64_t));
        std::uint64_t own = 0;
        std::memcpy(&own, sound.file.data() + field.place, size); // on big-endian ones just another value
        const std::uint64_t values[] = { 0, 1, 2, std::uint64_t(-1), std::uint64_t(-2), INT32_MAX,
                                         UINT32_MAX, INT64_MAX, own - 1, own + 1, length - 1, length,
                                         length + 1, room - 1, room, room + 1, 0 - own,
                                         std::uint64_t(-1) - own, length - own, room - own };
        for (std::uint64_t value : values) {
            library.put(field.place, &value, size);
            const ElfUse use = library.use();
            ++damaged;
            complete += use.symbols == whole.symbols;
            // Each table is gone through for some names, twice.
            ASSERT_LT(use.bytesRead, 100 * (length + room)) << value;
        }
        library.put(field.place, &sound.file[field.place], size);
    }
    EXPECT_EQ(library.file, sound.file);
    EXPECT_EQ(library.loaded, sound.loaded);
    // If all were found, or none, nothing was tried.
    EXPECT_GT(complete, damaged / 4);
    EXPECT_LT(complete, damaged);
}

TEST_P(ElfReaderTest, survivesAnEndAnywhere)
{
    const Library library(GetParam());
    for (std::size_t size = 0; size < library.loaded.size(); size += size < 1024 ? 1 : 61) {
        ElfUse use;
        use.run(ElfReader::File, library.file.data(), std::min(size, library.file.size()));
        use.nameVtables(library.file.data(), std::min(size, library.file.size()));
        use.run(ElfReader::Loaded, library.loaded.data(), size);
    }
}

// All chains of the SysV table lead back to themselves, and none of the GNU table ends.
TEST_P(ElfReaderTest, chainsEnd)
{
    Library library(GetParam());
    const auto header = valueAt<ElfW(Ehdr)>(library.file, 0);
    for (unsigned i = 0; i < header.e_shnum; ++i) {
        const auto section = valueAt<ElfW(Shdr)>(library.file, header.e_shoff + i * sizeof(ElfW(Shdr)));
        const bool isGnu = section.sh_type == SHT_GNU_HASH;
        if (section.sh_type != SHT_HASH && !isGnu)
            continue;
        const std::uint32_t entry = isGnu ? 0xFFFFFFFE : 1;
        std::size_t at = section.sh_offset + 8;
        if (isGnu) {
            const auto filterWords = valueAt<std::uint32_t>(library.file, at);
            at += 8 + filterWords * sizeof(ElfW(Addr)) + valueAt<std::uint32_t>(library.file, at - 8) * 4;
        }
        for (; at < section.sh_offset + section.sh_size; at += sizeof(entry))
            library.put(at, &entry, sizeof(entry));
    }
    const ElfUse use = library.use();
    EXPECT_EQ(use.symbols, 0u);
    EXPECT_LT(use.bytesRead, 100 * (library.file.size() + library.loaded.size()));
}

// By all modules of this process, as dlsym() finds it.
TEST(OwnModules, haveTheSymbolsThatTheyExport)
{
    struct Found
    {
        int modules = 0;
        int symbols = 0;
        const char *own = nullptr;
    } found;
    const auto look = [](dl_phdr_info *info, std::size_t, void *result) {
        auto &all = *static_cast<Found *>(result);
        const ElfReader reader(*info);
        EXPECT_EQ(reader.error(), ElfReader::NoError);
        ++all.modules;
        ElfReader::Symbol symbol;
        for (std::uint32_t i = reader.exports().begin; i < reader.exports().end; ++i) {
            const char *name = reader.symbol(i, &symbol) ? reader.string(symbol.st_name) : nullptr;
            EXPECT_TRUE(name);
            ElfReader::Symbol same;
            all.symbols += name && *name && symbol.st_shndx != SHN_UNDEF && reader.find(name, &same);
        }
        if (reader.find("elfReaderConstant", &symbol) && reader.isConstant(symbol.st_value, symbol.st_size))
            all.own = reader.keep(symbol.st_value, symbol.st_size);
        EXPECT_FALSE(reader.find("elfReaderVariable", &symbol)
                     && reader.isConstant(symbol.st_value, symbol.st_size));
        return 0;
    };
    dl_iterate_phdr(look, &found);
    EXPECT_GT(found.modules, 2);
    EXPECT_GT(found.symbols, 1000);
    EXPECT_EQ(static_cast<const void *>(found.own), &elfReaderConstant);
}

// A source that several readers share has a limit, and copies see the file as it is by then.
TEST(ElfCopies, endWithTheFileAndTheirLimit)
{
    char name[] = "/tmp/tst_elfreader.XXXXXX";
    const int file = mkstemp(name);
    ASSERT_GE(file, 0);
    unlink(name);
    const std::string text(10000, 'x');
    ASSERT_EQ(write(file, text.data(), text.size()), ssize_t(text.size()));
    std::uint64_t left = UINT64_MAX;
    char buffer[10000];
    const ElfCopies all(file, text.size(), &left);
    EXPECT_TRUE(all.read(0, buffer, text.size()));
    EXPECT_EQ(std::string(buffer, text.size()), text);
    EXPECT_TRUE(all.read(text.size(), buffer, 0));
    EXPECT_FALSE(all.read(1, buffer, text.size()));
    EXPECT_FALSE(all.read(text.size() + 1, buffer, 0));
    EXPECT_FALSE(all.read(UINTPTR_MAX, buffer, 2));
    ASSERT_EQ(ftruncate(file, 5000), 0);
    const ElfCopies shorter(file, text.size(), &left);
    EXPECT_TRUE(shorter.read(4000, buffer, 1000));
    EXPECT_FALSE(shorter.read(4000, buffer, 1001));
    ASSERT_EQ(ftruncate(file, 20000), 0);
    EXPECT_FALSE(shorter.read(text.size(), buffer, 1)); // what was added later is not the file's
    left = 2 * 4096;
    const ElfCopies limited(file, text.size(), &left);
    EXPECT_TRUE(limited.read(4096, buffer, 1));
    EXPECT_TRUE(limited.read(5000, buffer, 1));
    EXPECT_TRUE(limited.read(0, buffer, 1));
    EXPECT_FALSE(limited.read(4096, buffer, 1));
    close(file);
}

TEST(Demangled, namesAreAsInTheProgramsText)
{
    EXPECT_EQ(demangled("7QObject"), "QObject");
    EXPECT_EQ(demangled("*N2ns3CarE"), "ns::Car");
    EXPECT_EQ(demangled("St4pairIiSaIcEE"), "std::pair<int, std::allocator<char> >");
    EXPECT_EQ(demangled("no name"), "no name");
    EXPECT_EQ(demangled(""), "");
    // Six references of a common class.
    EXPECT_EQ(demangled("St3mapINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEES5_St4lessIS5_ESaISt4pairIKS5_S5_EEE")
                      .rfind("std::map<", 0), 0u);
}

// Each part of the name has all before it twice.
TEST(Demangled, namesThatWouldTakeAllMemoryStayMangled)
{
    for (int parts : { 5, 20, 100 }) {
        std::string name = "N1a";
        const char *references[] = { "S_", "S1_", "S3_", "S5_", "S7_", "S9_" };
        for (int i = 0; i < parts; ++i)
            name += std::string("1bI") + (i < 6 ? references[i] : "S9_") + 'E';
        name += 'E';
        const std::string result = demangled(name);
        EXPECT_EQ(result == name, parts > 5);
        EXPECT_LT(result.size(), 4096u);
    }
    const std::string longer = std::to_string(2000) + std::string(2000, 'a');
    EXPECT_EQ(demangled(longer), longer);
    const std::string nested(1000, 'P');
    EXPECT_EQ(demangled(nested), nested);
}

} // namespace
