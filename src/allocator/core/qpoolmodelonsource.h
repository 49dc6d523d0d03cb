// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

#ifndef QPOOLMODELONSOURCE_H
#define QPOOLMODELONSOURCE_H

#include "../os/qpoollock.h"

#include <type_traits>

QPOOL_BEGIN_NAMESPACE

/*
    A threading model and the source of its pages. Whatever has both gets its pool, or the lock of its
    own data, from here: so there is one check that they fit, whichever class brings them together.
*/
template <class Model, class Source>
class ModelOnSource
{
    static_assert(!Model::ManyThreads || !std::is_base_of_v<NoLock, typename Source::Lock>,
                  "a pool for several threads needs a source of pages with a lock: SystemPages has one, "
                  "StaticPages takes its type as the last parameter; or use the model SingleThreaded");

public:
    template <class Layout>
    using Pool = typename Model::template Pool<Layout, Source>;

    // One thread needs none, whatever the source has.
    using Lock = std::conditional_t<Model::ManyThreads, typename Source::Lock, NoLock>;
};

QPOOL_END_NAMESPACE

#endif // QPOOLMODELONSOURCE_H
