// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#include "qlatencycalls_p.h"

#include <QtCore/qmetaobject.h>
#include <QtCore/private/qmetaobject_p.h>
#include <QtCore/private/qobject_p.h>
#include <QtCore/private/qthread_p.h>

#if QT_CONFIG(pool_allocator)
#  include "qpoolelffile_p.h"
#endif

#include "census/qpooldemangle.h"

#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

QT_BEGIN_NAMESPACE

using QtPrivate::QSlotObjectBase;

namespace QEventLatency {

namespace {

// An explicit instantiation may name private members, so that Qt's classes need no friends.
quintptr codeIn(const QSlotObjectBase *slot) noexcept;
template <auto Member>
struct CodeIn
{
    friend quintptr codeIn(const QSlotObjectBase *slot) noexcept { return quintptr(slot->*Member); }
};
template struct CodeIn<&QSlotObjectBase::m_impl>;

QSlotObjectBase *pointer(QSlotObjectBase *slot) noexcept { return slot; }
// Since 6.7 the event has a unique pointer.
template <class Pointer>
auto pointer(const Pointer &slot) noexcept -> decltype(slot.get()) { return slot.get(); }

QSlotObjectBase *slotIn(const QMetaCallEvent *call) noexcept;
template <auto Member>
struct SlotIn
{
    friend QSlotObjectBase *slotIn(const QMetaCallEvent *call) noexcept
    {
        return pointer((call->*Member).slotObj_);
    }
};
template struct SlotIn<&QMetaCallEvent::d>;

// Of a slot that is a member function its address; of others the code that QtCore calls.
quintptr codeOf(QSlotObjectBase *slot) noexcept
{
    // A member function is stored behind the base class, and compared with what the argument leads to. So
    // the slot is one if it is found equal to what it stores itself. Others read nothing there.
    QSlotObjectBase *const stored = slot + 1;
    if (slot->compare(reinterpret_cast<void **>(stored))) {
        quintptr function[2]; // its address, and what is added to that of the object
        std::memcpy(function, static_cast<const void *>(stored), sizeof(function));
        // Which one a virtual function is, depends on the object.
#if defined(__arm__) || defined(__aarch64__)
        const bool isVirtual = function[1] & 1;
#else
        const bool isVirtual = function[0] & 1;
#endif
        if (!isVirtual)
            return function[0];
    }
    return codeIn(slot);
}

// Null for other events of this type, such as those of D-Bus.
const QMetaCallEvent *asCall(const QEvent *event) noexcept
{
    return event->type() == QEvent::MetaCall ? dynamic_cast<const QMetaCallEvent *>(event) : nullptr;
}

// Signals may be emitted by any thread. A meta object that was made at run time is the business of the thread
// of the object.
bool mayAskForMetaObject(const QObject *sender) noexcept
{
    const QObjectPrivate *d = QObjectPrivate::get(sender);
    return !d->metaObject || d->threadData.loadRelaxed() == QThreadData::current();
}

std::string titleOf(const char *className, const QMetaMethod &method)
{
    return std::string(className) + "::" + method.methodSignature().toStdString();
}

} // namespace

quint32 signalOf(QPoolLatencyRecorder *recorder, const QEvent *event) noexcept
{
    const QMetaCallEvent *const call = asCall(event);
    if (!call || !call->sender() || call->signalId() < 0 || !mayAskForMetaObject(call->sender()))
        return 0;
    const QMetaObject *const metaObject = call->sender()->metaObject();
    const int id = call->signalId();
    return recorder->idOf(metaObject, quintptr(id), QPoolLatencyRecorder::Signal, [=] {
        const QMetaMethod signal = QMetaObjectPrivate::signal(metaObject, id);
        QPoolClassNames &names = QPoolClassNames::instance();
        return signal.isValid() ? names.find(titleOf(metaObject->className(), signal).c_str()).id : 0;
    });
}

quint32 receiverOf(QPoolLatencyRecorder *recorder, const QObject *receiver, const QEvent *event) noexcept
{
    const QMetaObject *const metaObject = receiver->metaObject();
    const QMetaCallEvent *const call = asCall(event);
    if (!call)
        return recorder->classOf(metaObject);
    QPoolClassNames &names = QPoolClassNames::instance();
    if (QSlotObjectBase *const slot = slotIn(call)) {
        const quintptr code = codeOf(slot);
        return recorder->idOf(metaObject, code, QPoolLatencyRecorder::Code, [=, &names] {
            return names.findSlot(names.find(metaObject->className()).id, names.findCode(code));
        });
    }
    const int id = call->id();
    return recorder->idOf(metaObject, quintptr(id), QPoolLatencyRecorder::Slot, [=, &names] {
        const quint32 classId = names.find(metaObject->className()).id;
        const QMetaMethod slot = metaObject->method(id);
        if (!slot.isValid())
            return classId;
        const std::string title = titleOf(slot.enclosingMetaObject()->className(), slot);
        return names.findSlot(classId, names.find(title.c_str()).id);
    });
}

namespace {

// A copy of a text that dladdr() found in a module, which another thread may unload meanwhile: the system copies it,
// and tells if it is gone. Empty then.
std::string copyOf(const char *text)
{
    const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
    if (memory < 0)
        return text;
    std::string result;
    char part[256];
    const char *end = nullptr;
    while (!end) {
        const ssize_t count = pread(memory, part, sizeof(part), off_t(quintptr(text) + result.size()));
        if (count <= 0) {
            result.clear();
            break;
        }
        end = static_cast<const char *>(std::memchr(part, 0, std::size_t(count)));
        result.append(part, end ? std::size_t(end - part) : std::size_t(count));
    }
    close(memory);
    return result;
}

// The symbol of the function at \a code, even if it is not exported. A program that is not position-independent
// is loaded at the address that it was linked for, anything else at an \a offset to it.
std::string symbolInFile(const char *path, std::uintptr_t code, std::uintptr_t offset)
{
    std::string result;
#if QT_CONFIG(pool_allocator) && defined(QPOOL_HAS_ELF_IMAGE)
    using QPool::ElfReader;
    const QPoolElfFile file { QByteArray(path) };
    if (!file.error().isEmpty())
        return result;
    const ElfReader &reader = file.image().reader();
    ElfW(Shdr) symbols {};
    ElfW(Shdr) names {};
    reader.forEachSection([&](const ElfW(Shdr) &section) {
        if (section.sh_type == SHT_SYMTAB)
            symbols = section;
        return section.sh_type != SHT_SYMTAB;
    });
    if (symbols.sh_type != SHT_SYMTAB || symbols.sh_entsize != sizeof(ElfW(Sym))
        || !reader.section(symbols.sh_link, &names) || names.sh_type != SHT_STRTAB) {
        return result;
    }
    const QPool::ElfSource &source = file.source();
    std::uintptr_t place = 0;
    ElfReader::forEachAt<ElfW(Sym)>(source, symbols.sh_offset, symbols.sh_size / sizeof(ElfW(Sym)),
                                    [&](const ElfW(Sym) &symbol) {
        if ((symbol.st_info & 0xF) == STT_FUNC && symbol.st_shndx != SHN_UNDEF
            && (symbol.st_value == offset || symbol.st_value == code) && symbol.st_name < names.sh_size)
            place = names.sh_offset + symbol.st_name;
        return place == 0;
    });
    constexpr std::uintptr_t longest = 1024;
    if (place != 0) {
        ElfReader::forEachAt<char>(source, place, longest, [&](char letter) {
            if (letter > ' ' && letter <= '~')
                result += letter;
            return letter != '\0';
        });
    }
#else
    Q_UNUSED(path);
    Q_UNUSED(code);
    Q_UNUSED(offset);
#endif
    return result;
}

// The functor alone, of the function through which Qt calls it: its first template argument.
std::string functorIn(const std::string &name)
{
    for (const char *slot : { "SlotObject<", "QCallableObject<" }) {
        const std::size_t found = name.find(slot);
        if (found == std::string::npos)
            continue;
        const std::size_t begin = found + std::strlen(slot);
        int depth = 0;
        for (std::size_t i = begin; i < name.size(); ++i) {
            if (std::strchr("<({[", name[i]))
                ++depth;
            else if (depth > 0 && std::strchr(">)}]", name[i]))
                --depth;
            else if (depth == 0 && (name[i] == ',' || name[i] == '>'))
                return name.substr(begin, i - begin);
        }
    }
    return name;
}

} // namespace

std::string nameOfSlotCode(quintptr code)
{
    Dl_info info = {};
    std::string module;
    if (dladdr(reinterpret_cast<const void *>(code), &info) && info.dli_fname)
        module = copyOf(info.dli_fname);
    char text[256];
    if (module.empty()) {
        std::snprintf(text, sizeof(text), "0x%zx", std::size_t(code));
        return text;
    }
    const auto offset = std::size_t(code - quintptr(info.dli_fbase));
    std::string symbol;
    if (info.dli_sname && quintptr(info.dli_saddr) == code)
        symbol = copyOf(info.dli_sname);
    if (symbol.empty())
        symbol = symbolInFile(module.c_str(), code, offset);
    if (symbol.empty()) {
        module.erase(0, module.rfind('/') + 1); // npos + 1 is zero
        std::snprintf(text, sizeof(text), "%s+0x%zx", module.c_str(), offset);
        return text;
    }
    return functorIn(QPool::demangled(symbol));
}

std::string nameOfVtable(quintptr firstWord)
{
    Dl_info info = {};
    if (!dladdr(reinterpret_cast<const void *>(firstWord), &info) || !info.dli_sname)
        return {};
    const std::string symbol = copyOf(info.dli_sname);
    if (symbol.compare(0, 4, "_ZTV") != 0)
        return {};
    constexpr char prefix[] = "vtable for ";
    const std::string name = QPool::demangled(symbol);
    return name.compare(0, sizeof(prefix) - 1, prefix) == 0 ? name.substr(sizeof(prefix) - 1) : std::string();
}

} // namespace QEventLatency

QT_END_NAMESPACE
