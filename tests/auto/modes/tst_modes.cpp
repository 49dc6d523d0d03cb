// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../dropin/shared/pool.h"
#include "../shared/childprocess.h"
#include "classes.h"
#include "notes.h"
#include "plugin.h"

#include <QtCore/QFutureWatcher>
#include <QtCore/QLibrary>
#include <QtCore/QTemporaryDir>

#include <dlfcn.h>

// A program of the distribution's kind on the pooled QtCore. It starts programs and loads plugins
// that were compiled against the pool's headers: those that would give chunks of the pool to the
// heap are stopped in time, all others work.
class tst_Modes : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void stopsOnlyProgramsThatMixModes_data();
    void stopsOnlyProgramsThatMixModes();
    void judgesEachModuleOnce();
    void survivesMisplacedNotes_data();
    void survivesMisplacedNotes();
    void disabledPoolLetsAllRun();
    void wholeProgramsMayMixModes();
    void programsWithTheirOwnHeapMayNot();
    void linkerRefusesStockQtCore();
    void refusesPluginsThatMixModes_data();
    void refusesPluginsThatMixModes();
    void refusesAgainWhatStaysLoaded_data() { refusesPluginsThatMixModes_data(); }
    void refusesAgainWhatStaysLoaded();
    void dlopenEndsTheProcess();
    void loadsPluginsBoundToThemselves();
    void pluginsDeleteEachOthersObjects_data();
    void pluginsDeleteEachOthersObjects();
    void slotObjectsWorkAcrossModules_data();
    void slotObjectsWorkAcrossModules();

private:
    QString path(const QString &name) const { return m_folder + '/' + name; }
    const PluginInterface *load(const QString &name);

    QString m_folder;
};

namespace {

int loadInChild(const QByteArray &plugin, int &, char **)
{
    return dlopen(plugin.constData(), RTLD_NOW) ? 0 : 1;
}

} // namespace

void tst_Modes::initTestCase()
{
    m_folder = qEnvironmentVariable("QPOOL_MODES");
    if (m_folder.isEmpty())
        QSKIP("QPOOL_MODES names no folder: run this with ctest.");
    QVERIFY(Pool::isActive());
    // These must be defined in this process before a plugin brings its own.
    for (const auto make : { &makeHeaderOnly, &makeCMD0Event }) {
        const std::unique_ptr<QEvent> event(make());
        QVERIFY(!Pool::owns(event.get()));
    }
}

void tst_Modes::stopsOnlyProgramsThatMixModes_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("created");
    QTest::addColumn<QString>("library");
    QTest::newRow("constructor") << "mode_events.program" << "QMouseEvent" << "libQt6Gui.so.6";
    QTest::newRow("vtable") << "mode_inline.program" << "InlineConstructed" << "libmode_classes.so";
    QTest::newRow("harmless") << "mode_harmless.program" << "" << "";
    QTest::newRow("on the stack") << "mode_stack.program" << "" << "";
}

void tst_Modes::stopsOnlyProgramsThatMixModes()
{
    QFETCH(QString, program);
    QFETCH(QString, created);
    QFETCH(QString, library);
    const ChildResult result = runProgram(path(program), {});
    if (created.isEmpty()) {
        VERIFY_CLEAN_EXIT(result);
        QCOMPARE(result.output, "ran\n");
        return;
    }
    QVERIFY(result.exited);
    QCOMPARE(result.exitCode, 127);
    QCOMPARE(result.output, QByteArray());
    const QString message = QString::fromLocal8Bit(result.errors);
    QCOMPARE(message.count('\n'), 1);
    for (const QString &part : { program, "creates " + created, library })
        QVERIFY2(message.contains(part), result.errors.constData());
}

// When more is loaded, earlier modules are not checked again: their imports are no longer looked up.
void tst_Modes::judgesEachModuleOnce()
{
    const auto lookUps = [this](const QStringList &toLoad) {
        const ChildResult result = runProgram(path("mode_harmless.program"), toLoad,
                                              { { "LD_DEBUG", "symbols" } });
        if (!result.exited || result.exitCode != 0 || result.output != "ran\n")
            return qsizetype(-1);
        return result.errors.count("symbol=_ZN9UnrelatedC1Ev;");
    };
    const qsizetype atStart = lookUps({});
    if (atStart == 0)
        QSKIP("This dynamic linker does not report which symbols it looks up.");
    QVERIFY(atStart > 0);
    QCOMPARE(lookUps({ path("mode_stock_plugin.so"), path("mode_marked_plugin.so") }), atStart);
}

void tst_Modes::survivesMisplacedNotes_data()
{
    QTest::addColumn<quint64>("address");
    QTest::addColumn<quint64>("size");
    const quint64 far = quint64(1) << (sizeof(void *) * 5);
    QTest::newRow("outside of all segments") << far << quint64(36);
    QTest::newRow("longer than its segment") << quint64(0) << far;
    QTest::newRow("ending where addresses do") << ~quint64(0) - 35 << quint64(36);
}

