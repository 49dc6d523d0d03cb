# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Shows the first window of a small program in Python: with a menu, a table and a form."""

import sys

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import (QApplication, QCheckBox, QDockWidget, QFormLayout, QLineEdit, QMainWindow,
                             QPushButton, QSpinBox, QTableWidget, QTableWidgetItem, QWidget)

ROWS, COLUMNS, FIELDS, ENTRIES = 200, 6, 20, 12


def make_form():
    form = QWidget()
    layout = QFormLayout(form)
    for number in range(FIELDS):
        kind = (QLineEdit, QSpinBox, QCheckBox)[number % 3]
        layout.addRow(f"Field {number}", kind())
    layout.addRow(QPushButton("Apply"))
    return form


def make_table():
    table = QTableWidget(ROWS, COLUMNS)
    for row in range(ROWS):
        for column in range(COLUMNS):
            table.setItem(row, column, QTableWidgetItem(f"{row}, {column}"))
    return table


def make_window():
    window = QMainWindow()
    for title in ("File", "Edit", "View", "Help"):
        menu = window.menuBar().addMenu(title)
        for number in range(ENTRIES):
            menu.addAction(f"{title} {number}")
    window.setCentralWidget(make_table())
    dock = QDockWidget("Form")
    dock.setWidget(make_form())
    window.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)
    return window


application = QApplication(sys.argv)
shown = make_window()
shown.show()
sys.exit(application.exec())
