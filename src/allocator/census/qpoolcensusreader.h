// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLCENSUSREADER_H
#define QPOOLCENSUSREADER_H

#include "qpoolcensus.h"
#include "qpoolclassnames.h"
#include "qpoollayoutfacts.h"

#include <memory>

namespace QPool {

/*!
    \class QPool::CensusReader
    \brief Takes censuses of a process on the pooled QtCore.

    The process neither helps nor waits: it may sleep, and need not publish its statistics. The reader
    reads its memory as a debugger would, and the system must allow that: the process is the caller
    itself, or the system lets the caller trace it (ptrace(2)). Linux only.

    A reader remembers the names of classes, so that a later census still has the names of classes whose
    modules the process has unloaded. Only one thread at a time may use a reader.
*/
class CensusReader
{
public:
    enum Error {
        NoError,
        NoProcess, //!< there is none of this number, or it has ended
        NotPermitted, //!< the system does not let the caller read it
        NoPool, //!< it has no pooled QtCore, or none yet, or none any more after exec()
        Incompatible, //!< it has one of another build
        Damaged, //!< its pool's memory makes no sense
        NoMemory //!< the caller has too little for the census
    };

    /*!
        Opens the process \a pid. Null if that fails: then \a error is the reason, and \a message
        describes it to the user, as a sentence without a full stop.
    */
    static std::unique_ptr<CensusReader> attach(std::int64_t pid, Error *error,
                                                std::string *message);

    /*!
        Opens the caller's own process, whose table of facts is at \a facts. A census counts the caller's
        chunks, but none of the reader's own memory.
    */
    static std::unique_ptr<CensusReader> ofOwnProcess(const void *facts, Error *error,
                                                      std::string *message);

    //! False, with \a error and \a message set, when the process can't be read any more.
    bool take(Census *census, Error *error, std::string *message);

    const ProcessMemory &memory() const noexcept { return m_memory; }
    const LayoutFacts &facts() const noexcept { return m_facts; }

private:
    explicit CensusReader(std::int64_t pid, bool own);

    bool isReadable(Error *error, std::string *message) const;
    bool readFacts(std::uintptr_t table, Error *error, std::string *message);
    Error tryTake(Census *census, std::string *message);

    std::int64_t m_pid;
    ProcessMemory m_memory;
    LayoutFacts m_facts {};
    ClassNames m_names;
};

} // namespace QPool

#endif // QPOOLCENSUSREADER_H
