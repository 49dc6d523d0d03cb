// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCENE_H
#define SCENE_H

#include <QtCore/qlist.h>

#include <memory>

// Typical work of Qt programs, repeated. It uses no random numbers and no clock, so each run does
// the same.
class Scene
{
public:
    Scene() = default;
    virtual ~Scene() = default;
    Q_DISABLE_COPY_MOVE(Scene)

    virtual void turn(int number) = 0;
};

struct SceneType
{
    const char *name;
    int turns; // unless it is told how many
    std::unique_ptr<Scene> (*make)();
};

QList<SceneType> &sceneTypes();

// static const RegisterScene<Dialogs> scene("dialogs", 40);
template <class Type>
class RegisterScene
{
public:
    RegisterScene(const char *name, int turns)
    {
        sceneTypes().append({ name, turns, []() -> std::unique_ptr<Scene> {
                                 return std::make_unique<Type>();
                             } });
    }
};

// Numbers that look like chance and are the same each time.
class Sequence
{
public:
    explicit Sequence(unsigned seed)
        : m_state(seed)
    {
    }
    int below(int limit)
    {
        m_state = m_state * 1664525u + 1013904223u;
        return int((m_state >> 8) % unsigned(limit));
    }

private:
    unsigned m_state;
};

#endif // SCENE_H
