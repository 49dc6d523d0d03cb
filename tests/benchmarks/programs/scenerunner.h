// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCENERUNNER_H
#define SCENERUNNER_H

// Call this before the application is created: it fixes settings that the machine would otherwise
// decide.
void prepareScenes();

// The rest of main(): SCENE [--turns N], or --list. Runs N turns of the scene and prints their cost
// as one line of JSON.
int runScenes();

#endif // SCENERUNNER_H
