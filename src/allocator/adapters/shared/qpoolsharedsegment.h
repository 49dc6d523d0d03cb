// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDSEGMENT_H
#define QPOOLSHAREDSEGMENT_H

#include "../../os/qpoolsegmentfile.h"
#include "../objects/qobjectaccess.h"
#include "qpoolsharedheap.h"
#include "qpoolsharedroots.h"

#include <new>
#include <string>
#include <utility>
#include <vector>

QPOOL_BEGIN_NAMESPACE

//! Statistics of a segment. What is read while others are at work is not of one moment.
struct SharedStatistics
{
    std::uint64_t bytes = 0; //!< of the segment, its books included
    std::uint64_t usedBytes = 0; //!< in blocks that are in use, as large as they are in truth
    std::uint64_t usedBlocks = 0;
    std::uint64_t freeBytes = 0; //!< in pages of which no part is in use
    std::uint64_t largestFree = 0; //!< bytes that follow each other, in powers of two
    std::uint64_t deaths = 0; //!< of threads that held the lock
    std::uint64_t repairs = 0; //!< of the books, after such
    std::uint64_t possiblyLost = 0; //!< blocks that nobody may know of any more, at the most
    std::uint64_t badFrees = 0; //!< of what was no block in use
    SharedLockKind lock = SharedLockKind::None;
    bool broken = false;
};

//! A segment as the system lists it.
struct SharedListing
{
    std::string name;
    SharedError error = SharedError::None; //!< why it can't be attached to; then there are no statistics
    std::uint64_t creator = 0; //!< the number of its process
    SharedStatistics statistics;
};

struct SharedRootListing
{
    std::string name;
    std::uint64_t bytes = 0;
};

/*!
    \class QPool::SharedSegment
    \brief Memory with a name, which all processes have at the same address, and a pool in it.

    \code
    auto segment = QPool::SharedSegment::openOrCreate("prices", 64 << 20);
    if (!segment)
        return complain(QPool::errorText(QPool::SharedSegment::lastError()));
    const std::lock_guard<QPool::SharedSegment> guard(segment);
    Prices *prices = segment.findOrConstruct<Prices>("prices", Prices::allocator_type(segment));
    \endcode

    Because the address is the same everywhere, plain pointers mean the same everywhere, and the
    standard's containers work with SharedAllocator. What else is in a container must keep to the
    segment as well: no virtual functions, no pointers or references to anything outside, no file
    descriptors, no threads' mutexes. All processes are compiled by the same compiler with the same
    standard library, which attach() checks. doc/sharedmemory.md says more.

    The lock is one for all of the segment. Each call takes it; a thread that calls lock() itself,
    around what it does to a container, keeps others out of the container and makes the calls within
    cost no lock of their own. A thread must not end, nor its process call exec(), while it holds the
    lock. One that is killed does not stop the others: they take the lock, put the segment's own books
    in order, and go on. Containers that it was changing are the program's affair; statistics().deaths
    tells that it happened.

    Threads: after it was created, any thread may call anything; moving and destroying are for when
    nobody does. A process has a segment once. With SharedLockKind::None, one thread of all processes at
    a time.

    Alignment: as asked for, up to a page (4096 bytes). Units are bytes. Small blocks have a granularity
    of 16 bytes, large ones of a page.

    Failure: nothing here throws but what constructors of the program's objects throw, and lists of
    statistics std::bad_alloc. What comes to nothing returns null, false or an object that is false, and
    lastError() says why.

    Permissions are 0600: only processes of one user share a segment, and they trust each other; what is
    in it can be anything that one of them wrote. attach() believes nothing that it does not check.

    After Boost.Interprocess's managed segments, which may be at any address and so need containers with
    pointers of their own.
*/
class SharedSegment
{
public:
    static constexpr std::size_t MinBytes = SharedHeader::MinBytes;
    static constexpr std::uint64_t MaxBytes = SharedHeader::MaxBytes;
    static constexpr std::size_t MaxRoots = SharedHeader::RootCount;
    static constexpr std::size_t MaxNameLength = 128;
    static constexpr std::size_t MaxRootNameLength = SharedRoot::NameBytes - 1;

    SharedSegment() = default;
    SharedSegment(SharedSegment &&other) noexcept;
    SharedSegment &operator=(SharedSegment &&other) noexcept;
    //! Unmaps the segment; its name and what is in it stay. Gives back the lock if this thread has it.
    ~SharedSegment();

    /*!
        Makes a segment of \a bytes by the name \a name, with the lock policy \a lock. The size is rounded
        up to pages, includes the books, and has memory behind all of it. Fails if there is one of that
        name.
    */
    static SharedSegment create(const char *name, std::uint64_t bytes,
                                SharedLockKind lock = SharedLockKind::Futex) noexcept
    {
        return create(name, bytes, lock, SharedAbi::own());
    }

    //! Maps the segment \a name, whose size and lock are what it was created with.
    static SharedSegment attach(const char *name) noexcept { return attach(name, SharedAbi::own()); }

    //! Attaches to the segment \a name, or creates it with \a bytes and \a lock; of several processes that
    //! call it at once, one creates.
    static SharedSegment openOrCreate(const char *name, std::uint64_t bytes,
                                      SharedLockKind lock = SharedLockKind::Futex) noexcept
    {
        return openOrCreate(name, bytes, lock, SharedAbi::own());
    }

