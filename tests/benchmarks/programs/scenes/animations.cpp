// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Property animations in groups: made, run for their sixty frames, gone.

#include "scene.h"

#include <QtCore/qcoreapplication.h>
#include <QtCore/qparallelanimationgroup.h>
#include <QtCore/qpropertyanimation.h>
#include <QtCore/qsequentialanimationgroup.h>
#include <QtWidgets/qlabel.h>
#include <QtWidgets/qwidget.h>

namespace {

constexpr int Labels = 60;
constexpr int Frames = 60;
constexpr int FrameMs = 16;

// Time that passes only on request.
class Clock : public QAnimationDriver
{
public:
    void advance() override
    {
        m_elapsed += FrameMs;
        advanceAnimation();
    }
    qint64 elapsed() const override { return m_elapsed; }

protected:
    void start() override
    {
        m_elapsed = 0;
        QAnimationDriver::start();
    }

private:
    qint64 m_elapsed = 0;
};

class Animations : public Scene
{
public:
    Animations()
    {
        m_clock.install();
        m_window.resize(640, 480);
        for (int i = 0; i < Labels; ++i) {
            auto *label = new QLabel(QString::number(i), &m_window);
            label->setGeometry(i * 10, i * 7, 30, 20);
            m_labels.append(label);
        }
        m_window.show();
    }
    ~Animations() override { m_clock.uninstall(); }

    void turn(int number) override
    {
        QParallelAnimationGroup all;
        for (QLabel *label : std::as_const(m_labels))
            all.addAnimation(path(label, number));
        int finished = 0;
        for (int i = 0; i < all.animationCount(); ++i) {
            QObject::connect(all.animationAt(i), &QAbstractAnimation::finished, &all,
                             [&finished] { ++finished; });
        }
        all.start();
        for (int frame = 0; frame < Frames; ++frame) {
            m_clock.advance();
            QCoreApplication::processEvents();
        }
        m_window.setWindowTitle(QString::number(finished));
    }

private:
    static QAbstractAnimation *path(QLabel *label, int number)
    {
        auto *group = new QSequentialAnimationGroup;
        for (int i = 0; i < 2; ++i) {
            auto *move = new QPropertyAnimation(label, "pos");
            move->setDuration(Frames / 3 * FrameMs);
            move->setEasingCurve(QEasingCurve::InOutQuad);
            move->setStartValue(label->pos());
            for (int key = 1; key < 5; ++key)
                move->setKeyValueAt(key / 5.0, QPoint(key * 90 + number % 7, key * 60));
            move->setEndValue(QPoint(i * 300, 200));
            group->addAnimation(move);
        }
        auto *size = new QPropertyAnimation(label, "geometry");
        size->setDuration(Frames / 4 * FrameMs);
        size->setEndValue(QRect(10, 10, 30 + number % 5, 20));
        group->addAnimation(size);
        return group;
    }

    Clock m_clock;
    QWidget m_window;
    QList<QLabel *> m_labels;
};

const RegisterScene<Animations> scene("animations", 20);

} // namespace
