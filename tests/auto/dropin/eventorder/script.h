// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef SCRIPT_H
#define SCRIPT_H

#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <vector>

// What a program does with its event loops, generated from a seed. Each action has a number, in the
// order of generation. If one is left out, its own actions are, too, and nothing else changes: that
// is how a script is reduced.
struct Action
{
    enum Kind {
        Post, // to a receiver, of which the actions are what the handler does
        PostFromThread, // the same, by another thread, before this one goes on
        SendPosted,
        RemovePosted,
        ProcessEvents,
        Loop, // a nested one, until Quit or a timer that is there for the case
        Quit,
        ZeroTimer,
        Notifier, // a byte in a pipe
        ForeignSource, // GLib's own
        DeleteLater,
        WakeUp,
        Interrupt,
        InThread, // the actions are done by another thread, in its loop, before this one goes on
        KindCount,
    };

    Kind kind;
    int number;
    int receiver; // of Receivers; -1: all
    int priority; // of an event or a source
    int flags; // of processEvents()
    std::vector<Action> actions;
};

class Script
{
public:
    static constexpr int Receivers = 4;

    explicit Script(std::uint32_t seed, const std::set<int> &without = {})
        : m_random(seed)
        , m_without(without)
    {
        m_actions = make(2 + below(8), 0, false);
    }

    const std::vector<Action> &actions() const { return m_actions; }
    int count() const { return m_count; }

private:
    int below(int limit) { return int(m_random() % std::uint32_t(limit)); }

    std::vector<Action> make(int count, int depth, bool inThread)
    {
        std::vector<Action> result;
        for (int i = 0; i < count && m_count < Most; ++i) {
            Action action { kind(inThread), m_count++, below(Receivers + 1) - 1, below(5) - 2,
                            below(8), {} };
            const bool hasActions = action.kind <= Action::PostFromThread
                    || (action.kind >= Action::ZeroTimer && action.kind <= Action::ForeignSource)
                    || action.kind == Action::InThread;
            if (hasActions && depth < 4) {
                action.actions = make(below(depth == 0 ? 4 : 3), depth + 1,
                                      inThread || action.kind == Action::InThread);
            }
            if (!m_without.count(action.number))
                result.push_back(std::move(action));
        }
        return result;
    }

    Action::Kind kind(bool inThread)
    {
        // Half of all actions are posts.
        if (below(2))
            return below(6) ? Action::Post : Action::PostFromThread;
        const auto result = Action::Kind(below(Action::KindCount));
        return result == Action::InThread && inThread ? Action::Post : result;
    }

    static constexpr int Most = 60;

    std::mt19937 m_random;
    std::set<int> m_without;
    int m_count = 0;
    std::vector<Action> m_actions;
};

#endif // SCRIPT_H
