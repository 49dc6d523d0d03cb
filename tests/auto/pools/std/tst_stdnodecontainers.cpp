// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Containers of nodes: filled, copied, moved, swapped, spliced and taken apart, among equal
// allocators and unequal ones.

#include "stdallocators.h"

#include <forward_list>
#include <list>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace {

constexpr int Count = 1000;

template <class Family>
class StdNodeContainers : public StdContainers<Family>
{
};
TYPED_TEST_SUITE(StdNodeContainers, Families, FamilyNames);

// Copies and moves of \a filled, which has an element or more, into containers with either
// allocator. Elements are compared afterwards, so each has to be where it says it is.
template <class Container, class Allocator>
void copiesAndMoves(const Container &filled, Allocator same, Allocator other)
{
    const Container copy(filled);
    EXPECT_EQ(copy, filled);
    EXPECT_TRUE(copy.get_allocator() == filled.get_allocator());

    Container elsewhere(filled, other);
    EXPECT_EQ(elsewhere, filled);
    EXPECT_TRUE(elsewhere.get_allocator() == other);

    // Element by element, if the allocators are unequal.
    Container moved(Container(filled), other);
    EXPECT_EQ(moved, filled);
    EXPECT_TRUE(moved.get_allocator() == other);

    Container assigned(other);
    assigned = filled;
    EXPECT_EQ(assigned, filled);
    EXPECT_TRUE(assigned.get_allocator() == other) << "the target keeps its own";

    // The allocator comes with the memory.
    Container target(other);
    Container source(filled, same);
    const auto *first = &*source.begin();
    target = std::move(source);
    EXPECT_EQ(target, filled);
    EXPECT_EQ(&*target.begin(), first) << "nodes moved, not elements";
    EXPECT_TRUE(target.get_allocator() == same);

    Container left(filled, same), right(other);
    using std::swap;
    swap(left, right);
    EXPECT_TRUE(left.empty());
    EXPECT_EQ(right, filled);
    EXPECT_TRUE(left.get_allocator() == other);
    EXPECT_TRUE(right.get_allocator() == same);
}

TYPED_TEST(StdNodeContainers, listSplicesMergesAndSorts)
{
    using List = std::list<int, typename TestFixture::template Allocator<int>>;
    const auto same = this->family.template first<int>();
    const auto other = this->family.template second<int>();
    List list(same);
    for (int i = 0; i < Count; ++i)
        list.push_back(i);
    copiesAndMoves(list, same, other);

    List more(same);
    more.assign({ -3, -2, -1 });
    const int *spliced = &more.front();
    list.splice(list.begin(), more);
    EXPECT_EQ(&list.front(), spliced);
    EXPECT_TRUE(more.empty());
    more.splice(more.end(), list, std::next(list.begin(), 3), list.end());
    list.merge(more);
    list.reverse();
    list.sort();
    list.remove_if([](int i) { return i % 2; });
    EXPECT_EQ(list.front(), -2);
    EXPECT_EQ(list.back(), Count - 2);
    EXPECT_EQ(list.size(), std::size_t(Count / 2 + 1));
}

TYPED_TEST(StdNodeContainers, forwardListSplicesAndSorts)
{
    using List = std::forward_list<int, typename TestFixture::template Allocator<int>>;
    const auto same = this->family.template first<int>();
    List list(same);
    for (int i = 0; i < Count; ++i)
        list.push_front(i);
    copiesAndMoves(list, same, this->family.template second<int>());
    List more({ 5000, 5001 }, same);
    list.splice_after(list.before_begin(), more);
    EXPECT_EQ(list.front(), 5000);
    list.sort();
    EXPECT_EQ(std::accumulate(list.begin(), list.end(), 0), Count * (Count - 1) / 2 + 10001);
}

TYPED_TEST(StdNodeContainers, mapsPassNodesToEachOther)
{
    using Value = std::pair<const int, int>;
    using Allocator = typename TestFixture::template Allocator<Value>;
    using Map = std::map<int, int, std::less<int>, Allocator>;
    using Multimap = std::multimap<int, int, std::less<int>, Allocator>;
    const Allocator same = this->family.template first<Value>();
    const Allocator other = this->family.template second<Value>();
    Map map(same);
    for (int i = 0; i < Count; ++i)
        map.emplace(i * 7919 % Count, i);
    copiesAndMoves(map, same, other);

    // A node goes from container to container, of another kind even, with its allocator.
    Map target(same);
    const Value *place = &*map.find(500);
    auto node = map.extract(500);
    EXPECT_TRUE(node.get_allocator() == same);
    node.key() = -500;
    const auto inserted = target.insert(std::move(node));
    EXPECT_TRUE(inserted.inserted);
    EXPECT_EQ(&*inserted.position, place);
    EXPECT_EQ(target.begin()->first, -500);
    {
        auto dropped = map.extract(501);
        EXPECT_FALSE(dropped.empty());
    }
    EXPECT_EQ(map.size(), std::size_t(Count - 2));

    Multimap multimap(same);
    for (int i = 0; i < Count; ++i)
        multimap.emplace(i % 10, i);
    multimap.merge(map);
    EXPECT_TRUE(map.empty());
    EXPECT_EQ(multimap.size(), std::size_t(2 * Count - 2));
    EXPECT_EQ(multimap.count(3), std::size_t(Count / 10 + 1));
    copiesAndMoves(multimap, same, other);
}

TYPED_TEST(StdNodeContainers, setsPassNodesToEachOther)
{
    using Allocator = typename TestFixture::template Allocator<int>;
    const Allocator same = this->family.template first<int>();
    const Allocator other = this->family.template second<int>();
    std::set<int, std::less<int>, Allocator> set(same);
    std::multiset<int, std::less<int>, Allocator> multiset(same);
    for (int i = 0; i < Count; ++i) {
        set.insert(i * 7919 % Count);
        multiset.insert(i % 7);
    }
    copiesAndMoves(set, same, other);
    copiesAndMoves(multiset, same, other);
    multiset.insert(set.extract(999));
    EXPECT_EQ(*multiset.rbegin(), 999);
    EXPECT_EQ(set.erase(3), 1u);
}

TYPED_TEST(StdNodeContainers, hashTablesPassNodesToEachOther)
{
    using Value = std::pair<const int, int>;
    using Allocator = typename TestFixture::template Allocator<Value>;
    using Map = std::unordered_map<int, int, std::hash<int>, std::equal_to<int>, Allocator>;
    using Multimap = std::unordered_multimap<int, int, std::hash<int>, std::equal_to<int>, Allocator>;
    const Allocator same = this->family.template first<Value>();
    const Allocator other = this->family.template second<Value>();
    Map map(same);
    for (int i = 0; i < Count; ++i)
        map[i] = -i;
    copiesAndMoves(map, same, other);
    map.rehash(10 * Count);
    Multimap multimap(same);
    for (int i = 0; i < Count; ++i)
        multimap.emplace(i % 10, i);
    multimap.insert(map.extract(777));
    EXPECT_EQ(multimap.count(777), 1u);
    EXPECT_EQ(map.count(777), 0u);
    EXPECT_EQ(map.at(776), -776);

    using SetAllocator = typename TestFixture::template Allocator<int>;
    std::unordered_set<int, std::hash<int>, std::equal_to<int>, SetAllocator> set(
            this->family.template first<int>());
    for (int i = 0; i < Count; ++i)
        set.insert(i);
    copiesAndMoves(set, this->family.template first<int>(), this->family.template second<int>());
}

} // namespace
