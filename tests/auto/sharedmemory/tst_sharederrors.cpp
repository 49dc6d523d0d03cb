// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Every reason for which there is no segment, by its name.

#include "childprocess.h"
#include "testsegment.h"

#include <cstring>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

using namespace QPool;

namespace {

SharedError errorOfAttach(const char *name)
{
    const SharedSegment segment = SharedSegment::attach(name);
    EXPECT_EQ(bool(segment), SharedSegment::lastError() == SharedError::None);
    return SharedSegment::lastError();
}

SharedError errorOfCreate(const char *name, std::uint64_t bytes = 1 << 20)
{
    const SharedSegment segment = SharedSegment::create(name, bytes);
    EXPECT_EQ(bool(segment), SharedSegment::lastError() == SharedError::None);
    return SharedSegment::lastError();
}

// A segment that no process has mapped, whose bytes can be changed.
class Stored
{
public:
    Stored()
    {
        EXPECT_TRUE(SharedSegment::create(name, 1 << 20));
        m_file = open(name.path().c_str(), O_RDWR | O_CLOEXEC);
        EXPECT_GE(m_file, 0);
    }
    ~Stored() { close(m_file); }

    template <class T>
    void write(std::size_t offset, T value)
    {
        EXPECT_EQ(pwrite(m_file, &value, sizeof value, off_t(offset)), ssize_t(sizeof value));
    }
    template <class T>
    T read(std::size_t offset)
    {
        T value {};
        EXPECT_EQ(pread(m_file, &value, sizeof value, off_t(offset)), ssize_t(sizeof value));
        return value;
    }
    // Adds to a number there.
    template <class T>
    void change(std::size_t offset, T by)
    {
        write(offset, T(read<T>(offset) + by));
    }
    void cutTo(std::size_t bytes) { EXPECT_EQ(ftruncate(m_file, off_t(bytes)), 0); }

    SegmentName name;

private:
    int m_file;
};

TEST(SharedErrorsTest, everyErrorHasAText)
{
    for (unsigned error = 0; error <= unsigned(SharedError::SystemError); ++error)
        EXPECT_STRNE(errorText(SharedError(error)), "an unknown error") << error;
    EXPECT_STREQ(errorText(SharedError(1000)), "an unknown error");
}

TEST(SharedErrorsTest, refusesInvalidNames)
{
    const std::string longest(SharedSegment::MaxNameLength, 'x');
    for (const char *name : { "", "a/b", "/a", "../a", "a b", "a\n", "a\x80", "a\\b", (const char *)(nullptr) }) {
        EXPECT_EQ(errorOfCreate(name), SharedError::InvalidName);
        EXPECT_EQ(errorOfAttach(name), SharedError::InvalidName);
        EXPECT_FALSE(SharedSegment::openOrCreate(name, 1 << 20));
        EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidName);
        EXPECT_FALSE(SharedSegment::unlink(name));
        EXPECT_EQ(SharedSegment::lastError(), SharedError::InvalidName);
    }
    EXPECT_EQ(errorOfCreate((longest + 'x').c_str()), SharedError::InvalidName);
    EXPECT_EQ(errorOfCreate(longest.c_str()), SharedError::None);
    EXPECT_TRUE(SharedSegment::unlink(longest.c_str()));
    // Names of folders are names like others behind the prefix.
    EXPECT_EQ(errorOfCreate(".."), SharedError::None);
    EXPECT_TRUE(SharedSegment::unlink(".."));
}

TEST(SharedErrorsTest, reportsExistingAndMissingSegments)
{
    SegmentName name;
    EXPECT_EQ(errorOfAttach(name), SharedError::NotFound);
    EXPECT_FALSE(SharedSegment::unlink(name));
    EXPECT_EQ(SharedSegment::lastError(), SharedError::NotFound);
    EXPECT_EQ(errorOfCreate(name), SharedError::None);
    EXPECT_EQ(errorOfCreate(name), SharedError::Exists);
    EXPECT_EQ(errorOfAttach(name), SharedError::None);
    EXPECT_TRUE(SharedSegment::unlink(name));
    EXPECT_EQ(errorOfAttach(name), SharedError::NotFound);
}

