// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef WINDOWFIXTURE_H
#define WINDOWFIXTURE_H

#include "../shared/samplelatency.h"
#include "fakesource.h"
#include "samplesnapshot.h"

#include "commandline.h"
#include "exporter.h"
#include "histogramitem.h"
#include "histogramwindow.h"
#include "poolmonitor.h"
#include "viewcontrol.h"
#include "workloadset.h"

#include <QtQuick/qquickitem.h>
#include <QtQuick/qquickwindow.h>
#include <QtTest/qtest.h>

#include <memory>

using namespace Qt::StringLiterals;

inline constexpr QSize Wide(1280, 800);
inline constexpr QSize Small(640, 480);
inline constexpr QSize Medium(900, 600);
// A window that opens with the medium size jumps to these, one after the other.
inline constexpr QSize Jumps[] = { Wide, Medium, QSize(1280, 780), Small, Wide, Small, Medium };

template <typename Function>
void forEachItem(QQuickItem *item, Function function)
{
    if (!item)
        return;
    function(item);
    const auto children = item->childItems();
    for (QQuickItem *child : children)
        forEachItem(child, function);
}

inline LatencyReading readyLatency(const QJsonObject &object = SampleLatency::sample())
{
    return { LatencyReading::Status::Ready, SampleLatency::text(object), {} };
}

// The window with sample statistics, and functions to find items in it. Only visible items are
// found.
class WindowFixture : public QObject
{
protected:
    void open(QSize size, const QByteArray &json = sampleSnapshot(),
              const CommandLine &options = {});
    void close();
    void key(int key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(m_window, Qt::Key(key), modifiers);
        layOut();
    }
    void type(const QString &text)
    {
        for (QChar c : text)
            QTest::keyClick(m_window, c.toLatin1());
    }
    QQuickItem *item(const QString &name) const;
    QList<HistogramItem *> histograms() const;
    QString text(const QString &name) const;
    void click(QQuickItem *item);
    // Done before the next frame: views create and count their rows there.
    void layOut() { m_window->grabWindow(); }
    // As maximising and restoring do, without the sizes between. Also writes a picture, if pictures are wanted.
    void jumpTo(QSize size, const QString &name);
    // The texts that are shown over each other, or over the edge of the window.
    QStringList overlaps() const;
    QQuickItem *segment(const QString &name, int index) const;

    std::shared_ptr<FakeAnswers> m_answers; // of this program's own source
    LatencyReading m_latency; // its first event latency; set before open()
    FakeProcesses m_processes;
    QList<ListedSegment> m_segments;
    std::unique_ptr<PoolMonitor> m_monitor;
    std::unique_ptr<Exporter> m_exporter;
    std::unique_ptr<ViewControl> m_control;
    std::unique_ptr<WorkloadSet> m_workloads;
    std::unique_ptr<HistogramWindow> m_scene;
    QQuickWindow *m_window = nullptr;
};

inline void WindowFixture::close()
{
    m_scene.reset();
    m_control.reset();
    m_exporter.reset();
    m_workloads.reset();
    m_monitor.reset();
    m_segments.clear(); // what the next window finds may be set before open()
}

inline void WindowFixture::open(QSize size, const QByteArray &json, const CommandLine &wanted)
{
    m_processes = {};
    m_answers = std::make_shared<FakeAnswers>();
    m_answers->latency = m_latency;
    m_answers->become(json.isEmpty() ? SnapshotSource::Status::Missing
                                     : SnapshotSource::Status::Ready,
                      {}, json);
    m_monitor = std::make_unique<PoolMonitor>();
    if (!wanted.choose) {
        m_monitor->setSource(std::make_unique<FakeSource>(SnapshotSource::Kind::Own,
                                                          u"This program"_s, m_answers));
    }
    m_workloads = std::make_unique<WorkloadSet>();
    m_exporter = std::make_unique<Exporter>(m_monitor.get());
    m_control = std::make_unique<ViewControl>(m_monitor.get(),
                                              std::make_unique<FakeFinder>(&m_processes),
                                              std::make_unique<FakeSegments>(&m_segments));
    CommandLine options = wanted;
    options.headless = true; // no animation
    if (options.theme.isEmpty())
        options.theme = u"light"_s;
    options.size = size;
    const ViewParts parts { m_monitor.get(), m_workloads.get(), m_control.get(), m_exporter.get() };
    m_scene = std::make_unique<HistogramWindow>(parts, options);
    m_window = m_scene->window();
    QVERIFY(m_window);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowExposed(m_window));
    m_window->requestActivate();
    QVERIFY(QTest::qWaitForWindowActive(m_window));
    QCOMPARE(m_window->size(), size);
}

