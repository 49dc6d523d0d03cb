// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCENECHURN_H
#define SCENECHURN_H

#include "workload.h"

#include <QtCore/qlist.h>
#include <QtCore/qtimer.h>

#include <memory>

// Creates and deletes items of a QML scene, as a list does with its delegates. It runs in the thread of
// the window, so it may use only a share of each tick.
class SceneChurn : public Workload
{
    Q_OBJECT

public:
    explicit SceneChurn(QObject *parent = nullptr);
    ~SceneChurn() override;

protected:
    void doStart() override;
    void doHold() override;
    void doStop() override;

private:
    struct Scene;

    void tick();

    QTimer m_timer;
    qreal m_carry = 0;
    std::unique_ptr<Scene> m_scene;
};

#endif // SCENECHURN_H
