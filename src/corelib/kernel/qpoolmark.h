// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMARK_H
#define QPOOLMARK_H

#if 0
#pragma qt_sync_skip_header_check
#pragma qt_sync_stop_processing
#endif

// Every program and library compiled against headers with the pool's operators has a mark. With it
// QtCore detects when one of them creates objects of a class whose deleting destructor is in a library
// compiled without them; qpoolmodules.cpp explains why that is an error.
//
// The mark is an ELF note, and an entry in the list of functions that are called when the module is
// loaded: the function that looks for such libraries. Both are in a group that the linker keeps once,
// however many files include this header, and no code is compiled. If a QtCore without the pool is
// loaded, the dynamic linker reports the function's name as missing.
#if defined(__ELF__) && defined(__GNUC__) && !defined(QT_STATIC) && !defined(Q_MOC_RUN)
#  if __SIZEOF_POINTER__ == 8
#    define QT_POOL_MARK_FUNCTION ".balign 8\n.8byte "
#  else
#    define QT_POOL_MARK_FUNCTION ".balign 4\n.4byte "
#  endif
// The note is of type 1, by "QPool"; its content is the version of the mark.
__asm__(".pushsection .note.qpool, \"aG\", %note, qt_pool_mark, comdat\n"
        ".balign 4\n"
        ".4byte 6, 4, 1\n"
        ".asciz \"QPool\"\n"
        ".balign 4\n"
        ".4byte 1\n"
        ".popsection\n"
        ".pushsection .init_array, \"awG\", %init_array, qt_pool_mark, comdat\n"
        QT_POOL_MARK_FUNCTION "qt_needs_QtCore_with_pool_allocator\n"
        ".popsection\n");
#  undef QT_POOL_MARK_FUNCTION
#endif

#endif // QPOOLMARK_H
