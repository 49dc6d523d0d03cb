# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Publishes a damaged copy of another process's segment as its own: fakesegment.py PID KIND.

Prints "ready" when the segment exists, and ends at the end of standard input.
"""

import fcntl
import os
import struct
import sys

F_ADD_SEALS = 1033
F_SEAL_SHRINK = 2

VERSION_AT = 12
PID_AT = 32


def segment_of(pid):
    folder = f"/proc/{pid}/fd"
    for entry in os.listdir(folder):
        if os.readlink(f"{folder}/{entry}").startswith(f"/memfd:qpool-monitor-{pid} "):
            with open(f"{folder}/{entry}", "rb") as file:
                return bytearray(file.read(1 << 20)), os.fstat(file.fileno()).st_size
    raise SystemExit(f"process {pid} publishes nothing")


content, size = segment_of(sys.argv[1])
kind = sys.argv[2]
struct.pack_into("=Q", content, PID_AT, os.getpid())
if kind == "version":
    struct.pack_into("=I", content, VERSION_AT, 999)
elif kind == "noise":
    content[8:2048] = os.urandom(2040)
    struct.pack_into("=II", content, 8, 0x01020304, 1)
elif kind == "cut":
    size = 4096
    content = content[:size]
elif kind == "foreign":
    struct.pack_into("=Q", content, PID_AT, 1)
elif kind != "intact" and kind != "unsealed":
    raise SystemExit(f"unknown kind: {kind}")

file = os.memfd_create(f"qpool-monitor-{os.getpid()}", os.MFD_ALLOW_SEALING)
os.ftruncate(file, size)
os.pwrite(file, content, 0)
if kind != "unsealed":
    fcntl.fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK)
print("ready", flush=True)
sys.stdin.read()
