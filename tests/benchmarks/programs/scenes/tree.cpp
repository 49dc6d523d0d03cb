// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// A tree widget of ten thousand items: filled, sorted, searched, edited, emptied.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtWidgets/qscrollbar.h>
#include <QtWidgets/qtreewidget.h>

namespace {

constexpr int Folders = 100;
constexpr int FilesOfFolder = 99;

class Tree : public Scene
{
public:
    Tree()
    {
        m_tree.setColumnCount(3);
        m_tree.setHeaderLabels(
                { QStringLiteral("Name"), QStringLiteral("Size"), QStringLiteral("Kind") });
        m_tree.setUniformRowHeights(true);
        m_tree.resize(600, 400);
        m_tree.show();
    }

    void turn(int number) override
    {
        fill(number);
        QCoreApplication::processEvents();
        m_tree.expandAll();
        m_tree.sortItems(1, number % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
        const auto found = m_tree.findItems(QStringLiteral("file 7"),
                                            Qt::MatchStartsWith | Qt::MatchRecursive);
        for (QTreeWidgetItem *item : found) {
            item->setText(2, QStringLiteral("found in turn %1").arg(number));
            item->setData(0, Qt::UserRole, item->text(0).size());
        }
        QScrollBar *bar = m_tree.verticalScrollBar();
        for (int i = 0; i < 4; ++i) {
            bar->setValue(bar->maximum() / 4 * i);
            QCoreApplication::processEvents();
        }
        m_tree.clear();
    }

private:
    void fill(int number)
    {
        Sequence sizes(number);
        QList<QTreeWidgetItem *> folders;
        for (int i = 0; i < Folders; ++i) {
            auto *folder = new QTreeWidgetItem({ QStringLiteral("folder %1").arg(i) });
            for (int j = 0; j < FilesOfFolder; ++j) {
                const QString size = QString::number(sizes.below(1000000)).rightJustified(8);
                new QTreeWidgetItem(folder, { QStringLiteral("file %1 of %2").arg(j).arg(i), size,
                                              QStringLiteral("text") });
            }
            folders.append(folder);
        }
        m_tree.addTopLevelItems(folders);
    }

    QTreeWidget m_tree;
};

const RegisterScene<Tree> scene("tree", 8);

} // namespace
