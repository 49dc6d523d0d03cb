// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "slotmodule.h"

#include <QtCore/QCoreApplication>

#include <cstdio>
#include <memory>
#include <vector>

#include <dlfcn.h>

extern "C" const SlotModule *slotModule();
#ifdef OTHER_SLOT_MODULE
extern "C" const SlotModule *OTHER_SLOT_MODULE();
#endif

namespace {

bool isPooled(const void *pointer)
{
    using Function = bool (*)(const void *);
    const auto owns = reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, "qt_pool_allocator_owns"));
    return owns && owns(pointer);
}

bool complain(const char *what)
{
    std::puts(what);
    return false;
}

// Whether \a place is memory as the code of \a maker takes it. Not optimised, it may have been
// another module's.
bool isOwn(const SlotModule &maker, const void *place)
{
#ifdef __OPTIMIZE__
    constexpr bool isInlined = true;
#else
    constexpr bool isInlined = false;
#endif
    return !isInlined || isPooled(place) == maker.pooled;
}

// Slot objects that \a maker creates end in each possible way, one of them in \a other.
bool exchange(const SlotModule &maker, const SlotModule &other)
{
    SlotState state;
    for (auto connect : { maker.connectInline, maker.connect }) {
        auto sender = std::make_unique<QObject>();
        auto receiver = std::make_unique<QObject>();
        connect(sender.get(), receiver.get(), &state);
        if (other.disconnectMembers(sender.get(), receiver.get()) != 2)
            return complain("a connection was not found");
        sender->setObjectName("name");
        if (connect == maker.connectInline && !isOwn(maker, state.place))
            return complain("the wrong memory for a slot object");
        connect(sender.get(), receiver.get(), &state);
        sender.reset();
        sender = std::make_unique<QObject>();
        connect(sender.get(), receiver.get(), &state);
        receiver.reset();
    }
    QObject receiver;
    maker.invokeInline(&receiver, &state);
    if (!isOwn(maker, state.place))
        return complain("the wrong memory for a call's slot object");
    if (state.calls != 5 || state.alive != 0)
        return complain("not called, or not destroyed");
    return true; // and a queued call is never delivered
}

} // namespace

// Compiled against either kind of headers. Has all modules, of the program's own and those it is
// given the names of, use each other's slot objects.
int main(int argc, char **argv)
{
    QCoreApplication app(argc, argv);
    std::vector<const SlotModule *> modules;
#ifdef OTHER_SLOT_MODULE
    modules.push_back(OTHER_SLOT_MODULE());
#endif
    modules.push_back(slotModule());
    for (int i = 1; i < argc; ++i) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_GLOBAL);
        void *function = library ? dlsym(library, "pluginSlotModule") : nullptr;
        if (!function) {
            std::puts(dlerror());
            return 1;
        }
        modules.push_back(reinterpret_cast<SlotModuleFunction>(function)());
    }
    for (int round = 0; round < 20; ++round) {
        for (const SlotModule *maker : modules) {
            for (const SlotModule *other : modules) {
                if (!exchange(*maker, *other))
                    return 1;
            }
        }
    }
    std::puts("ran");
    return 0;
}
