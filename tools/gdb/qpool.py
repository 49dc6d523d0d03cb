# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only
"""gdb commands for the pool in QtCore: where a pointer belongs, and what the arenas contain.

    (gdb) source tools/gdb/qpool.py
    (gdb) info qpool POINTER
    (gdb) qpool owns POINTER
    (gdb) qpool arenas

They work on a running process and on a core file. They read memory, call no function of the process, and
need no debug information: the library's table qt_pool_allocator_facts contains all offsets.
"""

import gdb

SUPPORTED_VERSION = 8
DOMAINS = ("event", "object", "private", "heap")
# The table has fewer facts. A longer table was overwritten, as was a list that has no end.
MOST_FACTS = 128
LONGEST = 10_000_000


class Memory:
    """The process's memory, and the offsets and sizes that are needed to read it."""

    def __init__(self):
        try:
            table = int(gdb.parse_and_eval("(unsigned long)&qt_pool_allocator_facts"))
        except gdb.error:
            raise gdb.GdbError("this process has no QtCore with a pool, or it is not loaded yet")
        self.word = gdb.lookup_type("unsigned long").sizeof
        self.inferior = gdb.selected_inferior()
        self.facts = {}
        size = 24 + 2 * self.word
        for fact in range(table, table + MOST_FACTS * size, size):
            name = self.name(fact)
            if not name:
                break
            self.facts[name] = (self.pointer(fact + 24), self.pointer(fact + 24 + self.word))
        if self.number("version") != SUPPORTED_VERSION:
            raise gdb.GdbError(f"this QtCore's table is of version {self.number('version')}, and "
                               f"this script understands {SUPPORTED_VERSION}: take the script of "
                               "the same QPool")
        self.check_fields()

    def check_fields(self):
        """Check that the fields lie within their records, as the reader of censuses does."""
        for name, (number, _) in self.facts.items():
            record, _, field = name.partition(".")
            record = {"bin": "bin.state", "magazine": "bin.state"}.get(record, f"{record}.size")
            is_size = (name == record or field in ("size", "mask", "capacity", "slotCount")
                       or name in ("windows.shift", "windows.count", "windows.firstPage"))
            if field and not is_size and record in self.facts and number >= self.number(record):
                raise gdb.GdbError(f"the table's {name} lies outside of its record")

    def read(self, address, size):
        try:
            data = self.inferior.read_memory(address, size).tobytes()
        except gdb.MemoryError:
            raise gdb.GdbError(f"cannot read the pool's memory at {address:#x}")
        return int.from_bytes(data, "little")

    def name(self, address):
        return self.inferior.read_memory(address, 24).tobytes().split(b"\0")[0].decode("ascii", "replace")

    def pointer(self, address):
        return self.read(address, self.word)

    def int32(self, address):
        return self.read(address, 4)

    def number(self, fact):
        return self.fact(fact)[0]

    def address(self, fact):
        return self.fact(fact)[1]

    def fact(self, name):
        if name not in self.facts:
            raise gdb.GdbError(f"this QtCore's table lacks {name}")
        return self.facts[name]

    def next_free(self, chunk):
        """Return the chunk that a free chunk links to."""
        word = self.pointer(chunk + self.number("chunk.link"))
        level = self.number("hardened")
        if level == 1:
            key = self.address("linkKey") * 0x9E3779B1 & (1 << 8 * self.word) - 1
            word ^= key ^ chunk >> 4 ^ 0x5A5A
        elif level == 2:
            word ^= self.pointer(self.address("linkKey")) ^ chunk >> 4
        return word

    def chain(self, chunk):
        """Yield the chunks of the list that starts with this one."""
        for _ in range(LONGEST):
            if not chunk:
                return
            yield chunk
            chunk = self.next_free(chunk)
        raise gdb.GdbError("a list of free chunks has no end: it was overwritten")

    def batch(self, batch, count):
        """Yield the first `count` chunks of a batch."""
        if count > self.number("batch.capacity"):
            raise gdb.GdbError("a batch has more chunks than room: it was overwritten")
        chunks = batch + self.number("batch.chunks")
        for index in range(count):
            yield self.pointer(chunks + index * self.word)

    def batches(self, batch):
        """Yield the chunks of the list of batches that starts with this one."""
        for record in self.records("batches", batch, "batch.next"):
            yield from self.batch(record, self.int32(record + self.number("batch.count")))

    def records(self, what, record, link):
        """Yield the records of a list, which are linked by this field."""
        seen = set()
        while record:
            if record in seen or len(seen) == LONGEST:
                raise gdb.GdbError(f"a list of {what} has no end: it was overwritten")
            seen.add(record)
            yield record
            record = self.pointer(record + self.number(link))


