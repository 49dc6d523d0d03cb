// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scenerunner.h"

#include <QtGui/qguiapplication.h>

int main(int argc, char **argv)
{
    prepareScenes();
    QGuiApplication application(argc, argv);
    return runScenes();
}