// A library's headers must not lead the search for marks outside of its memory.
void tst_Modes::survivesMisplacedNotes()
{
    QFETCH(quint64, address);
    QFETCH(quint64, size);
    QTemporaryDir folder;
    QVERIFY(folder.isValid());
    const QString library = folder.filePath("notes.so");
    QVERIFY(copyWithNotesAt(path("mode_stock_plugin.so"), library, address, size));
    const ChildResult result = runProgram(path("mode_harmless.program"),
                                          { library, path("mode_marked_plugin.so") });
    VERIFY_CLEAN_EXIT(result);
    QCOMPARE(result.output, "ran\n");
}

// No chunk of the pool, no danger.
void tst_Modes::disabledPoolLetsAllRun()
{
    for (const char *program : { "mode_events.program", "mode_inline.program" }) {
        const ChildResult result = runProgram(path(program), {}, { { "QT_POOL_ALLOCATOR", "0" } });
        VERIFY_CLEAN_EXIT(result);
        QCOMPARE(result.output, "ran\n");
    }
}

// The malloc front takes the chunk that QtGui's destructor gives to the heap.
void tst_Modes::wholeProgramsMayMixModes()
{
    const QString front = qEnvironmentVariable("QPOOL_FRONT");
    if (front.isEmpty())
        QSKIP("This build has no malloc front that fits QtCore.");
    for (const char *program : { "mode_events.program", "mode_inline.program" }) {
        const ChildResult result = runProgram(path(program), {}, { { "LD_PRELOAD", front } });
        VERIFY_CLEAN_EXIT(result);
        QCOMPARE(result.output, "ran\n");
    }
}

// Then the front does not see the chunk.
void tst_Modes::programsWithTheirOwnHeapMayNot()
{
    const QString front = qEnvironmentVariable("QPOOL_FRONT");
    if (front.isEmpty())
        QSKIP("This build has no malloc front that fits QtCore.");
    const ChildResult result = runProgram(path("mode_operators.program"), {}, { { "LD_PRELOAD", front } });
    QVERIFY(result.exited);
    QCOMPARE(result.exitCode, 127);
    QVERIFY2(result.errors.contains("creates QMouseEvent"), result.errors.constData());
}

// The dynamic linker reports what is missing.
void tst_Modes::linkerRefusesStockQtCore()
{
    const ChildResult result = runProgram(path("mode_events.program"), {},
                                          { { "LD_LIBRARY_PATH", QString() } });
    QVERIFY(result.exited);
    QCOMPARE(result.exitCode, 127);
    QVERIFY2(result.errors.contains("qt_needs_QtCore_with_pool_allocator"),
             result.errors.constData());
}

void tst_Modes::refusesPluginsThatMixModes_data()
{
    QTest::addColumn<QString>("plugin");
    QTest::addColumn<QString>("created");
    QTest::newRow("QtGui's event") << "mode_marked_gui_plugin.so" << "QMouseEvent";
    QTest::newRow("inline class") << "mode_marked_HeaderOnly_plugin.so" << "HeaderOnly";
    QTest::newRow("constructor in its name") << "mode_marked_ABC1Event_plugin.so" << "ABC1Event";
    QTest::newRow("destructor in its name") << "mode_marked_CMD0Event_plugin.so" << "CMD0Event";
    QTest::newRow("exports nothing") << "mode_marked_quiet_plugin.so" << "QMouseEvent";
    QTest::newRow("names no Qt library") << "mode_marked_unlinked_plugin.so" << "ABC1Event";
    QTest::newRow("static objects") << "mode_marked_static_plugin.so" << "QMouseEvent";
    QTest::newRow("needs another") << "mode_stock_needing_plugin.so" << "QMouseEvent";
}

// QLibrary and QPluginLoader say so, nothing of the plugin runs, and the program goes on.
void tst_Modes::refusesPluginsThatMixModes()
{
    QFETCH(QString, plugin);
    QFETCH(QString, created);
    QLibrary library(path(plugin));
    QVERIFY(!library.load());
    QVERIFY(!library.isLoaded());
    QVERIFY2(library.errorString().contains("creates " + created), qPrintable(library.errorString()));
    QVERIFY2(library.errorString().contains(plugin), qPrintable(library.errorString()));
    QVERIFY(!library.resolve("makeEvent"));
    QVERIFY(!qEnvironmentVariableIsSet("QPOOL_PLUGIN_RAN"));
    // And is not there by another name.
    QVERIFY(!dlopen(path(plugin).toLocal8Bit().constData(), RTLD_NOW | RTLD_NOLOAD));
}

// If only the dynamic linker finds the library, it is loaded before it is refused. A library that
// is never unloaded then stays, but a second request does not accept it either, and it does not
// make others fail.
void tst_Modes::refusesAgainWhatStaysLoaded()
{
    QFETCH(QString, plugin);
    QFETCH(QString, created);
    if (plugin.contains("static"))
        QSKIP("Its objects are freed at the exit.");
    for (int attempt = 0; attempt < 3; ++attempt) {
        QLibrary library(plugin);
        library.setLoadHints(QLibrary::PreventUnloadHint);
        QVERIFY(!library.load());
        QVERIFY2(library.errorString().contains("creates " + created),
                 qPrintable(library.errorString()));
    }
    QVERIFY(dlopen(plugin.toLocal8Bit().constData(), RTLD_NOW | RTLD_NOLOAD));
    QLibrary good(path("mode_marked_plugin.so"));
    QVERIFY2(good.load(), qPrintable(good.errorString()));
    QVERIFY(good.unload());
}

