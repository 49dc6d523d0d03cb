# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# Python allocates all objects with malloc() here. The program has threads, as many objects as a thousand
# modules have, children by fork() and exec(), and an extension module.

import ctypes
import json
import os
import subprocess
import sys
import threading

failures = []


def build(seed):
    table = {}
    for i in range(2000):
        table[f"key {seed} {i}"] = [bytes(i % 1500), "text" * (i % 40), (i, seed, float(i))]
    return table


def work(seed):
    try:
        for turn in range(5):
            table = build(seed + turn)
            for i, (key, value) in enumerate(table.items()):
                assert key == f"key {seed + turn} {i}"
                assert value[0] == bytes(i % 1500) and value[1] == "text" * (i % 40)
            text = json.dumps({key: value[1:] for key, value in table.items()})
            assert len(json.loads(text)) == len(table)
    except BaseException as error:
        failures.append(error)


# Only the front gives blocks of 24 bytes 32 usable bytes.
library = ctypes.CDLL(None)
library.malloc.restype = library.malloc_usable_size.restype = ctypes.c_size_t
library.malloc.argtypes = library.malloc_usable_size.argtypes = [ctypes.c_size_t]
assert library.malloc_usable_size(library.malloc(24)) == 32

threads = [threading.Thread(target=work, args=(1000 * i,)) for i in range(6)]
for thread in threads:
    thread.start()
for i in range(10):
    child = os.fork()
    if child == 0:
        work(i)
        os._exit(1 if failures else 0)
    assert os.waitpid(child, 0)[1] == 0
    output = subprocess.run([sys.executable, "-c", "print(sum(range(100000)))"],
                            stdout=subprocess.PIPE, check=True).stdout
    assert output == b"4999950000\n", output
for thread in threads:
    thread.join()
assert not failures, failures
