// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "screenparts.h"

#include "terminal.h"

#include <climits>
#include <utility>

using namespace Qt::StringLiterals;

void ScreenView::handleKey(int key, int rows)
{
    switch (key) {
    case '?':
    case Key::F1:
        help = !help;
        scroll = 0;
        break;
    case 'p':
    case ' ':
        paused = !paused;
        break;
    default:
        if (!scrollByKey(key, rows, &scroll))
            notice = u"Unknown key: press ? for help."_s;
    }
}

std::optional<QString> ScreenView::handlePromptKey(int key)
{
    if (key == Key::Enter)
        return std::exchange(prompt, std::nullopt);
    if (key == Key::Escape)
        prompt.reset();
    else if (key == Key::Backspace)
        prompt->chop(1);
    else if (key >= ' ' && key < 0x7f && prompt->size() < 60)
        *prompt += QChar(key);
    return std::nullopt;
}

void addState(ScreenLine *line, const ScreenView &view, const QString &filter, const ScreenForm &form)
{
    if (view.paused)
        line->add(u"Paused. "_s, Style::Warning);
    if (!filter.isEmpty())
        line->add(u"Filter: "_s + narrow(filter, form) + u". "_s, Style::Strong);
}

ScreenLine stateLine(const MarkedView &view, const QString &order, bool isMarked, const ScreenForm &form)
{
    ScreenLine line;
    addState(&line, view, view.filter, form);
    line.add(u"Sorted by "_s + order + u". "_s, Style::Dim);
    if (isMarked)
        line.add(u"Growth since the mark. "_s, Style::Dim);
    return line;
}

ScreenLines helpLines(const QList<HelpOnKeys> &keys, const QStringList &text)
{
    ScreenLines lines;
    for (const HelpOnKeys &key : keys)
        lines.append(ScreenLine(u"  "_s + key.keys.leftJustified(14), Style::Strong).add(key.text));
    lines.append(ScreenLine());
    lines.append(ScreenLines(text.begin(), text.end()));
    return lines;
}

ScreenLine lastLine(const ScreenView &view, const QString &keys, const ScreenForm &form)
{
    if (view.prompt)
        return ScreenLine(u"Filter: "_s, Style::Strong).add(narrow(*view.prompt, form)).add(u"_"_s);
    if (!view.notice.isEmpty())
        return { narrow(view.notice, form), Style::Warning };
    return { keys, Style::Dim };
}

ScreenLines helpOnTable(QChar key, const QString &orders, const QString &filtered, const QStringList &text)
{
    return helpLines({ { u"q"_s, u"quit"_s },
                       { key + u", Escape"_s, u"back to the size classes"_s },
                       { u"m"_s, u"set a mark to show growth since then; again: clear the mark"_s },
                       { u"s"_s, u"sort by "_s + orders },
                       { u"f, /"_s, u"filter: part of the name of "_s + filtered },
                       { u"p, Space"_s, u"pause or resume"_s },
                       { u"arrows, pages"_s, u"scroll"_s } },
                     text);
}

ScreenLine lastLine(const MarkedView &view, QChar key, const ScreenForm &form)
{
    return lastLine(view, u"q quit  %1 size classes  m mark  s sort  f filter  p pause  ? help"_s.arg(key), form);
}

int roomBelow(const ScreenLines &head, const ScreenForm &form)
{
    return qMax(1, form.rows - int(head.size()) - 1);
}

ScreenLines scrolledScreen(const ScreenLines &head, const ScreenLines &body, const ScreenLine &last,
                           int *scroll, const ScreenForm &form)
{
    if (form.rows == 0)
        return wholeScreen(head + body, last, form);
    const int room = roomBelow(head, form);
    *scroll = qBound(0, *scroll, qMax(0, int(body.size()) - room));
    return wholeScreen(head + body.first(1) + body.mid(1 + *scroll, room - 1), last, form);
}

ScreenLines wholeScreen(ScreenLines lines, const ScreenLine &last, const ScreenForm &form)
{
    if (form.rows > 0) {
        lines.resize(form.rows - 1);
        lines.append(last);
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
