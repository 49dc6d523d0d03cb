// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCENECHURN_H
#define SCENECHURN_H

#include "workload.h"

#include <QtCore/qlist.h>
#include <QtCore/qtimer.h>

#include <memory>

// Parts of a QML scene that come and go, as the delegates of a list do. They are
// made in the thread of the window, so it is held to a share of each tick.
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
