// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qpoolsharedlock.h"

#include "../allocator/os/qpoolos.h"
#include "os/qpoolsegmentfile.h"
#include "os/qpoolsharedfutex.h"
#include "../allocator/os/qpoolspin.h"

QPOOL_BEGIN_NAMESPACE

namespace {

// Long enough for a holder on another processor to finish a usual operation, short compared with a
// sleep.
constexpr unsigned spins = 100;
constexpr std::int64_t firstSleep = 1000000; // in ns; doubled each time
constexpr std::int64_t longestSleep = 50000000;
// Looking through the mappings of a large process takes milliseconds: after about as long a wait.
constexpr unsigned attemptsBeforeMaps = 2048;

// A time in milliseconds from now, for waiting.
class Deadline
{
public:
    explicit Deadline(std::int64_t milliseconds) noexcept
        : m_limit(milliseconds)
        , m_begin(milliseconds < 0 ? 0 : Os::milliseconds())
    {
    }
    bool isOver() const noexcept
    {
        return m_limit >= 0 && std::int64_t(Os::milliseconds() - m_begin) >= m_limit;
    }

private:
    const std::int64_t m_limit;
    const std::uint32_t m_begin;
};

} // namespace

const char *lockName(SharedLockKind kind) noexcept
{
    switch (kind) {
    case SharedLockKind::None: return "none";
    case SharedLockKind::Spin: return "spin";
    case SharedLockKind::Futex: return "futex";
    case SharedLockKind::Robust: return "robust";
    }
    return "?";
}

SharedLock::Result SharedLock::acquireSlow(SharedLockState &state, SharedLockKind kind,
                                           std::uint64_t self, std::int64_t milliseconds) noexcept
{
    Result result = Result::Acquired;
    switch (kind) {
    case SharedLockKind::Spin: return spin(state, self, milliseconds);
    case SharedLockKind::Futex: return sleep(state, self, milliseconds);
    case SharedLockKind::None:
        // With one user at a time, another's number is there only if that thread ended without
        // releasing it.
        if (state.word.load(std::memory_order_relaxed) != 0)
            result = Result::FromDead;
        break;
    case SharedLockKind::Robust:
        result = lockMutex(state, milliseconds);
        if (result == Result::TimedOut || result == Result::Failed)
            return result;
        break;
    }
    SharedSteps::step();
    state.word.store(self, std::memory_order_relaxed);
    SharedSteps::step();
    return result;
}

bool SharedLock::mayRelease(const SharedLockState &state, std::uint64_t holder) noexcept
{
    return Os::ThreadIdentity::isAlive(holder)
            && Os::SegmentFile::isMappedBy(std::uint32_t(holder & (Flag - 1)), &state);
}

bool SharedLock::wasAbandoned(SharedLockState &state, SharedLockKind kind, std::uint64_t self) noexcept
{
    std::uint64_t word = state.word.load(std::memory_order_relaxed);
    if (kind == SharedLockKind::Robust) {
        // The mutex itself says that its holder is gone. Another thread may have taken it.
        if (word == self)
            state.word.compare_exchange_strong(word, 0, std::memory_order_relaxed);
        return false;
    }
    while ((word & ~Flag) == self) {
        if (state.word.compare_exchange_weak(word, word ^ Flag, std::memory_order_acquire,
                                             std::memory_order_relaxed))
            return true;
    }
    return false;
}

SharedLock::Result SharedLock::spin(SharedLockState &state, std::uint64_t self,
                                    std::int64_t milliseconds) noexcept
{
    const Deadline deadline(milliseconds);
    for (unsigned attempt = 1;; ++attempt) {
        std::uint64_t word = state.word.load(std::memory_order_relaxed);
        if (word == 0) {
            if (state.word.compare_exchange_weak(word, self, std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
                SharedSteps::step();
                return Result::Acquired;
            }
            continue;
        }
        if (attempt < spins) {
            Detail::spinOnce();
            continue;
        }
        // A system call costs as much as a few dozen yields.
        if (attempt % 512 == 0
            && (attempt < attemptsBeforeMaps ? !Os::ThreadIdentity::isAlive(word & ~Flag)
                                             : !mayRelease(state, word & ~Flag))) {
            if (state.word.compare_exchange_strong(word, self, std::memory_order_acquire,
                                                   std::memory_order_relaxed)) {
                SharedSteps::step();
                return Result::FromDead;
            }
        }
        if (deadline.isOver())
            return Result::TimedOut;
        Os::pause(attempt - spins);
    }
}

SharedLock::Result SharedLock::sleep(SharedLockState &state, std::uint64_t self,
                                     std::int64_t milliseconds) noexcept
{
    for (unsigned attempt = 0; attempt < spins; ++attempt) {
        std::uint64_t word = state.word.load(std::memory_order_relaxed);
        if (word == 0
            && state.word.compare_exchange_weak(word, self, std::memory_order_acquire,
                                                std::memory_order_relaxed)) {
            SharedSteps::step();
            return Result::Acquired;
        }
        Detail::spinOnce();
    }
    const Deadline deadline(milliseconds);
    std::int64_t nanoseconds = firstSleep;
    for (;;) {
        std::uint64_t word = state.word.load(std::memory_order_relaxed);
        if (word == 0) {
            if (state.word.compare_exchange_weak(word, self | Flag, std::memory_order_acquire,
                                                 std::memory_order_relaxed)) {
                SharedSteps::step();
                return Result::Acquired;
            }
            continue;
        }
        if (!(word & Flag)) {
            if (!state.word.compare_exchange_weak(word, word | Flag, std::memory_order_release,
                                                  std::memory_order_relaxed))
                continue;
            word |= Flag;
        }
        if (deadline.isOver())
            return Result::TimedOut;
        const bool woken = Os::sharedFutexWait(state.word, std::uint32_t(word), nanoseconds);
        state.waking.store(0, std::memory_order_release);
        if (woken) {
            nanoseconds = firstSleep;
            continue;
        }
        if (nanoseconds < longestSleep)
            nanoseconds *= 2;
        if (state.word.load(std::memory_order_relaxed) != word
            || (nanoseconds < longestSleep ? Os::ThreadIdentity::isAlive(word & ~Flag)
                                           : mayRelease(state, word & ~Flag)))
            continue;
        if (state.word.compare_exchange_strong(word, self | Flag, std::memory_order_acquire,
                                               std::memory_order_relaxed)) {
            SharedSteps::step();
            return Result::FromDead;
        }
    }
}

void SharedLock::wake(SharedLockState &state) noexcept
{
    if (state.waking.load(std::memory_order_relaxed) != 0)
        return;
    state.waking.store(1, std::memory_order_relaxed);
    SharedSteps::step();
    Os::sharedFutexWake(state.word);
}

QPOOL_END_NAMESPACE
