# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A QtCore that takes the place of the distribution's, under programs that were not rebuilt.

# Only QtCore is replaced; QtTest and what it needs is for the tests, and so are, for Qt's own
# suites, QtNetwork and QtConcurrent: built only where these are, and no larger than they need.
foreach(module IN ITEMS gui sql dbus widgets printsupport)
    qt_option(FEATURE_${module} OFF)
endforeach()
foreach(module IN ITEMS xml testlib network concurrent)
    qt_option(FEATURE_${module} ON)
endforeach()
foreach(feature IN ITEMS ssl openssl openssl_runtime gssapi libproxy brotli sctp)
    qt_option(FEATURE_${feature} OFF)
endforeach()

# The library looks for plugins, QML modules and translations where the distribution's does.
# Nothing is ever installed there.
execute_process(COMMAND dpkg-architecture -qDEB_HOST_MULTIARCH
                OUTPUT_VARIABLE multiarch OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(multiarch)
    set(arch_lib lib/${multiarch})
    qt_option(CMAKE_INSTALL_PREFIX /usr)
    qt_option(INSTALL_BINDIR lib/qt6/bin)
    qt_option(INSTALL_LIBEXECDIR lib/qt6/libexec)
    qt_option(INSTALL_LIBDIR ${arch_lib})
    qt_option(INSTALL_ARCHDATADIR ${arch_lib}/qt6)
    qt_option(INSTALL_PLUGINSDIR ${arch_lib}/qt6/plugins)
    qt_option(INSTALL_QMLDIR ${arch_lib}/qt6/qml)
    qt_option(INSTALL_EXAMPLESDIR ${arch_lib}/qt6/examples)
    qt_option(INSTALL_MKSPECSDIR ${arch_lib}/qt6/mkspecs)
    qt_option(INSTALL_INCLUDEDIR include/${multiarch}/qt6)
    qt_option(INSTALL_DATADIR share/qt6)
    qt_option(INSTALL_DOCDIR share/qt6/doc)
    qt_option(INSTALL_TRANSLATIONSDIR share/qt6/translations)
    qt_option(INSTALL_SYSCONFDIR /etc/xdg)
    qt_option(FEATURE_rpath OFF)
    qt_option(FEATURE_relocatable OFF)

    # QPOOL_SAME_VERSION, given before -C: the distribution's moc and rcc are of the version that is
    # built, so theirs are used. To build them takes a third of the time that QtCore takes. They are
    # built to be installed, with qmake.
    if(QPOOL_SAME_VERSION)
        qt_option(QT_FORCE_FIND_TOOLS ON)
        qt_option(QT_FORCE_BUILD_TOOLS ON)
        qt_option(QT_HOST_PATH /usr)
        qt_option(QT_HOST_PATH_CMAKE_DIR /usr/${arch_lib}/cmake)
    endif()
endif()
