// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "../shared/pool.h"
#include "../../shared/childprocess.h"
#include "rules.h"

// How source must be written for a Qt with the pool, as described in doc/compatibility.md. The tests source_*
// check that it does not compile otherwise.
class tst_QPoolNewRules : public QObject
{
    Q_OBJECT

private slots:
    void hiddenBaseUsesThePoolOnceCured();
    void globalPlacementWorksOnceCured();
    void globalDeleteCrashesUnlessCured_data();
    void globalDeleteCrashesUnlessCured();
};

namespace {

struct Part : QObject
{
    int values[10] = {};
};

void byDeleteExpression(Part *part)
{
    ::delete part;
}

void byHand(Part *part)
{
    part->~Part();
    ::operator delete(part);
}

void byHandCured(Part *part)
{
    part->~Part();
    Part::operator delete(part, sizeof(Part));
}

void byDeleteExpressionCured(Part *part)
{
    delete part;
}

// Inherits an operator new that does not belong to it.
struct WithDelete : QObject
{
    static void operator delete(void *object) { ::operator delete(object); }
};

struct WithDeleteCured : QObject
{
    static void operator delete(void *object) { QObject::operator delete(object, sizeof(WithDeleteCured)); }
};

// Without the cure, a signal is expected to end the child.
int freeInChild(const QByteArray &way, int &, char **)
{
    if (way == "own delete") {
        delete new WithDelete;
        return 0;
    }
    if (way == "own delete, cured") {
        delete new WithDeleteCured;
        return 0;
    }
    auto *part = new Part;
    if (way == "delete")
        byDeleteExpression(part);
    else if (way == "by hand")
        byHand(part);
    else if (way == "delete, cured")
        byDeleteExpressionCured(part);
    else if (way == "by hand, cured")
        byHandCured(part);
    else
        return 2;
    return 0;
}

} // namespace

void tst_QPoolNewRules::hiddenBaseUsesThePoolOnceCured()
{
    const PoolSnapshot before = snapshot();
    QCOMPARE(useHidden(), 1);
    const ClassStatistics objects = snapshot().total("object") - before.total("object");
    QCOMPARE(objects.allocated, 1);
    QCOMPARE(objects.live, 0);
}

void tst_QPoolNewRules::globalPlacementWorksOnceCured()
{
    QVERIFY(usePlacement());
}

void tst_QPoolNewRules::globalDeleteCrashesUnlessCured_data()
{
    QTest::addColumn<QString>("way");
    QTest::addColumn<bool>("isCured");
    QTest::newRow("delete") << "delete" << false;
    QTest::newRow("by hand") << "by hand" << false;
    QTest::newRow("own delete") << "own delete" << false;
    QTest::newRow("delete, cured") << "delete, cured" << true;
    QTest::newRow("by hand, cured") << "by hand, cured" << true;
    QTest::newRow("own delete, cured") << "own delete, cured" << true;
}

// No class can see the first three: free() is given a chunk of the pool, and crashes or aborts.
void tst_QPoolNewRules::globalDeleteCrashesUnlessCured()
{
    QFETCH(QString, way);
    QFETCH(bool, isCured);
    const ChildResult result = runChild(way);
    if (isCured)
        VERIFY_CLEAN_EXIT(result);
    else
        QVERIFY(!result.exited);
}

QPOOL_TEST_MAIN_WITH_CHILDREN(tst_QPoolNewRules, freeInChild)
#include "tst_qpoolnewrules.moc"
