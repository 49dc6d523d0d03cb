// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "scenerunner.h"

#include <QtWidgets/qapplication.h>

int main(int argc, char **argv)
{
    prepareScenes();
    QApplication application(argc, argv);
    return runScenes();
}
