// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef STDALLOCATORS_H
#define STDALLOCATORS_H

#include "pools/std/qcachelineallocator.h"
#include "pools/std/qhugepageallocator.h"
#include "pools/std/qpoolstatefulallocator.h"
#include "pools/std/qpoolstdallocator.h"

#include <gtest/gtest.h>

#include <string>

// The parameters of the container tests: a family of allocators, for any type, and two instances,
// which are unequal if the family has unequal ones.

struct Stateless
{
    static constexpr const char *Name = "StdAllocator";
    template <class T>
    using Allocator = QPool::StdAllocator<T>;

    template <class T>
    Allocator<T> first() { return {}; }
    template <class T>
    Allocator<T> second() { return {}; }
};

struct Stateful
{
    static constexpr const char *Name = "StatefulAllocator";
    template <class T>
    using Allocator = QPool::StatefulAllocator<T>;

    template <class T>
    Allocator<T> first() { return firstResource; }
    template <class T>
    Allocator<T> second() { return secondResource; }

    QPool::PoolResource firstResource;
    QPool::PoolResource secondResource;
};

using Families = ::testing::Types<Stateless, Stateful>;

struct FamilyNames
{
    template <class Family>
    static std::string GetName(int) { return Family::Name; }
};

template <class Family>
class StdContainers : public ::testing::Test
{
public:
    template <class T>
    using Allocator = typename Family::template Allocator<T>;

    Family family;
};

#endif // STDALLOCATORS_H
