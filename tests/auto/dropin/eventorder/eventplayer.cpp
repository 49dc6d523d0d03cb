// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// eventplayer FIRST COUNT [NUMBER...]: runs COUNT scripts from seed FIRST on, without the actions
// with these numbers, and prints the result of each, one line per script. With QPOOL_ORDER_STEPS in the
// environment, the pooled QtCore always finds something to give back, now or soon.

#include "../shared/watchdog.h"
#include "player.h"

#include <QtCore/qcoreapplication.h>

#include <cstdio>

#include <dlfcn.h>

namespace {

int step()
{
    static std::atomic<unsigned> steps { 0 };
    constexpr int results[] = { 0, 0, 1, 0, 2, 0, 0, 0, 1, -1 };
    return results[steps++ % std::size(results)];
}

bool takeSteps()
{
    // QPoolIdle::giveBack, which this program's headers do not declare.
    void *variable = dlsym(RTLD_DEFAULT, "_ZN9QPoolIdle8giveBackE");
    if (variable)
        *static_cast<int (**)()>(variable) = step;
    return variable;
}

} // namespace

int main(int argc, char **argv)
{
    QCoreApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    if (arguments.size() < 3) {
        std::fprintf(stderr, "usage: eventplayer FIRST COUNT [NUMBER...]\n");
        return 2;
    }
    if (qEnvironmentVariableIsSet("QPOOL_ORDER_STEPS") && !takeSteps()) {
        std::fprintf(stderr, "eventplayer: QtCore gives nothing back\n");
        return 2;
    }
    std::set<int> without;
    for (qsizetype i = 3; i < arguments.size(); ++i)
        without.insert(arguments.at(i).toInt());
    const quint32 first = arguments.at(1).toUInt();
    const quint32 count = arguments.at(2).toUInt();

    Player player;
    std::printf("%s\n", dispatcher()->metaObject()->className());
    for (quint32 seed = first; seed < first + count; ++seed) {
        const Script script(seed, without);
        const QByteArray name = "script " + QByteArray::number(seed);
        const Watchdog watchdog(name.constData());
        std::printf("%u %d %s\n", seed, script.count(), player.play(script).constData());
        std::fflush(stdout);
    }
    return 0;
}
