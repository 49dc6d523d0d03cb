// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// What a process that is monitored says of its event latency, in memory files that it has open.

#include "qlatencysegment_p.h"
#include "qpoolmonitoredprocess.h"

#include "pools/objects/qpoolcachepublication.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef F_ADD_SEALS
#  define F_ADD_SEALS 1033
#  define F_SEAL_SHRINK 0x0002
#endif

using namespace QPool;

namespace {

// A segment of this process, closed at the end.
class OpenSegment
{
public:
    explicit OpenSegment(std::uint64_t pid = std::uint64_t(getpid()))
    {
        std::vector<char> bytes(QPoolLatencySegmentWriter::SegmentBytes);
        m_writer.begin(bytes.data(), pid, 1);
        const std::string name = QPoolLatencySegmentHeader::NamePrefix + std::to_string(getpid());
        m_file = memfd_create(name.c_str(), MFD_ALLOW_SEALING);
        EXPECT_EQ(pwrite(m_file, bytes.data(), bytes.size(), 0), ssize_t(bytes.size()));
        EXPECT_EQ(fcntl(m_file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
        void *memory = mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_SHARED, m_file, 0);
        EXPECT_NE(memory, MAP_FAILED);
        m_memory = static_cast<char *>(memory);
        m_writer.begin(m_memory, pid, 1);
    }
    ~OpenSegment()
    {
        munmap(m_memory, QPoolLatencySegmentWriter::SegmentBytes);
        close(m_file);
    }
    OpenSegment(const OpenSegment &) = delete;
    OpenSegment &operator=(const OpenSegment &) = delete;

    QPoolLatencySegmentWriter *operator->() { return &m_writer; }
    QPoolLatencySegmentHeader &header() { return *reinterpret_cast<QPoolLatencySegmentHeader *>(m_memory); }

private:
    QPoolLatencySegmentWriter m_writer;
    char *m_memory = nullptr;
    int m_file = -1;
};

// A process that publishes something can be attached to.
std::unique_ptr<MonitoredProcess> attach()
{
    EXPECT_TRUE(CachePublication::begin());
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    std::string message;
    auto process = MonitoredProcess::attach(getpid(), &error, &message);
    EXPECT_TRUE(process) << message;
    return process;
}

TEST(ForeignLatencyTest, tellsHowToEnableRecording)
{
    const auto process = attach();
    const PublishedLatency latency = process->readLatency();
    EXPECT_EQ(latency.state, PublishedLatency::NotRecorded);
    EXPECT_NE(latency.problem.find("run --latency"), std::string::npos);
}

TEST(ForeignLatencyTest, readsTheLatestPublishedText)
{
    const auto process = attach();
    EXPECT_EQ(process->readLatency().state, PublishedLatency::NotRecorded);
    PublishedLatency latency;
    {
        OpenSegment segment; // later than the process was opened
        latency = process->readLatency();
        EXPECT_EQ(latency.state, PublishedLatency::Recorded);
        EXPECT_EQ(latency.problem, "");
        EXPECT_EQ(latency.text.json, "");
        segment->publish("one");
        EXPECT_EQ(process->readLatency().text.json, "one");
        segment->publish("two");
        latency = process->readLatency();
        EXPECT_EQ(latency.text.json, "two");
        EXPECT_EQ(latency.text.number, 2u);
    }
    EXPECT_EQ(process->readLatency().text.json, "two"); // the last one stays
}

// A QtCore without the pool records latency, too.
TEST(ForeignLatencyTest, readsAProcessWithoutAPool)
{
    int ready[2];
    int over[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(over), 0);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    char byte = 0;
    if (child == 0) {
        close(over[1]);
        OpenSegment segment;
        segment->publish("alone");
        byte = write(ready[1], &byte, 1) == 1;
        byte = read(over[0], &byte, 1) == 0;
        _exit(byte ? 0 : 1);
    }
    close(over[0]);
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    MonitoredProcess::Error error = MonitoredProcess::NoError;
    std::string message;
    const auto process = MonitoredProcess::attach(child, &error, &message);
    ASSERT_TRUE(process) << message;
    EXPECT_EQ(process->readLatency().text.json, "alone");
    EXPECT_EQ(process->state(), MonitoredProcess::Publishing);
    EXPECT_EQ(process->since(), 1u);
    EXPECT_TRUE(process->read().arenas.empty());
    close(over[1]); // ends it
    int status = 0;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(process->state(), MonitoredProcess::Gone);
    EXPECT_EQ(process->readLatency().text.json, "alone"); // the last one stays
    close(ready[0]);
    close(ready[1]);
}

TEST(ForeignLatencyTest, refusesAnotherVersion)
{
    const auto process = attach();
    OpenSegment segment;
    segment.header().version = 7;
    const PublishedLatency latency = process->readLatency();
    EXPECT_EQ(latency.state, PublishedLatency::Incompatible);
    EXPECT_NE(latency.problem.find("it has version 7 of the format"), std::string::npos);
}

TEST(ForeignLatencyTest, reportsADamagedSegment)
{
    const auto process = attach();
    {
        OpenSegment segment;
        segment.header().blocksAt = 3;
        const PublishedLatency latency = process->readLatency();
        EXPECT_EQ(latency.state, PublishedLatency::Damaged);
        EXPECT_NE(latency.problem.find("can't be read: its texts lie outside of it"), std::string::npos);
    }
    OpenSegment segment(1);
    const PublishedLatency latency = process->readLatency();
    EXPECT_EQ(latency.state, PublishedLatency::Damaged);
    EXPECT_NE(latency.problem.find("it belongs to another process"), std::string::npos);
}

} // namespace
