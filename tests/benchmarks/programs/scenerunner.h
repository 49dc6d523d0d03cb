// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCENERUNNER_H
#define SCENERUNNER_H

// To be called before the application is made: what the machine it runs on decides otherwise.
void prepareScenes();

// The rest of main(): SCENE [--turns N], or --list. Does so many turns of the scene and prints, as
// one line of JSON, what they took.
int runScenes();

#endif // SCENERUNNER_H
