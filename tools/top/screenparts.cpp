// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "screenparts.h"

#include "terminal.h"

#include <climits>

using namespace Qt::StringLiterals;

ScreenLine keyLine(const QString &keys, const QString &text)
{
    return ScreenLine(u"  "_s + keys.leftJustified(14), Style::Strong).add(text);
}

ScreenLine lastLine(const std::optional<QString> &prompt, const QString &notice, const QString &keys,
                    const ScreenForm &form)
{
    if (prompt)
        return ScreenLine(u"Filter: "_s, Style::Strong).add(narrow(*prompt, form)).add(u"_"_s);
    if (!notice.isEmpty())
        return { narrow(notice, form), Style::Warning };
    return { keys, Style::Dim };
}

int roomBelow(const ScreenLines &head, const ScreenForm &form)
{
    return qMax(1, form.rows - int(head.size()) - 1);
}

ScreenLines scrolledScreen(const ScreenLines &head, const ScreenLines &body, const ScreenLine &last,
                           int *scroll, const ScreenForm &form)
{
    ScreenLines lines = head;
    if (form.rows == 0) {
        lines.append(body);
    } else {
        const int room = roomBelow(head, form);
        *scroll = qBound(0, *scroll, qMax(0, int(body.size()) - room));
        lines.append(body.first());
        lines.append(body.mid(1 + *scroll, room - 1));
        while (lines.size() < form.rows - 1)
            lines.append(ScreenLine());
        lines.append(last);
        lines.resize(form.rows);
    }
    for (ScreenLine &line : lines)
        line = line.cutTo(form.columns);
    return lines;
}

bool scrollByKey(int key, int rows, int *scroll)
{
    const int page = qMax(1, rows / 2);
    switch (key) {
    case Key::Up:
        --*scroll;
        return true;
    case Key::Down:
        ++*scroll;
        return true;
    case Key::PageUp:
        *scroll -= page;
        return true;
    case Key::PageDown:
        *scroll += page;
        return true;
    case Key::Home:
        *scroll = 0;
        return true;
    case Key::End:
        *scroll = INT_MAX;
        return true;
    default:
        return false;
    }
}

PromptResult typeInto(QString *text, int key)
{
    if (key == Key::Escape)
        return PromptResult::Cancelled;
    if (key == Key::Enter)
        return PromptResult::Complete;
    if (key == Key::Backspace)
        text->chop(1);
    else if (key >= ' ' && key < 0x7f && text->size() < 60)
        *text += QChar(key);
    return PromptResult::Typing;
}

void typeFilter(std::optional<QString> *prompt, int key, QString *filter, int *scroll)
{
    const PromptResult result = typeInto(&**prompt, key);
    if (result == PromptResult::Typing)
        return;
    if (result == PromptResult::Complete) {
        *filter = **prompt;
        *scroll = 0;
    }
    prompt->reset();
}
