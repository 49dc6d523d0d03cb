// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A text document: written, laid out, searched, changed, exported and read again.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtGui/qtextcursor.h>
#include <QtGui/qtextdocument.h>
#include <QtGui/qtexttable.h>
#include <QtWidgets/qtextedit.h>

namespace {

constexpr int Sections = 20;

class Document : public Scene
{
public:
    Document()
    {
        m_edit.resize(500, 600);
        m_edit.show();
    }

    void turn(int number) override
    {
        m_edit.clear();
        QTextCursor cursor(m_edit.document());
        cursor.beginEditBlock();
        for (int i = 0; i < Sections; ++i)
            write(cursor, number, i);
        cursor.endEditBlock();
        QCoreApplication::processEvents();
        emphasize();
        m_edit.document()->undo();
        const QString html = m_edit.toHtml();
        QTextDocument copy;
        copy.setHtml(html);
        copy.setTextWidth(400);
        m_length += qint64(copy.size().height()) + copy.toPlainText().size();
        QCoreApplication::processEvents();
    }

private:
    static void write(QTextCursor &cursor, int number, int section)
    {
        QTextCharFormat title;
        title.setFontWeight(QFont::Bold);
        title.setFontPointSize(16);
        cursor.insertBlock();
        cursor.insertText(QStringLiteral("Section %1 of %2").arg(section).arg(number), title);
        QTextCharFormat plain;
        for (int i = 0; i < 6; ++i) {
            cursor.insertBlock(QTextBlockFormat(), plain);
            for (int word = 0; word < 40; ++word)
                cursor.insertText(QStringLiteral("word%1 ").arg(word * section % 97), plain);
        }
        cursor.insertList(QTextListFormat::ListDisc);
        for (int i = 0; i < 5; ++i) {
            cursor.insertText(QStringLiteral("item %1").arg(i));
            cursor.insertBlock();
        }
        QTextTable *table = cursor.insertTable(4, 3);
        for (int row = 0; row < 4; ++row) {
            for (int column = 0; column < 3; ++column)
                table->cellAt(row, column)
                        .firstCursorPosition()
                        .insertText(QString::number(row * column + number));
        }
        cursor.movePosition(QTextCursor::End);
    }

    void emphasize()
    {
        QTextDocument *document = m_edit.document();
        QTextCharFormat red;
        red.setForeground(Qt::red);
        red.setFontItalic(true);
        QTextCursor edits(document);
        edits.beginEditBlock();
        for (QTextCursor found = document->find(QStringLiteral("word42")); !found.isNull();
             found = document->find(QStringLiteral("word42"), found))
            found.mergeCharFormat(red);
        edits.endEditBlock();
    }

    QTextEdit m_edit;
    qint64 m_length = 0;
};

const RegisterScene<Document> scene("document", 7);

} // namespace