// For a direct call of dlopen() there is no way to report an error except to end the process.
void tst_Modes::dlopenEndsTheProcess()
{
    const ChildResult result = runChild(path("mode_marked_HeaderOnly_plugin.so"));
    QVERIFY(result.exited);
    QCOMPARE(result.exitCode, 127);
    QVERIFY2(result.errors.contains("creates HeaderOnly"), result.errors.constData());
    VERIFY_CLEAN_EXIT(runChild(path("mode_marked_plugin.so")));
}

// A plugin that was linked to use its own destructors is not refused because of others of the same
// name.
void tst_Modes::loadsPluginsBoundToThemselves()
{
    QLibrary library(path("mode_marked_symbolic_plugin.so"));
    QVERIFY2(library.load(), qPrintable(library.errorString()));
    const auto makeEvent = reinterpret_cast<QEvent *(*)()>(library.resolve("makeEvent"));
    QVERIFY(makeEvent);
    QEvent *event = makeEvent();
    QVERIFY(Pool::owns(event));
    delete event;
}

const PluginInterface *tst_Modes::load(const QString &name)
{
    QLibrary library(path(name));
    const auto function = reinterpret_cast<PluginFunction>(library.resolve("pluginInterface"));
    if (!function)
        qWarning("%s", qPrintable(library.errorString()));
    return function ? function() : nullptr;
}

void tst_Modes::pluginsDeleteEachOthersObjects_data()
{
    QTest::addColumn<bool>("stockFirst");
    QTest::newRow("stock, then marked") << true;
    QTest::newRow("marked, then stock") << false;
}

// One plugin of each kind in one process: each may delete what the other creates.
void tst_Modes::pluginsDeleteEachOthersObjects()
{
    QFETCH(bool, stockFirst);
    const PoolSnapshot before = Pool::snapshot();
    const QString first = stockFirst ? "mode_stock_plugin.so" : "mode_marked_plugin.so";
    const QString second = stockFirst ? "mode_marked_plugin.so" : "mode_stock_plugin.so";
    const PluginInterface *plugins[] = { load(first), load(second) };
    QVERIFY(plugins[0] && plugins[1]);
    const PluginInterface *marked = plugins[stockFirst];

    for (int i = 0; i < 100; ++i) {
        for (const PluginInterface *maker : plugins) {
            for (const PluginInterface *deleter : plugins) {
                QObject *object = maker->makeObject();
                QEvent *event = maker->makeEvent();
                QCOMPARE(Pool::owns(object), maker == marked);
                QCOMPARE(Pool::owns(event), maker == marked);
                deleter->deleteObject(object);
                deleter->deleteEvent(event);
                // A template: each side has its own, or the dynamic linker makes them share.
                deleter->deleteObject(maker->makeWatcher());
            }
            delete maker->makeObject();
            delete maker->makeEvent();
            delete maker->makeWatcher();
            maker->deleteObject(new QObject);
            maker->deleteObject(new QFutureWatcher<int>);
            maker->deleteObject(QObject::staticMetaObject.newInstance());
            maker->makeObject()->deleteLater();
            maker->makeWatcher()->deleteLater();
            QCoreApplication::postEvent(this, maker->makeEvent());
        }
    }
    QCoreApplication::sendPostedEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    Pool::idle();
    const PoolSnapshot after = Pool::snapshot();
    for (const char *domain : { "event", "object", "private" })
        QCOMPARE(after.total(domain).live, before.total(domain).live);
}

void tst_Modes::slotObjectsWorkAcrossModules_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QStringList>("plugins");
    const QStringList stockFirst = { "mode_stock_slot_plugin.so", "mode_marked_slot_plugin.so" };
    const QStringList markedFirst = { stockFirst[1], stockFirst[0] };
    for (const char *kind : { "stock", "marked", "linked" }) {
        const QString program = QString("mode_%1_slots.program").arg(kind);
        QTest::addRow("%s program", kind) << program << QStringList();
        QTest::addRow("%s program, stock first", kind) << program << stockFirst;
        QTest::addRow("%s program, marked first", kind) << program << markedFirst;
    }
}

// Slot objects are created and freed by templates compiled into every module that connects, of
// which the linker and the dynamic linker would keep one copy for all.
void tst_Modes::slotObjectsWorkAcrossModules()
{
    QFETCH(QString, program);
    QFETCH(QStringList, plugins);
    for (QString &plugin : plugins)
        plugin = path(plugin);
    const ChildResult result = runProgram(path(program), plugins);
    QCOMPARE(result.output, "ran\n");
    VERIFY_CLEAN_EXIT(result);
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_Modes, loadInChild)
#include "tst_modes.moc"
