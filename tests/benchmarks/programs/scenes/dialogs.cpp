// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Dialogs with tabs, layouts and some dozens of widgets, opened and closed.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtWidgets/qboxlayout.h>
#include <QtWidgets/qcheckbox.h>
#include <QtWidgets/qcombobox.h>
#include <QtWidgets/qdialog.h>
#include <QtWidgets/qdialogbuttonbox.h>
#include <QtWidgets/qformlayout.h>
#include <QtWidgets/qgroupbox.h>
#include <QtWidgets/qlabel.h>
#include <QtWidgets/qlineedit.h>
#include <QtWidgets/qpushbutton.h>
#include <QtWidgets/qradiobutton.h>
#include <QtWidgets/qslider.h>
#include <QtWidgets/qspinbox.h>
#include <QtWidgets/qtabwidget.h>

namespace {

QWidget *form(int number)
{
    auto *page = new QWidget;
    auto *layout = new QFormLayout(page);
    for (int i = 0; i < 8; ++i) {
        auto *edit = new QLineEdit(QStringLiteral("value %1 of dialog %2").arg(i).arg(number));
        edit->setPlaceholderText(QStringLiteral("nothing"));
        layout->addRow(QStringLiteral("Field &%1:").arg(i), edit);
    }
    auto *spin = new QSpinBox;
    auto *slider = new QSlider(Qt::Horizontal);
    QObject::connect(slider, &QSlider::valueChanged, spin, &QSpinBox::setValue);
    layout->addRow(QStringLiteral("Size:"), spin);
    layout->addRow(QStringLiteral("Place:"), slider);
    slider->setValue(number % 100);
    return page;
}

QWidget *choices(int number)
{
    auto *page = new QWidget;
    auto *layout = new QVBoxLayout(page);
    for (int i = 0; i < 3; ++i) {
        auto *group = new QGroupBox(QStringLiteral("Group %1").arg(i));
        auto *inner = new QHBoxLayout(group);
        for (int j = 0; j < 4; ++j)
            inner->addWidget(new QRadioButton(QStringLiteral("Choice %1").arg(j)));
        auto *all = new QCheckBox(QStringLiteral("All of them"));
        QObject::connect(all, &QCheckBox::toggled, group, &QGroupBox::setFlat);
        inner->addWidget(all);
        all->setChecked((number + i) % 2 != 0);
        layout->addWidget(group);
    }
    auto *combo = new QComboBox;
    for (int i = 0; i < 30; ++i)
        combo->addItem(QStringLiteral("Entry %1").arg(i), i);
    combo->setCurrentIndex(number % 30);
    layout->addWidget(combo);
    layout->addStretch();
    return page;
}

class Dialogs : public Scene
{
public:
    void turn(int number) override
    {
        QDialog dialog;
        dialog.setWindowTitle(QStringLiteral("Settings %1").arg(number));
        auto *layout = new QVBoxLayout(&dialog);
        auto *tabs = new QTabWidget;
        tabs->addTab(form(number), QStringLiteral("Form"));
        tabs->addTab(choices(number), QStringLiteral("Choices"));
        layout->addWidget(tabs);
        auto *buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
        QObject::connect(buttons, &QDialogButtonBox::accepted, &dialog, &QDialog::accept);
        QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
        layout->addWidget(buttons);
        dialog.show();
        QCoreApplication::processEvents();
        tabs->setCurrentIndex(1);
        QCoreApplication::processEvents();
        buttons->button(QDialogButtonBox::Ok)->click();
    }
};

const RegisterScene<Dialogs> scene("dialogs", 60);

} // namespace