inline QQuickItem *WindowFixture::item(const QString &name) const
{
    QQuickItem *result = nullptr;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        if (!result && item->isVisible() && item->objectName() == name)
            result = item;
    });
    return result;
}

inline QList<HistogramItem *> WindowFixture::histograms() const
{
    QList<HistogramItem *> result;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        auto *histogram = qobject_cast<HistogramItem *>(item);
        if (histogram && histogram->isVisible())
            result.append(histogram);
    });
    return result;
}

inline QString WindowFixture::text(const QString &name) const
{
    const QQuickItem *found = item(name);
    return found ? found->property("text").toString() : u"(no such item)"_s;
}

inline void WindowFixture::click(QQuickItem *item)
{
    QVERIFY(item);
    layOut();
    const QPointF center(item->width() / 2, item->height() / 2);
    QTest::mouseClick(m_window, Qt::LeftButton, {}, item->mapToScene(center).toPoint());
    layOut();
}

inline void WindowFixture::jumpTo(QSize size, const QString &name)
{
    m_window->resize(size);
    QTRY_COMPARE(m_window->contentItem()->size(), QSizeF(size));
    // What depends on the size follows later, and then its layout.
    for (int i = 0; i < 3; ++i) {
        layOut();
        QCoreApplication::processEvents();
    }
    if (const QString folder = qEnvironmentVariable("QPOOL_PICTURES"); !folder.isEmpty())
        m_window->grabWindow().save(folder + u"/%1-%2.png"_s.arg(name).arg(size.width()));
}

inline QStringList WindowFixture::overlaps() const
{
    struct Shown
    {
        QString text;
        QRectF place;
    };
    QList<Shown> all;
    QStringList result;
    forEachItem(m_window->contentItem(), [&](QQuickItem *item) {
        const QString text = item->property("text").toString();
        if (!item->inherits("QQuickText") || !item->isVisible() || text.isEmpty() || item->opacity() == 0)
            return;
        // What an alignment leaves free is not covered.
        const qreal width = qMin(item->width(), item->property("contentWidth").toReal());
        const qreal height = qMin(item->height(), item->property("contentHeight").toReal());
        const int alignment = item->property("horizontalAlignment").toInt();
        const qreal free = item->width() - width;
        const qreal left = alignment & Qt::AlignRight ? free : alignment & Qt::AlignHCenter ? free / 2 : 0;
        QRectF place = item->mapRectToScene(QRectF(left, 0, width, height));
        for (QQuickItem *parent = item->parentItem(); parent; parent = parent->parentItem()) {
            if (parent->clip())
                place &= parent->mapRectToScene(parent->boundingRect());
        }
        if (place.width() < 1 || place.height() < 1)
            return;
        if (place.right() > m_window->width() + 1 || place.bottom() > m_window->height() + 1 || place.left() < -1
            || place.top() < -1)
            result += u"outside: "_s + text;
        all.append({ text, place.adjusted(1, 2, -1, -2) });
    });
    for (qsizetype i = 0; i < all.size(); ++i) {
        for (qsizetype j = i + 1; j < all.size(); ++j) {
            if (all.at(i).place.intersects(all.at(j).place))
                result += all.at(i).text + u" | "_s + all.at(j).text;
        }
    }
    return result;
}

inline QQuickItem *WindowFixture::segment(const QString &name, int index) const
{
    QQuickItem *result = nullptr;
    forEachItem(item(name), [&](QQuickItem *item) {
        if (item->inherits("QQuickAbstractButton") && item->property("index").toInt() == index)
            result = item;
    });
    return result;
}

#endif // WINDOWFIXTURE_H
