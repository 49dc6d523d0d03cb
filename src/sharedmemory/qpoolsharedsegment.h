// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLSHAREDSEGMENT_H
#define QPOOLSHAREDSEGMENT_H

#include "os/qpoolsegmentfile.h"
#include "../allocator/qobjectaccess.h"
#include "qpoolsharedheap.h"
#include "qpoolsharedroots.h"

#include <new>
#include <string>
#include <utility>
#include <vector>

QPOOL_BEGIN_NAMESPACE

//! Statistics of a segment. Read while other threads work, they are not of a single moment.
struct SharedStatistics
{
    std::uint64_t bytes = 0; //!< of the segment, including its metadata
    std::uint64_t usedBytes = 0; //!< in blocks that are in use, in their real size
    std::uint64_t usedBlocks = 0;
    std::uint64_t freeBytes = 0; //!< in pages without a block in use
    std::uint64_t largestFree = 0; //!< contiguous bytes, rounded down to a power of two
    std::uint64_t deaths = 0; //!< of threads that held the lock
    std::uint64_t repairs = 0; //!< of the metadata, after such deaths
    std::uint64_t possiblyLost = 0; //!< blocks that were allocated under the lock of such deaths, at most
    std::uint64_t badFrees = 0; //!< of pointers that were no block in use
    SharedLockKind lock = SharedLockKind::None;
    bool broken = false;
};

//! A segment as the system lists it.
struct SharedListing
{
    std::string name;
    SharedError error = SharedError::None; //!< why attach() fails; then no statistics
    std::uint64_t creator = 0; //!< the number of the process that created it
    SharedStatistics statistics;
};

struct SharedRootListing
{
    std::string name;
    std::uint64_t bytes = 0;
};

