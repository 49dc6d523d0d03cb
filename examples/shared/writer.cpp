// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes to the map that the window shows. Any number of writers can run; all change the same entries.
// After each change, a writer sends one byte to the window as a notification; the change itself is in
// the map.

#include "board.h"

#include <QtCore/qcommandlineparser.h>
#include <QtCore/qcoreapplication.h>
#include <QtCore/qrandom.h>
#include <QtCore/qtimer.h>
#include <QtNetwork/qlocalsocket.h>

#include <cstdio>
#include <mutex>

using namespace Qt::StringLiterals;
using QPool::SharedSegment;

namespace {

constexpr char ProgramName[] = "qpool-shared-writer";

class Writer : public QObject
{
public:
    Writer(SharedSegment &segment, Board::Root *root, const QString &newsName, qint64 turns,
           int interval)
        : m_newsName(newsName)
        , m_segment(segment)
        , m_root(root)
        , m_left(turns)
        , m_deaths(segment.statistics().deaths)
    {
        connect(&m_timer, &QTimer::timeout, this, &Writer::turn);
        m_timer.start(interval);
        m_news.connectToServer(m_newsName);
    }

private:
    void turn()
    {
        {
            const std::lock_guard<SharedSegment> guard(m_segment);
            if (m_segment.statistics().deaths != m_deaths) {
                std::fprintf(stderr, "%s: a writer was killed while it changed the map, so the map "
                                     "may be invalid. Restart all writers, one with --fresh.\n", ProgramName);
                QCoreApplication::exit(1);
                return;
            }
            write();
        }
        notify();
        if (m_left > 0 && --m_left == 0)
            finish();
    }

    // The lock must be held.
    void write()
    {
        static constexpr const char *names[] = { "ash", "beech", "birch", "cedar", "elm", "fir", "hazel",
                                                 "larch", "maple", "oak", "pine", "willow" };
        auto *random = QRandomGenerator::global();
        const char *name = names[random->bounded(int(std::size(names)))];
        auto entry = m_root->entries.find(name);
        if (entry == m_root->entries.end()) {
            entry = m_root->entries.emplace(name, Board::Entry()).first;
            ++m_root->structure;
        } else if (random->bounded(200) == 0) {
            m_root->entries.erase(entry);
            ++m_root->structure;
            ++m_root->changes;
            return;
        }
        Board::Entry &what = entry->second;
        what.value = qBound(0.0, what.value + random->bounded(20.0) - (what.value > 0 ? 9.5 : 0.0), 100.0);
        ++what.changes;
        what.writer = std::uint64_t(QCoreApplication::applicationPid());
        ++m_root->changes;
    }

    void notify()
    {
        if (m_news.state() == QLocalSocket::UnconnectedState)
            m_news.connectToServer(m_newsName); // a window may be opened at any time
        // A window that has not read earlier bytes already knows that there are changes.
        else if (m_news.state() == QLocalSocket::ConnectedState && m_news.bytesToWrite() == 0)
            m_news.write("!", 1);
    }

    void finish()
    {
        m_timer.stop();
        if (m_news.state() == QLocalSocket::ConnectedState) {
            m_news.flush();
            m_news.disconnectFromServer();
        }
        QCoreApplication::quit();
    }

    const QString m_newsName;
    SharedSegment &m_segment;
    Board::Root *m_root;
    qint64 m_left;
    std::uint64_t m_deaths;
    QTimer m_timer;
    QLocalSocket m_news;
};

int fail(const char *what)
{
    std::fprintf(stderr, "%s: %s: %s.\n", ProgramName, what, QPool::errorText(SharedSegment::lastError()));
    return 1;
}

} // namespace

int main(int argc, char *argv[])
{
    QCoreApplication application(argc, argv);
    QCommandLineParser parser;
    parser.setApplicationDescription(u"Writes to a map in shared memory that qpool-shared-viewer shows."_s);
    parser.addHelpOption();
    parser.addOptions({ { u"turns"_s, u"Exit after this number of changes (default: 0, no limit)."_s, u"count"_s, u"0"_s },
                        { u"interval"_s, u"Time between changes in ms (default: 20)."_s, u"ms"_s,
                          u"20"_s },
                        { u"fresh"_s, u"Create a new segment instead of using an existing one."_s },
                        { u"remove"_s, u"Remove the name of the segment and exit."_s } });
    parser.addOption({ u"segment"_s, u"Name of the segment."_s, u"name"_s, QLatin1StringView(Board::SegmentName) });
    parser.process(application);
    const QString newsName = Board::newsName(parser.value(u"segment"_s));
    const QByteArray name = parser.value(u"segment"_s).toUtf8();
    if (parser.isSet(u"remove"_s) || parser.isSet(u"fresh"_s)) {
        const bool gone = SharedSegment::unlink(name)
                || SharedSegment::lastError() == QPool::SharedError::NotFound;
        if (!gone)
            return fail("cannot remove the segment");
        if (parser.isSet(u"remove"_s))
            return 0;
    }
    SharedSegment segment = SharedSegment::openOrCreate(name, Board::SegmentBytes);
    if (!segment)
        return fail("cannot open the segment");
    auto *root = segment.findOrConstruct<Board::Root>(Board::RootName, segment);
    if (!root)
        return fail("cannot open the map");
    Writer writer(segment, root, newsName, parser.value(u"turns"_s).toLongLong(),
                  parser.value(u"interval"_s).toInt());
    return QCoreApplication::exec();
}