class Pool:
    def __init__(self):
        self.memory = memory = Memory()
        windows = memory.address("windows")
        self.window_size = 1 << memory.number("windows.shift")
        self.first = memory.pointer(windows + memory.number("windows.first"))
        self.first_page = memory.number("windows.firstPage")
        count = memory.number("windows.count")
        # The number of pages of each window that are or were in use. There are no windows until the first
        # page is needed.
        self.taken = []
        if self.first + count <= (1 << 8 * memory.word) // self.window_size:
            taken = windows + memory.number("windows.taken")
            self.taken = [memory.int32(taken + 4 * index) for index in range(count)]
        most = self.window_size // memory.number("page.size") - self.first_page
        if any(pages > most for pages in self.taken):
            raise gdb.GdbError("a window of the pool has more pages than room: it was overwritten")

    def require_use(self):
        if not self.taken:
            raise gdb.GdbError("the pool is not in use: it is disabled, or nothing was "
                               "allocated yet")

    def contains(self, pointer):
        number, offset = divmod(pointer, self.window_size)
        index = number - self.first
        if not 0 <= index < len(self.taken):
            return False
        page = offset // self.memory.number("page.size") - self.first_page
        return 0 <= page < self.taken[index]

    def arenas(self):
        memory = self.memory
        first = memory.pointer(memory.address("registry") + memory.number("registry.arenas"))
        for arena in memory.records("arenas", first, "arena.next"):
            yield Arena(memory, arena)

    def pages(self):
        """Yield the pages that have an owner."""
        size = self.memory.number("page.size")
        for index, count in enumerate(self.taken):
            start = (self.first + index) * self.window_size + self.first_page * size
            for address in range(start, start + count * size, size):
                page = Page(self, address)
                if page.owner:
                    yield page

    def remote_cache_chunks(self):
        """Yield the chunks in all remote caches."""
        memory = self.memory
        first = memory.pointer(memory.address("registry")
                               + memory.number("registry.remoteCaches"))
        for cache in memory.records("remote caches", first, "remoteCache.next"):
            for index in range(memory.number("remoteCache.slotCount")):
                slot = (cache + memory.number("remoteCache.slots")
                        + index * memory.number("slot.size"))
                if batch := memory.pointer(slot + memory.number("slot.batch")):
                    yield from memory.batch(
                        batch, memory.int32(slot + memory.number("slot.count")))
                else:
                    yield from memory.chain(memory.pointer(slot + memory.number("slot.first")))


class Page:
    """The page of an address in the pool."""

    def __init__(self, pool, address):
        memory = pool.memory
        size = memory.number("page.size")
        window = address // pool.window_size * pool.window_size
        header = window + (address - window) // size * memory.number("header.size")
        self.memory = memory
        self.start = address // size * size
        self.owner = memory.pointer(header + memory.number("header.owner"))
        self.bin = memory.pointer(header + memory.number("header.bin"))
        self.free = memory.pointer(header + memory.number("header.free"))
        self.used = memory.int32(header + memory.number("header.used"))
        self.fresh = memory.int32(header + memory.number("header.fresh"))
        self.capacity = memory.int32(header + memory.number("header.capacity"))
        self.chunk_size = memory.int32(header + memory.number("header.chunkSize"))

    def free_chunks(self):
        """Yield the chunks in the page's list: a null link means the next chunk of the page."""
        chunk = self.free
        for _ in range(min(self.fresh - self.used, self.memory.number("page.size"))):
            yield chunk
            chunk = self.memory.next_free(chunk) or chunk + self.chunk_size


