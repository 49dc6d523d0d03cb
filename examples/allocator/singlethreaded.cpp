// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// One thread, no locks: the nodes of a tree from a pool of exactly their size.

#include <qpool/qpoolallocator.h>

#include <cstdio>
#include <new>

struct Node
{
    int key;
    Node *left = nullptr;
    Node *right = nullptr;

    // At class scope the size is always sizeof(Node), so one pool is enough.
    using Pool = QPool::QPoolAllocator<24, QPool::SingleThreaded>;
    static void *operator new(std::size_t)
    {
        if (void *chunk = Pool::allocate())
            return chunk;
        throw std::bad_alloc();
    }
    static void operator delete(void *chunk) { Pool::deallocate(chunk); }

    explicit Node(int value) : key(value) { }
    ~Node() { delete left; delete right; }

    void insert(int other)
    {
        Node *&side = other < key ? left : right;
        side ? side->insert(other) : void(side = new Node(other));
    }
};
static_assert(sizeof(Node) <= Node::Pool::chunkSize);

int main()
{
    Node *root = new Node(5000);
    for (int i = 1; i < 10000; ++i)
        root->insert(i * 7919 % 10000);
    std::printf("a tree of %llu nodes\n", (unsigned long long)Node::Pool::statistics().live());
    delete root;
    std::printf("%llu nodes are left\n", (unsigned long long)Node::Pool::statistics().live());
    return Node::Pool::statistics().live() == 0 ? 0 : 1;
}
