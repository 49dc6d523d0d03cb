// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <QtCore/QCoreApplication>
#include <QtCore/QTimer>

#include <memory>

// Qt objects that Python owns: each belongs to a capsule, and is deleted when and where Python
// deletes the capsule.
namespace {

constexpr char Name[] = "qpoolobjects.object";

QObject *objectOf(PyObject *capsule)
{
    return static_cast<QObject *>(PyCapsule_GetPointer(capsule, Name));
}

void letGo(PyObject *capsule)
{
    delete objectOf(capsule);
}

PyObject *capsuleOf(QObject *object)
{
    return PyCapsule_New(object, Name, letGo);
}

// Created by the extension itself: from the heap.
PyObject *make(PyObject *, PyObject *)
{
    return capsuleOf(new QTimer);
}

// Created by QtCore: from the pool.
PyObject *makeInQtCore(PyObject *, PyObject *)
{
    return capsuleOf(QObject::staticMetaObject.newInstance());
}

// post(object, count): events that are delivered, or die with the object.
PyObject *post(PyObject *, PyObject *arguments)
{
    PyObject *capsule = nullptr;
    int count = 0;
    if (!PyArg_ParseTuple(arguments, "Oi", &capsule, &count))
        return nullptr;
    QObject *object = objectOf(capsule);
    if (!object)
        return nullptr;
    for (int i = 0; i < count; ++i) {
        QCoreApplication::postEvent(object, new QEvent(QEvent::User));
        QMetaObject::invokeMethod(object, [] { }, Qt::QueuedConnection);
    }
    Py_RETURN_NONE;
}

PyObject *deliver(PyObject *, PyObject *)
{
    QCoreApplication::sendPostedEvents();
    Py_RETURN_NONE;
}

PyMethodDef methods[] = {
    { "make", make, METH_NOARGS, nullptr },
    { "make_in_qtcore", makeInQtCore, METH_NOARGS, nullptr },
    { "post", post, METH_VARARGS, nullptr },
    { "deliver", deliver, METH_NOARGS, nullptr },
    { nullptr, nullptr, 0, nullptr },
};

PyModuleDef module = { PyModuleDef_HEAD_INIT, "qpoolobjects", nullptr, -1, methods, nullptr,
                       nullptr, nullptr, nullptr };

} // namespace

PyMODINIT_FUNC PyInit_qpoolobjects()
{
    static int argumentCount = 1;
    static char name[] = "python";
    static char *arguments[] = { name, nullptr };
    // Never deleted, because objects may outlive any owner.
    new QCoreApplication(argumentCount, arguments);
    return PyModule_Create(&module);
}