TEST(SharedErrorsTest, onlyTheOwnerMayHavePermissions)
{
    SegmentName name;
    const mode_t before = umask(0777);
    EXPECT_EQ(errorOfCreate(name), SharedError::None);
    umask(before);
    struct stat status;
    ASSERT_EQ(stat(name.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600u);
    EXPECT_EQ(errorOfAttach(name), SharedError::None);
    for (const mode_t mode : { 0640, 0602, 0660 }) {
        ASSERT_EQ(chmod(name.path().c_str(), mode), 0);
        EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs);
    }
}

TEST(SharedErrorsTest, reportsMissingPermission)
{
    SegmentName name;
    EXPECT_EQ(errorOfCreate(name), SharedError::None);
    EXPECT_EQ(exitCodeOfChild([&] {
                  if (geteuid() == 0 ? setuid(65534) != 0 : chmod(name.path().c_str(), 0) != 0)
                      return 100;
                  return int(errorOfAttach(name));
              }),
              int(SharedError::NoPermission));
    if (geteuid() == 0) {
        ASSERT_EQ(chown(name.path().c_str(), 65534, 65534), 0);
        EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs) << "another user's, though root may";
    }
}

// A file or link in the segment's place is neither followed nor waited for.
TEST(SharedErrorsTest, refusesLinksPipesAndDirectories)
{
    SegmentName real;
    EXPECT_EQ(errorOfCreate(real), SharedError::None);
    SegmentName name;
    ASSERT_EQ(symlink(real.path().c_str(), name.path().c_str()), 0);
    EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs);
    EXPECT_EQ(errorOfCreate(name), SharedError::Exists);
    EXPECT_TRUE(SharedSegment::unlink(name)) << "the link, not where it points";
    EXPECT_EQ(errorOfAttach(real), SharedError::None);
    ASSERT_EQ(symlink("/dev/shm/qpool.nowhere", name.path().c_str()), 0);
    EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs);
    EXPECT_EQ(errorOfCreate(name), SharedError::Exists);
    EXPECT_TRUE(SharedSegment::unlink(name));
    ASSERT_EQ(mkfifo(name.path().c_str(), 0600), 0);
    EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs);
    EXPECT_EQ(errorOfCreate(name), SharedError::Exists);
    EXPECT_TRUE(SharedSegment::unlink(name));
    ASSERT_EQ(mkdir(name.path().c_str(), 0700), 0);
    EXPECT_EQ(errorOfAttach(name), SharedError::NotOurs);
    EXPECT_EQ(rmdir(name.path().c_str()), 0);
}

TEST(SharedErrorsTest, refusesATruncatedSegment)
{
    Stored stored;
    for (const std::size_t bytes : { (1 << 20) - 4096, (1 << 20) - 1, 100000, 100, 1, 0 }) {
        stored.cutTo(bytes);
        EXPECT_EQ(errorOfAttach(stored.name), SharedError::Truncated) << bytes;
    }
}

TEST(SharedErrorsTest, refusesAWrongMagicNumber)
{
    Stored stored;
    stored.change<char>(offsetof(SharedHeader, magic), 1);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::WrongMagic);
    stored.cutTo(0);
    stored.cutTo(1 << 20);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::WrongMagic);
}

TEST(SharedErrorsTest, refusesAnotherVersion)
{
    Stored stored;
    stored.change<std::uint32_t>(offsetof(SharedHeader, version), 1);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::OtherVersion);
}

TEST(SharedErrorsTest, refusesAnotherAbi)
{
    Stored stored;
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::None);
    stored.change<char>(offsetof(SharedHeader, abi), 1);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::OtherAbi);
    stored.change<char>(offsetof(SharedHeader, abi), -1);
    stored.change<std::uint32_t>(offsetof(SharedHeader, headerBytes), 64);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::OtherAbi);
}

TEST(SharedErrorsTest, refusesAnotherNamespaceIfItHasALock)
{
    Stored stored;
    stored.change<std::uint64_t>(offsetof(SharedHeader, surroundings), 1);
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::OtherNamespace);
    // No check for a holder if there is no lock.
    stored.write(offsetof(SharedHeader, lockKind), std::uint32_t(SharedLockKind::None));
    EXPECT_EQ(errorOfAttach(stored.name), SharedError::None);
}