/*!
    \class QPool::SharedSegment
    \brief Named memory, at the same address in all processes, and a pool in it.

    \code
    auto segment = QPool::SharedSegment::openOrCreate("prices", 64 << 20);
    if (!segment)
        return complain(QPool::errorText(QPool::SharedSegment::lastError()));
    const std::lock_guard<QPool::SharedSegment> guard(segment);
    Prices *prices = segment.findOrConstruct<Prices>("prices", Prices::allocator_type(segment));
    \endcode

    Because the address is the same in every process, plain pointers have the same meaning
    everywhere, and the standard's containers work with SharedAllocator. The other contents of a
    container must be self-contained as well: no virtual functions, no pointers or references to
    anything outside, no file descriptors, no threads' mutexes. All processes are compiled by the
    same compiler with the same standard library, which attach() checks. See doc/cpp.md for
    details.

    One lock protects the whole segment. Each call takes it. A thread that calls lock() itself while
    it changes a container keeps others out of the container, and the calls meanwhile cost no lock
    of their own. A thread must not end, nor its process call exec(), while it holds the lock. A
    thread that is killed does not stop the others: they take the lock, repair the segment's
    metadata, and go on. The program has to handle containers that the thread was changing;
    statistics().deaths shows that it happened.

    Threads: after the segment was created, any thread may call any function; it must not be moved
    or destroyed while another thread uses it. A process maps a segment once. With
    SharedLockKind::None, one thread of all processes at a time may use the segment.

    Alignment: as requested, up to a page (4096 bytes). Units are bytes. Small blocks have a
    granularity of 16 bytes, large ones of a page.

    Failure: nothing throws except constructors of the program's objects, and list(), which may
    throw std::bad_alloc. A call that fails returns null, false or an object that converts to
    false, and lastError() returns the reason.

    Permissions are 0600: only processes of one user share a segment, and they trust each other; any
    of them can write anything into it. attach() checks everything that it relies on.

    After Boost.Interprocess's managed segments, which may be at any address and therefore need
    containers with special pointers.
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
    //! Unmaps the segment; its name and contents stay. Releases the lock if this thread holds it.
    ~SharedSegment();

    /*!
        Creates a segment of \a bytes with the name \a name and the lock policy \a lock. The size is
        rounded up to pages, includes the metadata, and has memory behind all of it. Fails if there
        is a segment of that name.
    */
    static SharedSegment create(const char *name, std::uint64_t bytes,
                                SharedLockKind lock = SharedLockKind::Futex) noexcept
    {
        return create(name, bytes, lock, SharedAbi::own());
    }

    //! Maps the segment \a name; its size and lock were set when it was created.
    static SharedSegment attach(const char *name) noexcept { return attach(name, SharedAbi::own()); }

    //! Attaches to the segment \a name, or creates it with \a bytes and \a lock; if several
    //! processes call it at once, one creates it.
    static SharedSegment openOrCreate(const char *name, std::uint64_t bytes,
                                      SharedLockKind lock = SharedLockKind::Futex) noexcept
    {
        return openOrCreate(name, bytes, lock, SharedAbi::own());
    }

    /*!
        Removes the name: no other process can attach, and the memory is freed when the last process
        that has mapped it is gone. Returns false if there is no segment \a name. On Windows the
        name disappears with the memory, and this function fails.
    */
    static bool unlink(const char *name) noexcept;

    //! Returns the existing segments (on Linux; elsewhere none).
    static std::vector<SharedListing> list() { return list(SharedAbi::own()); }

    //! Returns why the calling thread's last call of a segment failed.
    static SharedError lastError() noexcept { return s_error; }

    explicit operator bool() const noexcept { return m_heap != nullptr; }

    //! Takes the lock, for std::lock_guard and similar classes. One thread may take it several
    //! times.
    void lock() noexcept { m_heap->enter(); }
    void unlock() noexcept { m_heap->leave(); }
    bool try_lock() noexcept { return tryLockFor(0); }
    bool tryLockFor(std::int64_t milliseconds) noexcept;

    //! Returns a block of \a bytes at a multiple of \a alignment, or null if the segment is full or
    //! broken. Must be freed with the same values.
    void *allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) noexcept;
    void deallocate(void *block, std::size_t bytes,
                    std::size_t alignment = alignof(std::max_align_t)) noexcept
    {
        if (block)
            m_heap->deallocate(block, bytes, alignment);
    }

    /*!
        Returns the object that construct() made with the name \a name, in any process; null if
        there is none, or one of another type. Does not check the object itself.
    */
    template <class T>
    T *find(const char *name) noexcept
    {
        const SharedHeapLocker locker(*m_heap);
        return static_cast<T *>(SharedRoots(*m_heap).find(name, SharedType::of<T>(), s_error));
    }

    /*!
        Constructs an object from \a args that other processes find by \a name. Holds the lock: no
        other thread sees the object before its constructor has finished. Returns null if there is
        one of that name, or no room. If the constructor throws, nothing is left; if the thread is
        killed in it, memory that the constructor allocated is lost.
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

    //! Returns the object \a name, or constructs it from \a args as construct() does.
    template <class T, class... Args>
    T *findOrConstruct(const char *name, Args &&...args)
    {
        const SharedHeapLocker locker(*m_heap);
        T *const object = find<T>(name);
        return object || s_error != SharedError::NotFound
                ? object
                : construct<T>(name, std::forward<Args>(args)...);
    }

    //! Destroys the object \a name, with the lock held. Returns false if there is none, or one of
    //! another type.
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
        Checks all metadata with the lock held, which takes some ns per page and order. Returns null
        if it is sound, otherwise what is not. Waits for the lock for at most \a milliseconds.
    */
    const char *check(std::int64_t milliseconds = 10000) noexcept { return check(milliseconds, SharedAbi::own()); }

    /*!
        Rebuilds the metadata from the state of every block, as a survivor of a death does, and
        returns whether it is sound. For SharedLockKind::None, where no thread can notice a death.
    */
    bool repair() noexcept;

    //! Returns what allocators point to; the same address in every process.
    SharedHeap *heap() const noexcept { return m_heap; }

    //! Returns where the segment is, in every process.
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
                      "virtual tables, and most objects that pointers refer to, have another address "
                      "in each process");
        static_assert(alignof(T) <= SharedClasses::PageBytes, "a page is the largest alignment");
    }

    static SharedSegment create(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                const SharedAbi &abi) noexcept;
    static SharedSegment attach(const char *name, const SharedAbi &abi) noexcept;
    static std::vector<SharedListing> list(const SharedAbi &abi);
    const char *check(std::int64_t milliseconds, const SharedAbi &abi) noexcept;
    static SharedSegment openOrCreate(const char *name, std::uint64_t bytes, SharedLockKind lock,
                                      const SharedAbi &abi) noexcept;
    static bool fail(SharedError error) noexcept;

    Os::SegmentFile m_file;
    SharedHeap *m_heap = nullptr;

    static inline QPOOL_THREAD_LOCAL SharedError s_error QPOOL_TLS_MODEL = SharedError::None;
};

QPOOL_END_NAMESPACE

#endif // QPOOLSHAREDSEGMENT_H
