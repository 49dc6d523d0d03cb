# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Derives classes from QObject and QEvent in Python, and passes their objects between threads."""

import sys

from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QThread, QTimer, pyqtSignal
from PyQt6.QtWidgets import (QApplication, QLineEdit, QListWidget, QMainWindow, QPushButton,
                             QVBoxLayout, QWidget)

COUNTED = QEvent.Type(QEvent.registerEventType())


class CountedEvent(QEvent):
    def __init__(self, number):
        super().__init__(COUNTED)
        self.number = number


class Worker(QObject):
    counted = pyqtSignal(int, object)

    def count(self, upto):
        for number in range(upto):
            self.counted.emit(number, [number])

    def event(self, event):
        if event.type() == COUNTED:
            self.counted.emit(event.number, None)
            return True
        return super().event(event)


class Window(QMainWindow):
    started = pyqtSignal(int)

    def __init__(self):
        super().__init__()
        self.received = 0
        self.thread = QThread()
        self.worker = Worker()
        self.worker.moveToThread(self.thread)
        self.started.connect(self.worker.count)
        self.worker.counted.connect(self.receive)
        self.thread.start()

        self.list = QListWidget()
        button = QPushButton("Work")
        button.clicked.connect(self.work)
        line = QLineEdit()
        line.textChanged.connect(self.list.addItem)
        layout = QVBoxLayout()
        for widget in (line, button, self.list):
            layout.addWidget(widget)
        central = QWidget()
        central.setLayout(layout)
        self.setCentralWidget(central)

        self.timer = QTimer(self)
        self.timer.timeout.connect(self.work)
        self.timer.start(20)

    def work(self):
        self.started.emit(20)
        for number in range(20):
            QCoreApplication.postEvent(self.worker, CountedEvent(number))
        objects = [QObject(self) for _ in range(50)]
        for number, made in enumerate(objects):
            made.setParent(objects[number // 2] if number else None)
            if number % 3 == 0:
                made.destroyed.connect(self.receive)
        objects[0].deleteLater()

    def receive(self, *_):
        self.received += 1


application = QApplication(sys.argv)
window = Window()
window.show()
code = application.exec()
window.timer.stop()
window.thread.quit()
window.thread.wait()
if window.received == 0:
    sys.exit("nothing was received from the other thread")
sys.exit(code)
