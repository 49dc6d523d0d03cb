// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BENCH_SHAREDSUBJECTS_H
#define BENCH_SHAREDSUBJECTS_H

// A map of strings in memory that several processes have, ours and others', and in that of one process.
// Each subject has a segment, a map in it, and a lock around the map.

#include "sharedmemory/qpoolsharedallocator.h"

#if __has_include(<boost/interprocess/managed_shared_memory.hpp>)
#  include <boost/interprocess/allocators/allocator.hpp>
#  include <boost/interprocess/containers/map.hpp>
#  include <boost/interprocess/containers/string.hpp>
#  include <boost/interprocess/managed_shared_memory.hpp>
#  include <boost/interprocess/sync/interprocess_mutex.hpp>
#  include <boost/interprocess/sync/scoped_lock.hpp>
#  define BENCH_HAS_INTERPROCESS 1
#endif

#include <QtCore/qglobal.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <scoped_allocator>
#include <string>
#include <string_view>

#include <unistd.h>

namespace Bench {

constexpr std::size_t SegmentBytes = 64 << 20;

// A name for the while it takes to map it.
inline std::string segmentName()
{
    static int count = 0;
    char name[64];
    std::snprintf(name, sizeof name, "bench-%ld-%d", long(getpid()), ++count);
    return name;
}

// Finds by a view, whatever type of string it is, so that no temporary string is allocated.
struct ByView
{
    using is_transparent = void;
    template <class A, class B>
    bool operator()(const A &a, const B &b) const
    {
        return std::string_view(a.data(), a.size()) < std::string_view(b.data(), b.size());
    }
};

template <QPool::SharedLockKind Kind>
class PoolMap
{
    template <class T>
    using Allocator = std::scoped_allocator_adaptor<QPool::SharedAllocator<T>>;
    using String = std::basic_string<char, std::char_traits<char>, QPool::SharedAllocator<char>>;
    using Map = std::map<String, String, ByView, Allocator<std::pair<const String, String>>>;

public:
    PoolMap()
    {
        const std::string name = segmentName();
        m_segment = QPool::SharedSegment::create(name.c_str(), SegmentBytes, Kind);
        QPool::SharedSegment::unlink(name.c_str());
        m_map = m_segment ? m_segment.construct<Map>("map", Map::allocator_type(m_segment)) : nullptr;
        if (!m_map)
            qFatal("no segment: %s", QPool::errorText(QPool::SharedSegment::lastError()));
    }
    void insert(const std::string &key, const std::string &value)
    {
        const std::lock_guard<QPool::SharedSegment> guard(m_segment);
        m_map->emplace(key.c_str(), value.c_str());
    }
    void replace(std::string_view gone, const std::string &key, const std::string &value)
    {
        const std::lock_guard<QPool::SharedSegment> guard(m_segment);
        const auto it = m_map->find(gone);
        if (it != m_map->end())
            m_map->erase(it);
        m_map->emplace(key.c_str(), value.c_str());
    }
    std::size_t size() const { return m_map->size(); }

private:
    QPool::SharedSegment m_segment;
    Map *m_map;
};

// The private data of a process.
template <class Mutex>
class PlainMap
{
public:
    void insert(const std::string &key, const std::string &value)
    {
        const std::lock_guard<Mutex> guard(m_mutex);
        m_map.emplace(key.c_str(), value.c_str());
    }
    void replace(std::string_view gone, const std::string &key, const std::string &value)
    {
        const std::lock_guard<Mutex> guard(m_mutex);
        const auto it = m_map.find(gone);
        if (it != m_map.end())
            m_map.erase(it);
        m_map.emplace(key.c_str(), value.c_str());
    }
    std::size_t size() const { return m_map.size(); }

private:
    Mutex m_mutex;
    std::map<std::string, std::string, ByView> m_map;
};

struct NoMutex
{
    void lock() { }
    void unlock() { }
};

#ifdef BENCH_HAS_INTERPROCESS
// Boost's, as its documentation shows; with its own locks, or without any.
template <bool Locked>
class BoostMap
{
    using Family = std::conditional_t<Locked, boost::interprocess::mutex_family,
                                      boost::interprocess::null_mutex_family>;
    using Segment = boost::interprocess::basic_managed_shared_memory<
            char, boost::interprocess::rbtree_best_fit<Family>, boost::interprocess::iset_index>;
    template <class T>
    using Allocator = boost::interprocess::allocator<T, typename Segment::segment_manager>;
    using String = boost::interprocess::basic_string<char, std::char_traits<char>, Allocator<char>>;
    using Map = boost::interprocess::map<String, String, ByView, Allocator<std::pair<const String, String>>>;
    using Mutex = typename Family::mutex_type;

public:
    BoostMap()
    {
        const std::string name = segmentName();
        boost::interprocess::shared_memory_object::remove(name.c_str());
        m_segment = Segment(boost::interprocess::create_only, name.c_str(), SegmentBytes);
        boost::interprocess::shared_memory_object::remove(name.c_str());
        m_mutex = m_segment.template construct<Mutex>("mutex")();
        m_map = m_segment.template construct<Map>("map")(
                ByView(), Allocator<std::pair<const String, String>>(m_segment.get_segment_manager()));
    }
    void insert(const std::string &key, const std::string &value)
    {
        const boost::interprocess::scoped_lock<Mutex> guard(*m_mutex);
        m_map->emplace(string(key), string(value));
    }
    void replace(std::string_view gone, const std::string &key, const std::string &value)
    {
        const boost::interprocess::scoped_lock<Mutex> guard(*m_mutex);
        const auto it = m_map->find(gone);
        if (it != m_map->end())
            m_map->erase(it);
        m_map->emplace(string(key), string(value));
    }
    std::size_t size() const { return m_map->size(); }

private:
    String string(const std::string &text)
    {
        return String(text.c_str(), Allocator<char>(m_segment.get_segment_manager()));
    }

    Segment m_segment;
    Mutex *m_mutex;
    Map *m_map;
};
#endif

} // namespace Bench

#endif // BENCH_SHAREDSUBJECTS_H
