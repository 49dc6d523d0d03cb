# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Attaches to the probes of a library in a program, as tracers do: it finds their notes, and writes a breakpoint over
the instruction there. x86-64 only."""

import collections
import ctypes
import os
import re
import select
import signal
import subprocess

Probe = collections.namedtuple("Probe", "location base arguments")

PEEKTEXT, POKETEXT, CONT, GETREGS, ATTACH = 1, 4, 7, 12, 16
BREAKPOINT, NOTHING = 0xcc, 0x90
# The order of struct user_regs_struct.
REGISTERS = ("r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base "
             "ds es fs gs").split()

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def probes_of(file):
    """The probes of provider qpool, by name, as readelf tells them."""
    text = subprocess.run(["readelf", "--notes", "--wide", file], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"Provider: qpool\n +Name: (\w+)\n +Location: (\w+), Base: (\w+), Semaphore: 0x0+\n"
                       r" +Arguments: (.*)\n", text)
    return {name: Probe(int(location, 16), int(base, 16), arguments.split())
            for name, location, base, arguments in found}


def ptrace(request, pid, address=None, data=None):
    ctypes.set_errno(0)
    result = libc.ptrace(request, pid, address, data)
    if result == -1 and ctypes.get_errno():
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


class Tracer:
    """stops: for each probe, the values of its arguments whenever the program stopped there."""

    def __init__(self, program, library):
        self.program = program
        self.pid = program.pid
        self.stops = {name: [] for name in probes_of(library)}
        ptrace(ATTACH, self.pid)
        os.waitpid(self.pid, 0)
        with open(f"/proc/{self.pid}/maps", encoding="utf-8") as maps:
            start = next(line for line in maps if line.rstrip().endswith(os.path.realpath(library))).split("-")[0]
        self.places = {}
        for name, probe in probes_of(library).items():
            address = int(start, 16) + probe.location
            word = ptrace(PEEKTEXT, self.pid, address) & (2 ** 64 - 1)
            if word & 0xff != NOTHING:
                raise AssertionError(f"there is an instruction at {name}: {word & 0xff:x}")
            ptrace(POKETEXT, self.pid, address, word & ~0xff | BREAKPOINT)
            self.places[address + 1] = name, [argument.removeprefix("8@%") for argument in probe.arguments]
        ptrace(CONT, self.pid)

    def order(self, line):
        """As Program's: returns when the program has executed it."""
        self.program.process.stdin.write(line + "\n")
        self.program.process.stdin.flush()
        while not select.select([self.program.process.stdout], [], [], 0)[0]:
            self._step()
        if self.program.process.stdout.readline() != "ready\n":
            raise AssertionError("the program is not ready")

    def _step(self):
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if pid == 0:
            return
        if not os.WIFSTOPPED(status) or os.WSTOPSIG(status) != signal.SIGTRAP:
            raise AssertionError(f"the program has stopped or ended: {status}")
        values = (ctypes.c_ulong * len(REGISTERS))()
        ptrace(GETREGS, self.pid, None, ctypes.addressof(values))
        registers = dict(zip(REGISTERS, values))
        name, arguments = self.places[registers["rip"]]
        self.stops[name].append([registers[argument] for argument in arguments])
        # Behind the breakpoint, which stands for nothing.
        ptrace(CONT, self.pid)
