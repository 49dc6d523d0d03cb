// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A user types into a line with completions, and into a text with coloured words.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qregularexpression.h>
#include <QtGui/qevent.h>
#include <QtGui/qsyntaxhighlighter.h>
#include <QtGui/qvalidator.h>
#include <QtWidgets/qboxlayout.h>
#include <QtWidgets/qcompleter.h>
#include <QtWidgets/qlineedit.h>
#include <QtWidgets/qplaintextedit.h>

namespace {

class Colours : public QSyntaxHighlighter
{
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
    void highlightBlock(const QString &text) override
    {
        QTextCharFormat bold;
        bold.setFontWeight(QFont::Bold);
        auto matches = m_words.globalMatch(text);
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            setFormat(int(match.capturedStart()), int(match.capturedLength()), bold);
        }
    }

private:
    const QRegularExpression m_words { QStringLiteral("\\b(int|for|return|while)\\b") };
};

class Typing : public Scene
{
public:
    Typing()
    {
        QStringList names;
        for (int i = 0; i < 2000; ++i)
            names.append(QStringLiteral("int name%1").arg(i));
        auto *completer = new QCompleter(names, &m_line);
        // A popup's animation would depend on the clock.
        completer->setCompletionMode(QCompleter::InlineCompletion);
        m_line.setCompleter(completer);
        m_line.setValidator(new QRegularExpressionValidator(
                QRegularExpression(QStringLiteral("[a-z0-9 ();=+]*")), &m_line));
        new Colours(m_text.document());
        auto *layout = new QVBoxLayout(&m_window);
        layout->addWidget(&m_line);
        layout->addWidget(&m_text);
        m_window.resize(500, 400);
        m_window.show();
    }

    void turn(int number) override
    {
        const QString code = QStringLiteral("int value%1 = 0; for (i) return value").arg(number);
        for (QWidget *receiver :
             { static_cast<QWidget *>(&m_line), static_cast<QWidget *>(&m_text) }) {
            receiver->setFocus();
            for (const QChar letter : code)
                press(receiver, 0, letter);
            press(receiver, Qt::Key_Home);
            press(receiver, Qt::Key_Delete);
            press(receiver, Qt::Key_End);
            press(receiver, Qt::Key_Backspace);
        }
        press(&m_text, Qt::Key_Return, u'\r');
        m_line.clear();
        if (number % 100 == 99)
            m_text.clear();
    }

private:
    static void press(QWidget *receiver, int key, QChar letter = QChar())
    {
        const QString text = letter.isNull() ? QString() : QString(letter);
        for (const QEvent::Type type : { QEvent::KeyPress, QEvent::KeyRelease })
            QCoreApplication::postEvent(receiver, new QKeyEvent(type, key, Qt::NoModifier, text));
        QCoreApplication::processEvents();
    }

    QWidget m_window;
    QLineEdit m_line;
    QPlainTextEdit m_text;
};

const RegisterScene<Typing> scene("typing", 20);

} // namespace
