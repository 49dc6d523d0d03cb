// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLPROBE_H
#define QPOOLPROBE_H

#include "../qpoolglobal.h"

// Places at which tracers stop by themselves: a probe (USDT, of the provider "qpool") is an instruction that does
// nothing, and an ELF note with its address, its name and the registers of its arguments. A tracer finds the note in
// the file, and replaces the instruction by a breakpoint. Nothing is loaded or registered for it.
//
// The note is that of version 3 of SystemTap's <sys/sdt.h>. It is written here, because QtCore, its patches and all
// packages would need that header for two probes.
#if defined(__ELF__) && defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))
// QPOOL_PROBE(name, one, two, three): the arguments have 8 bytes each, without a sign.
#  define QPOOL_PROBE(name, one, two, three) \
    __asm__ __volatile__( \
        "990: nop\n" \
        ".pushsection .note.stapsdt,\"\",%%note\n" \
        ".balign 4\n" \
        ".4byte 992f-991f, 994f-993f, 3\n" \
        "991: .asciz \"stapsdt\"\n" \
        "992: .balign 4\n" \
        "993: .8byte 990b, _.stapsdt.base, 0\n" /* the last: no counter of who is attached */ \
        ".asciz \"qpool\"\n" \
        ".asciz \"" #name "\"\n" \
        ".asciz \"8@%0 8@%1 8@%2\"\n" \
        "994: .balign 4\n" \
        ".popsection\n" \
        /* By its address tracers know how far the code's addresses are from the note's, if a file was prelinked. */ \
        ".ifndef _.stapsdt.base\n" \
        ".pushsection .stapsdt.base,\"aG\",%%progbits,.stapsdt.base,comdat\n" \
        ".weak _.stapsdt.base\n" \
        ".hidden _.stapsdt.base\n" \
        "_.stapsdt.base: .space 1\n" \
        ".size _.stapsdt.base, 1\n" \
        ".popsection\n" \
        ".endif\n" \
        : \
        : "r"(std::uint64_t(one)), "r"(std::uint64_t(two)), "r"(std::uint64_t(three)))
#else
#  define QPOOL_PROBE(name, one, two, three) static_cast<void>(0)
#endif

#endif // QPOOLPROBE_H
