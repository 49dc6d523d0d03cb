// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Containers of arrays, strings, and shared_ptr, which rebinds the allocator to an unspecified type.

#include "stdallocators.h"

#include <deque>
#include <list>
#include <memory>
#include <vector>

namespace {

template <class Family>
class StdArrayContainers : public StdContainers<Family>
{
};
TYPED_TEST_SUITE(StdArrayContainers, Families, FamilyNames);

// From a few bytes, which the pool has, to megabytes, which it has not.
TYPED_TEST(StdArrayContainers, vectorGrowsThroughAllSizes)
{
    using Vector = std::vector<int, typename TestFixture::template Allocator<int>>;
    Vector vector(this->family.template first<int>());
    constexpr int count = 1 << 20;
    for (int i = 0; i < count; ++i)
        vector.push_back(i);
    for (int i = 0; i < count; ++i)
        ASSERT_EQ(vector[std::size_t(i)], i);
    vector.resize(10);
    vector.shrink_to_fit();

    Vector elsewhere(vector, this->family.template second<int>());
    EXPECT_EQ(elsewhere, vector);
    const int *data = vector.data();
    elsewhere = std::move(vector);
    EXPECT_EQ(elsewhere.data(), data) << "the array moved, not its elements";
    Vector other(this->family.template second<int>());
    swap(other, elsewhere);
    EXPECT_EQ(other.data(), data);
    EXPECT_EQ(other.back(), 9);
    EXPECT_TRUE(other.get_allocator() == this->family.template first<int>());
}

TYPED_TEST(StdArrayContainers, dequeAndVectorOfBoolKeepTheirContent)
{
    std::deque<int, typename TestFixture::template Allocator<int>> deque(
            this->family.template first<int>());
    for (int i = 0; i < 10000; ++i) {
        deque.push_back(i);
        deque.push_front(-i);
    }
    EXPECT_EQ(deque.front(), -9999);
    auto copy(deque);
    deque.clear();
    EXPECT_EQ(copy.back(), 9999);
    EXPECT_EQ(copy.size(), 20000u);

    std::vector<bool, typename TestFixture::template Allocator<bool>> bits(
            1000, true, this->family.template first<bool>());
    bits[500] = false;
    EXPECT_FALSE(bits[500]);
}

template <class Char, class Family>
void strings(Family &family)
{
    using Allocator = typename Family::template Allocator<Char>;
    using String = std::basic_string<Char, std::char_traits<Char>, Allocator>;
    String text(family.template first<Char>());
    for (int i = 0; i < 5000; ++i)
        text += Char('a' + i % 26);
    String elsewhere(text, family.template second<Char>());
    EXPECT_TRUE(elsewhere == text);
    elsewhere = text + text;
    EXPECT_EQ(elsewhere.size(), 10000u);
    swap(elsewhere, text);
    EXPECT_EQ(text.size(), 10000u);
    EXPECT_EQ(text.compare(5000, 5000, elsewhere), 0);
    String moved(std::move(text), family.template second<Char>());
    EXPECT_EQ(moved.size(), 10000u);
}

TYPED_TEST(StdArrayContainers, stringsOfAllCharactersKeepTheirContent)
{
    strings<char>(this->family);
    strings<wchar_t>(this->family);
    strings<char16_t>(this->family);
    strings<char32_t>(this->family);
}

TYPED_TEST(StdArrayContainers, allocateSharedDestroysItsObject)
{
    struct Counted
    {
        explicit Counted(int &alive) : alive(alive) { ++alive; }
        ~Counted() { --alive; }
        int &alive;
        char data[40];
    };
    int alive = 0;
    auto pointer = std::allocate_shared<Counted>(this->family.template first<Counted>(), alive);
    std::weak_ptr<Counted> weak = pointer;
    auto second = pointer;
    pointer.reset();
    EXPECT_EQ(alive, 1);
    second.reset();
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(weak.expired());
}

// A type with containers of itself, which is incomplete where they are declared.
template <class Family>
struct Tree
{
    template <class T>
    using Allocator = typename Family::template Allocator<T>;
    using Children = std::vector<Tree, Allocator<Tree>>;
    using Chain = std::list<Tree, Allocator<Tree>>;

    Children children;
    Chain chain;
};

TYPED_TEST(StdArrayContainers, mayHoldTypesThatContainThem)
{
    using Node = Tree<TypeParam>;
    const auto allocator = this->family.template first<Node>();
    Node root { typename Node::Children(allocator), typename Node::Chain(allocator) };
    for (int i = 0; i < 10; ++i) {
        root.children.push_back({ typename Node::Children(allocator), typename Node::Chain(allocator) });
        root.children.back().chain.push_back(root);
    }
    EXPECT_EQ(root.children.back().chain.front().children.size(), 10u);
}

// Containers in containers, which do not pass the outer allocator on.
TYPED_TEST(StdArrayContainers, mayBeNested)
{
    using Inner = std::vector<int, typename TestFixture::template Allocator<int>>;
    std::list<Inner, typename TestFixture::template Allocator<Inner>> outer(
            this->family.template first<Inner>());
    for (int i = 0; i < 100; ++i)
        outer.emplace_back(std::size_t(i), i, this->family.template first<int>());
    EXPECT_EQ(outer.back().size(), 99u);
    EXPECT_EQ(outer.back().back(), 99);
}

struct alignas(64) Line { char byte; };
struct alignas(256) Wide { char byte; };
struct alignas(4096) Page { char byte; };

template <class T, class Family>
void aligned(Family &family)
{
    using Allocator = typename Family::template Allocator<T>;
    std::list<T, Allocator> list(family.template first<T>());
    std::vector<T, Allocator> vector(family.template first<T>());
    for (int i = 0; i < 50; ++i) {
        list.emplace_back();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&list.back()) % alignof(T), 0u);
        vector.emplace_back();
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(vector.data()) % alignof(T), 0u);
    }
}

TYPED_TEST(StdArrayContainers, alignOverAlignedTypes)
{
    aligned<Line>(this->family);
    aligned<Wide>(this->family);
    aligned<Page>(this->family);
    aligned<std::max_align_t>(this->family);
}

} // namespace
