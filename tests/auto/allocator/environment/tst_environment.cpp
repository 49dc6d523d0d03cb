// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A set-user-ID program does not read the environment of the user who starts it.

#include "childprocess.h"

#include "os/qpoolenvironment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <sys/stat.h>

namespace {

constexpr char name[] = "QT_POOL_ALLOCATOR";
constexpr uid_t otherUser = 65534;
// The exit code of the program when the test starts it.
enum Report { Started = 64, HasRights = 1, ReadsVariable = 2 };

int report()
{
    return Started + (geteuid() != getuid() ? HasRights : 0)
            + (QPool::Os::environment(name) ? ReadsVariable : 0);
}

// Starts a copy of this program, with these \a permissions, as the other user.
int runCopy(mode_t permissions)
{
    namespace fs = std::filesystem;
    char folder[] = "/tmp/qpool-environment-XXXXXX";
    if (!mkdtemp(folder))
        return -1;
    const std::string copy = std::string(folder) + "/program";
    fs::copy_file("/proc/self/exe", copy);
    chmod(folder, 0755);
    chmod(copy.c_str(), permissions);
    const int code = exitCodeOfChild([&] {
        if (setresgid(otherUser, otherUser, otherUser) != 0 || setresuid(otherUser, otherUser, otherUser) != 0)
            return 1;
        setenv(name, "monitor", 1);
        execl(copy.c_str(), copy.c_str(), "--report", nullptr);
        return 2;
    });
    fs::remove_all(folder);
    return code;
}

TEST(EnvironmentTest, isReadByAnOrdinaryProgram)
{
    ASSERT_EQ(setenv(name, "monitor", 1), 0);
    EXPECT_STREQ(QPool::Os::environment(name), "monitor");
    unsetenv(name);
    EXPECT_EQ(QPool::Os::environment(name), nullptr);
}

TEST(EnvironmentTest, isNotReadBySetUserIdPrograms)
{
    if (geteuid() != 0)
        GTEST_SKIP() << "only the superuser can make a program of another user";
    ASSERT_EQ(runCopy(0755), Started + ReadsVariable);
    const int code = runCopy(04755);
    if (!(code & HasRights))
        GTEST_SKIP() << "/tmp is mounted with nosuid";
    EXPECT_EQ(code, Started + HasRights);
}

} // namespace

int main(int argc, char **argv)
{
    if (argc > 1 && std::strcmp(argv[1], "--report") == 0)
        return report();
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