TEST(SharedErrorsTest, reportsATakenAddress)
{
    TestSegment test;
    EXPECT_EQ(errorOfAttach(test.name), SharedError::AddressTaken);
    EXPECT_SOUND(test.segment);
    test.segment = SharedSegment();
    EXPECT_EQ(errorOfAttach(test.name), SharedError::None);
}

TEST(SharedErrorsTest, reportsALackOfSpace)
{
    SegmentName name;
    struct statvfs status;
    ASSERT_EQ(statvfs("/dev/shm", &status), 0);
    const std::uint64_t all = std::uint64_t(status.f_blocks) * status.f_frsize;
    if (all != 0 && all < SharedSegment::MaxBytes && all < SIZE_MAX / 2) {
        EXPECT_EQ(errorOfCreate(name, all + (1 << 20)), SharedError::NoSpace);
        EXPECT_EQ(errorOfAttach(name), SharedError::NotFound);
    }
    // Beyond the limit of file sizes there is a signal, unless one knows it.
    EXPECT_EQ(exitCodeOfChild([&] {
                  const rlimit limit = { 1 << 19, 1 << 19 };
                  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
                      return 100;
                  return int(errorOfCreate(name));
              }),
              int(SharedError::NoSpace));
    EXPECT_EQ(errorOfAttach(name), SharedError::NotFound);
}

TEST(SharedErrorsTest, refusesABrokenSegment)
{
    const auto afterChange = [](std::size_t offset, std::uint32_t by) {
        Stored stored;
        stored.change<std::uint32_t>(offset, by);
        return errorOfAttach(stored.name);
    };
    EXPECT_EQ(afterChange(offsetof(SharedHeader, pageCount), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, metaPages), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, orderCount), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, wordsOffset), 8), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, orders), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, address), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, lockKind), 100), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, state), 1), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, bytes), -4096), SharedError::Broken);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, bytes), 4096), SharedError::Truncated);
    EXPECT_EQ(afterChange(offsetof(SharedHeader, heads), 1000), SharedError::Broken);

    // The recovery finds a page with an invalid state and stops.
    TestSegment test;
    test.segment.heap()->pages()[test.segment.heap()->metaPages].state.put(77);
    EXPECT_STREQ(test.segment.check(), "a page has an invalid state");
    EXPECT_FALSE(test.segment.repair());
    EXPECT_EQ(SharedSegment::lastError(), SharedError::Broken);
    EXPECT_EQ(test.segment.allocate(1), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::Broken);
    EXPECT_EQ(test.segment.construct<int>("a", 1), nullptr);
    EXPECT_EQ(SharedSegment::lastError(), SharedError::Broken);
    EXPECT_TRUE(test.segment.statistics().broken);
    EXPECT_STREQ(test.segment.check(), errorText(SharedError::Broken));
    EXPECT_EQ(exitCodeOfChild([&] {
                  test.segment = SharedSegment();
                  return int(errorOfAttach(test.name));
              }),
              int(SharedError::Broken));
}

TEST(SharedErrorsTest, listsSoundAndDamagedSegments)
{
    const SharedLockKind lock = allLocks().back(); // another than the default, if there is one
    TestSegment test(2 << 20, lock);
    void *block = test.segment.allocate(5000);
    Stored damaged;
    damaged.change<char>(offsetof(SharedHeader, magic), 1);
    int found = 0;
    for (const SharedListing &listing : SharedSegment::list()) {
        if (listing.name == static_cast<const char *>(test.name)) {
            ++found;
            EXPECT_EQ(listing.error, SharedError::None);
            EXPECT_EQ(listing.creator, std::uint64_t(getpid()));
            EXPECT_EQ(listing.statistics.bytes, 2u << 20);
            EXPECT_EQ(listing.statistics.usedBytes, 8192u);
            EXPECT_EQ(listing.statistics.usedBlocks, 1u);
            EXPECT_EQ(listing.statistics.lock, lock);
        } else if (listing.name == static_cast<const char *>(damaged.name)) {
            ++found;
            EXPECT_EQ(listing.error, SharedError::WrongMagic);
        }
    }
    EXPECT_EQ(found, 2);
    test.segment.deallocate(block, 5000);
}

} // namespace
