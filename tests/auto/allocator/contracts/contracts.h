// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef CONTRACTS_H
#define CONTRACTS_H

#include "deathreport.h"
#include "models.h"
#include "rendezvous.h"
#include "testscale.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

static_assert(QPool::hardened, "contracts are checked in hardened builds only");

class ContractsFixture : public ::testing::Test
{
protected:
    ContractsFixture()
    {
        // A separate child process, started by exec, so that it works beside other threads.
        ::testing::GTEST_FLAG(death_test_style) = "threadsafe";
    }
};

// The report without what differs between runs: addresses change with each process, and the child that
// dies is a new one.
inline std::string report(const char *model, const void *, const char *what)
{
    return std::string("qpool: ") + model + ": 0x[0-9a-f]+, freed by thread [0-9]+, " + what;
}

// AddressSanitizer sees writes to free chunks itself, and sooner.
inline std::string either(const std::string &message)
{
    return TestScale::underAddressSanitizer ? "use-after-poison|" + message : message;
}

inline void spoil(void *chunk) { std::memset(chunk, 0x41, sizeof(QPool::FreeChunk)); }

#endif // CONTRACTS_H