    /*!
        Takes the name away: nobody else can attach, and the memory goes when the last process that has
        is gone. Returns false if there is no segment \a name. On Windows the name goes with the memory, and this fails.
    */
    static bool unlink(const char *name) noexcept;

    //! The segments there are (Linux; none elsewhere).
    static std::vector<SharedListing> list();

    //! Why the calling thread's last call of a segment came to nothing.
    static SharedError lastError() noexcept { return s_error; }

    explicit operator bool() const noexcept { return m_heap != nullptr; }

    //! The lock, for std::lock_guard and its like. May be taken several times by one thread.
    void lock() noexcept { m_heap->enter(); }
    void unlock() noexcept { m_heap->leave(); }
    bool try_lock() noexcept { return tryLockFor(0); }
    bool tryLockFor(std::int64_t milliseconds) noexcept;

    //! Returns a block of \a bytes at a multiple of \a alignment, or null if the segment is full or broken.
    //! To be given back with the same values.
    void *allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) noexcept;
    void deallocate(void *block, std::size_t bytes,
                    std::size_t alignment = alignof(std::max_align_t)) noexcept
    {
        if (block)
            m_heap->deallocate(block, bytes, alignment);
    }

    /*!
        Returns the object that construct() made by this \a name, by any process; null if there is none, or one of
        another type. Whether it is sound is for the program to know.
    */
    template <class T>
    T *find(const char *name) noexcept
    {
        const SharedHeapLocker locker(*m_heap);
        return static_cast<T *>(SharedRoots(*m_heap).find(name, SharedType::of<T>(), s_error));
    }

    /*!
        Makes an object of \a args that other processes find by \a name, with the lock held: nobody sees it before
        its constructor is done. Null if there is one of that name, or no room. Of a constructor that
        throws nothing is left; one that is killed leaves what it allocated itself.
    */
    template <class T, class... Args>
    T *construct(const char *name, Args &&...args)
    {
        requireShareable<T>();
        const SharedHeapLocker locker(*m_heap);
        SharedRoots roots(*m_heap);
        void *const block = roots.begin(name, SharedType::of<T>(), s_error);
        if (!block)
            return nullptr;
        Abandon abandon { roots, block };
        T *const object = ObjectAccess::construct<T>(block, std::forward<Args>(args)...);
        abandon.block = nullptr;
        roots.finish(object);
        return object;
    }

    //! Returns the object \a name, or makes it of \a args as construct() does.
    template <class T, class... Args>
    T *findOrConstruct(const char *name, Args &&...args)
    {
        const SharedHeapLocker locker(*m_heap);
        T *const object = find<T>(name);
        return object || s_error != SharedError::NotFound
                ? object
                : construct<T>(name, std::forward<Args>(args)...);
    }

    //! Destroys the object \a name, with the lock held. Returns false if there is none, or one of another
    //! type.
    template <class T>
    bool destroy(const char *name) noexcept
    {
        const SharedHeapLocker locker(*m_heap);
        SharedRoots roots(*m_heap);
        void *const object = roots.beginRemoval(name, SharedType::of<T>(), s_error);
        if (!object)
            return false;
        ObjectAccess::destroy(*static_cast<T *>(object));
        roots.finishRemoval(object);
        return true;
    }

    std::vector<SharedRootListing> roots() const;
    SharedStatistics statistics() const noexcept;

    /*!
        Walks through all books with the lock held, which takes some ns a page and order; null if
        they are sound, else what is not. Waits for the lock for at most \a milliseconds.
    */
    const char *check(std::int64_t milliseconds = 10000) noexcept;

    /*!
        Makes the books anew of what every block says of itself, as a survivor of a death does, and
        returns whether they are whole. For SharedLockKind::None, where nobody can know of one.
    */
    bool repair() noexcept;

    //! What allocators point to; the same address in every process.
    SharedHeap *heap() const noexcept { return m_heap; }

    //! Where the segment is, in every process.
    const void *address() const noexcept { return m_heap; }
    bool contains(const void *pointer) const noexcept
    {
        return reinterpret_cast<std::uintptr_t>(pointer) - reinterpret_cast<std::uintptr_t>(m_heap)
                < m_file.bytes();
    }

private:
    struct Abandon
    {
        ~Abandon()
        {
            if (block)
                roots.abandon(block);
        }
        SharedRoots &roots;
        void *block;
    };

    template <class T>
    static constexpr void requireShareable()
    {
        static_assert(std::is_object_v<T> && !std::is_polymorphic_v<T> && !std::is_pointer_v<T>,
                      "tables of virtual functions are elsewhere in every process, and so is what is "
                      "pointed to");
        static_assert(alignof(T) <= SharedClasses::PageBytes, "a page is the largest alignment");
    }

    static SharedSegment create(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                const SharedAbi &abi) noexcept;
    static SharedSegment attach(const char *name, const SharedAbi &abi) noexcept;
    static SharedSegment openOrCreate(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                      const SharedAbi &abi) noexcept;
    static bool fail(SharedError error) noexcept;

    Os::SegmentFile m_file;
    SharedHeap *m_heap = nullptr;

    static inline QPOOL_THREAD_LOCAL SharedError s_error QPOOL_TLS_MODEL = SharedError::None;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDSEGMENT_H
