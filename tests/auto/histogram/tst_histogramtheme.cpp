// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "windowfixture.h"

#include <QtCore/qregularexpression.h>
#include <QtGui/qguiapplication.h>
#include <QtGui/qimage.h>
#include <QtGui/qpalette.h>
#include <QtQml/qqmlcomponent.h>

#include <array>
#include <cmath>

// Light and dark, and colours that everyone can tell apart.
class tst_HistogramTheme : public WindowFixture
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(u"."_s)); }
    void cleanup() { close(); }

    void themeFollowsKeyAndSystem();
    void coloursHaveEnoughContrast_data();
    void coloursHaveEnoughContrast();
    void everyoneCanTellColoursApart();

private:
    QColor themeColor(const QString &name);
};

static qreal luminance(const QColor &color)
{
    const auto linear = [](qreal c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF())
           + 0.0722 * linear(color.blueF());
}

// How a colour appears to eyes without one kind of cone, after Viénot, Brettel and Mollon.
static std::array<qreal, 3> seen(const QColor &color, bool protan)
{
    const qreal r = color.redF(), g = color.greenF(), b = color.blueF();
    return protan ? std::array<qreal, 3> { 0.112 * r + 0.888 * g, 0.112 * r + 0.888 * g,
                                           0.004 * r - 0.004 * g + b }
                  : std::array<qreal, 3> { 0.292 * r + 0.708 * g, 0.292 * r + 0.708 * g,
                                           -0.022 * r + 0.022 * g + b };
}

void tst_HistogramTheme::themeFollowsKeyAndSystem()
{
    open(Wide);
    QVERIFY(m_window->grabWindow().pixelColor(100, 3).lightness() > 200);
    key(Qt::Key_T);
    QVERIFY(m_window->grabWindow().pixelColor(100, 3).lightness() < 50);
    key(Qt::Key_T);
    QVERIFY(m_window->grabWindow().pixelColor(100, 3).lightness() > 200);
    // "system": the system's colour of windows decides.
    for (const QColor &window : { QColor(Qt::black), QColor(Qt::white) }) {
        QPalette palette = QGuiApplication::palette();
        palette.setColor(QPalette::Window, window);
        QGuiApplication::setPalette(palette);
        m_window->setProperty("theme", u"system"_s);
        QTRY_COMPARE(m_window->grabWindow().pixelColor(100, 3).lightness() > 128,
                     window == QColor(Qt::white));
    }
}

QColor tst_HistogramTheme::themeColor(const QString &name)
{
    QQmlComponent component(&m_scene->engine());
    component.setData("import QtQml\nimport QPool.Histogram\n"
                      "QtObject { readonly property QtObject theme: Theme }",
                      {});
    const std::unique_ptr<QObject> holder(component.create());
    const auto *theme = holder ? holder->property("theme").value<QObject *>() : nullptr;
    return theme ? theme->property(qPrintable(name)).value<QColor>() : QColor();
}

void tst_HistogramTheme::coloursHaveEnoughContrast_data()
{
    QTest::addColumn<QString>("theme");
    QTest::addColumn<QString>("front");
    QTest::addColumn<QString>("back");
    QTest::addColumn<qreal>("least"); // as WCAG 2.1 has it, AA
    for (const QString &theme : { u"light"_s, u"dark"_s }) {
        const auto row = [&](const QString &front, const QString &back, qreal least) {
            QTest::newRow(qPrintable(u"%1 %2 on %3"_s.arg(theme, front, back)))
                    << theme << front << back << least;
        };
        for (const QString &back : { u"card"_s, u"window"_s, u"raised"_s, u"hover"_s }) {
            row(u"text"_s, back, 4.5);
            row(u"mutedText"_s, back, 4.5);
        }
        row(u"accentText"_s, u"accent"_s, 4.5);
        row(u"text"_s, u"accentFill"_s, 4.5);
        row(u"accent"_s, u"accentFill"_s, 4.0);
        row(u"warning"_s, u"warningFill"_s, 4.5);
        row(u"good"_s, u"goodFill"_s, 4.5);
        for (const QString &bar : { u"events"_s, u"objects"_s, u"privates"_s, u"heap"_s })
            row(bar, u"card"_s, 3);
    }
}

void tst_HistogramTheme::coloursHaveEnoughContrast()
{
    CommandLine options;
    QFETCH(QString, theme);
    options.theme = theme;
    open(Small, sampleSnapshot(), options);
    QFETCH(QString, front);
    QFETCH(QString, back);
    const qreal a = luminance(themeColor(front));
    const qreal b = luminance(themeColor(back));
    const qreal ratio = (qMax(a, b) + 0.05) / (qMin(a, b) + 0.05);
    QFETCH(qreal, least);
    QVERIFY2(ratio >= least, qPrintable(QString::number(ratio)));
}

void tst_HistogramTheme::everyoneCanTellColoursApart()
{
    for (const QString &theme : { u"light"_s, u"dark"_s }) {
        CommandLine options;
        options.theme = theme;
        open(Small, sampleSnapshot(), options);
        const QStringList names { u"events"_s, u"objects"_s, u"privates"_s, u"heap"_s };
        for (int i = 0; i < names.size(); ++i) {
            for (int k = i + 1; k < names.size(); ++k) {
                for (bool protan : { true, false }) {
                    const auto a = seen(themeColor(names.at(i)), protan);
                    const auto b = seen(themeColor(names.at(k)), protan);
                    const qreal distance = std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
                    QVERIFY2(distance > 0.2,
                             qPrintable(u"%1: %2 and %3 %4"_s.arg(theme, names.at(i), names.at(k))
                                                .arg(distance)));
                }
            }
        }
        close();
    }
}

QTEST_MAIN(tst_HistogramTheme)

#include "tst_histogramtheme.moc"
