// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of one type: created and destroyed, with memory reserved in advance, with one or several
// owners.

#include <qpool/qtypedpool.h>

#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

class Order
{
public:
    const std::string &customer() const { return m_customer; }

private:
    // Orders are allocated only from the pool.
    friend QPool::ObjectAccess;
    explicit Order(std::string customer) : m_customer(std::move(customer)) { }
    ~Order() = default;

    std::string m_customer;
};
using Orders = QPool::TypedPool<Order>;

int main()
{
    // Before the rush: memory for a thousand orders is reserved and touched, but nothing is
    // constructed yet.
    if (!Orders::reserve(1000))
        return 1;
    std::vector<Order *> orders;
    for (int i = 0; i < 900; ++i)
        orders.push_back(Orders::create("customer " + std::to_string(i)));
    std::printf("%zu orders, and room for %zu more\n", orders.size(), Orders::reserved());

    // By default any thread may destroy them.
    std::thread([&] {
        for (Order *order : orders)
            Orders::destroy(order);
    }).join();
    Orders::unreserve();

    // One owner; the pointer is no larger than a plain one.
    {
        const Orders::UniquePtr order = Orders::makeUnique("one owner");
        std::printf("%s\n", order->customer().c_str());
    }
    // Several owners; the order and its counters are in one chunk.
    std::shared_ptr<Order> shared = Orders::makeShared("two owners");
    std::thread([shared] { std::printf("%s\n", shared->customer().c_str()); }).join();
    shared.reset();

    const auto left = Orders::Chunks::statistics().live();
    std::printf("%llu orders are left\n", (unsigned long long)left);
    return left == 0 ? 0 : 1;
}
