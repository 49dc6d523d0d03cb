# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Where a posted event begins and ends: src/corelib/kernel/qeventlatency_p.h. With the recording off,
# posting and delivering an event take one test each.

qpool_concern(latency)
set(_qpool_application src/corelib/kernel/qcoreapplication.cpp)
qpool_edit(${_qpool_application} AFTER "#include \"qcoreapplication_p.h\"\n" [[
#if QT_CONFIG(event_latency)
#  include "qeventlatency_p.h"
#endif
]])

# Called under the lock of the list, so that no thread sees the event before, and before the event is
# compressed, because its type is unknown afterwards.
qpool_edit(${_qpool_application}
    BEFORE "    // if this is one of the compressible events, do compression\n" [[
#if QT_CONFIG(event_latency)
    if (QEventLatency::isOn())
        QEventLatency::posting(receiver, event);
#endif
]])
qpool_edit(${_qpool_application}
    AFTER "        Q_TRACE(QCoreApplication_postEvent_event_compressed, receiver, event);\n" [[
#if QT_CONFIG(event_latency)
        if (QEventLatency::isOn())
            QEventLatency::compressed();
#endif
]])
qpool_edit(${_qpool_application} BEFORE "        QCoreApplication::sendEvent(r, e);\n" [[
#if QT_CONFIG(event_latency)
        if (QEventLatency::isOn())
            QEventLatency::deliver(r, e);
        else
#endif
]])

# Every place where an event is removed from a list without being delivered, before it is deleted: by
# removePostedEvents(), with its receiver, by its own destructor, with the application, with its thread.
set(_qpool_removed [[
#if QT_CONFIG(event_latency)
if (QEventLatency::isOn())
    QEventLatency::removed(pe.receiver, pe.event);
#endif
]])
function(_qpool_edit_removal where indent file anchor)
    string(REGEX REPLACE "(^|\n)( *[iQ])" "\\1${indent}\\2" text "${_qpool_removed}")
    qpool_edit(${file} ${where} "${anchor}" "${text}")
endfunction()
_qpool_edit_removal(AFTER "            " ${_qpool_application} "            events.append(pe.event);\n")
_qpool_edit_removal(BEFORE "            " ${_qpool_application}
    "            delete pe.event;\n            const_cast<QPostEvent &>(pe).event = nullptr;\n")
_qpool_edit_removal(BEFORE "                " ${_qpool_application} "                delete pe.event;\n")
_qpool_edit_removal(BEFORE "            " src/corelib/thread/qthread.cpp "            delete pe.event;\n")
qpool_edit(src/corelib/thread/qthread.cpp AFTER "#include \"private/qcoreapplication_p.h\"\n" [[
#if QT_CONFIG(event_latency)
#  include "private/qeventlatency_p.h"
#endif
]])