class Arena:
    def __init__(self, memory, address):
        self.memory = memory
        self.address = address
        self.id = memory.int32(address + memory.number("arena.id"))
        self.thread = memory.read(address + memory.number("arena.thread"), 8)
        self.orphaned = memory.read(address + memory.number("arena.orphaned"), 1) != 0
        self.adoptions = memory.int32(address + memory.number("arena.adoptions"))
        self.pages = memory.int32(address + memory.number("arena.pages"))
        self.first_bin = memory.pointer(address + memory.number("arena.bins"))

    def __str__(self):
        if self.orphaned:
            return f"arena {self.id}, orphaned, last of thread {self.thread}"
        return f"arena {self.id} of thread {self.thread}"

    def bins(self):
        size = self.memory.number("bin.size")
        return range(self.first_bin, self.first_bin + self.memory.number("bins") * size, size)

    def domain_of(self, bin):
        index = (bin - self.first_bin) // self.memory.number("bin.size")
        # The first three domains have the same number of bins; the last one has the remaining bins.
        return DOMAINS[min(index // self.memory.number("bins.domain"), len(DOMAINS) - 1)]

    def magazine(self, bin):
        """Yield the free chunks in the magazine."""
        memory = self.memory
        slots = memory.pointer(bin + memory.number("magazine.slots"))
        count = (memory.int32(bin + memory.number("magazine.level"))
                 & memory.number("magazine.mask"))
        for slot in range(count):
            yield memory.pointer(slots + slot * memory.word)

    def backlog(self, bin):
        memory = self.memory
        yield from memory.chain(memory.pointer(bin + memory.number("bin.backlog")))
        yield from memory.batches(memory.pointer(bin + memory.number("bin.batches")))
        yield from memory.batches(memory.pointer(bin + memory.number("bin.keptBatches")))
        yield from memory.chain(memory.pointer(bin + memory.number("bin.keptChunks")))


def state_of(pool, arena, page, chunk):
    if (chunk - page.start) // page.chunk_size >= page.fresh:
        return "free, was never handed out"
    for other in pool.arenas():
        if chunk in other.magazine(other.first_bin + page.bin - arena.first_bin):
            return ("free, in its arena's magazine" if other.address == arena.address
                    else f"free, in a magazine of arena {other.id}")
    if chunk in arena.backlog(page.bin):
        return "free, freed by another thread, in its arena's backlog"
    if chunk in pool.remote_cache_chunks():
        return "free, freed by another thread, still in that thread's remote cache"
    if chunk in page.free_chunks():
        return "free, in its page's list"
    return "live"


def describe(pool, pointer):
    if not pool.contains(pointer):
        return f"{pointer:#x}: not the pool's"
    page = Page(pool, pointer)
    offset = pointer - page.start
    arena = next((arena for arena in pool.arenas() if arena.address == page.owner), None)
    if not arena:
        return f"{pointer:#x}: in the pool's range, in a page that is free"
    if offset // page.chunk_size >= page.capacity:
        return f"{pointer:#x}: in the pool's range, behind the last chunk of a page"
    inside = offset % page.chunk_size
    chunk = pointer - inside
    where = f", {inside} bytes into the chunk at {chunk:#x}" if inside else ""
    return "\n".join([
        f"{pointer:#x}: the pool's{where}",
        f"  state:  {state_of(pool, arena, page, chunk)}",
        f"  class:  {page.chunk_size} bytes, {arena.domain_of(page.bin)}",
        f"  arena:  {arena}",
        f"  page:   {page.start:#x}, {page.used} of {page.capacity} chunks taken",
    ])


def pointer_argument(argument, usage):
    if not argument.strip():
        raise gdb.GdbError(f"usage: {usage} POINTER")
    value = gdb.parse_and_eval(argument)
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_REF:
        value = value.referenced_value().address
    return int(value) & (1 << 64) - 1


class InfoQPool(gdb.Command):
    """Show where a pointer belongs in QtCore's pool: info qpool POINTER
    Show the pointer's chunk, and whether the chunk is live or in which list it is free; its size class, and
    whether it is for events, objects or private parts; its arena and thread; its page. A chunk that is in no
    list of free chunks counts as live."""

    def __init__(self):
        super().__init__("info qpool", gdb.COMMAND_STATUS, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        pool = Pool()
        print(describe(pool, pointer_argument(argument, "info qpool")))


class QPool(gdb.Command):
    """Commands for the pool allocator in QtCore."""

    def __init__(self):
        super().__init__("qpool", gdb.COMMAND_DATA, gdb.COMPLETE_NONE, True)


class QPoolOwns(gdb.Command):
    """Say whether a pointer points into the pool's pages: qpool owns POINTER"""

    def __init__(self):
        super().__init__("qpool owns", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def invoke(self, argument, from_tty):
        print("yes" if Pool().contains(pointer_argument(argument, "qpool owns")) else "no")


class QPoolArenas(gdb.Command):
    """List the pool's arenas, each with its thread, pages and chunks: qpool arenas"""

    def __init__(self):
        super().__init__("qpool arenas", gdb.COMMAND_DATA, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        pool = Pool()
        pool.require_use()
        taken = {}
        remote = {}
        cached = {}
        for page in pool.pages():
            taken[page.owner] = taken.get(page.owner, 0) + page.used
        for arena in pool.arenas():
            # Large chunks have their pages in shared arenas, and are in the magazines of all.
            for chunk in (chunk for bin in arena.bins() for chunk in arena.magazine(bin)):
                owner = Page(pool, chunk).owner
                cached[owner] = cached.get(owner, 0) + 1
        for chunk in pool.remote_cache_chunks():
            owner = Page(pool, chunk).owner
            remote[owner] = remote.get(owner, 0) + 1
        print(f"{'arena':>5} {'thread':>8} {'state':<8} {'adopted':>7} {'pages':>5} {'live':>8} "
              f"{'cached':>7} {'backlog':>7} {'remote':>8}")
        for arena in sorted(pool.arenas(), key=lambda arena: arena.id):
            backlog = sum(1 for bin in arena.bins() for _ in arena.backlog(bin))
            sent = remote.get(arena.address, 0)
            held = cached.get(arena.address, 0)
            live = taken.get(arena.address, 0) - held - backlog - sent
            state = "orphaned" if arena.orphaned else "in use"
            print(f"{arena.id:>5} {arena.thread:>8} {state:<8} {arena.adoptions:>7} "
                  f"{arena.pages:>5} {live:>8} {held:>7} {backlog:>7} {sent:>8}")


InfoQPool()
QPool()
QPoolOwns()
QPoolArenas()
