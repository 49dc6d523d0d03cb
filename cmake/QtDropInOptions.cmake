# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A QtCore that replaces the distribution's, for programs that were not rebuilt.

# Programs get only QtCore. QtTest and what it needs is for the tests, and QtNetwork and QtConcurrent
# are for Qt's own suites: they are built only for these, and no larger than these need.
foreach(module IN ITEMS gui sql dbus widgets printsupport)
    qt_option(FEATURE_${module} OFF)
endforeach()
foreach(module IN ITEMS xml testlib network concurrent)
    qt_option(FEATURE_${module} ON)
endforeach()
foreach(feature IN ITEMS ssl openssl openssl_runtime gssapi libproxy brotli sctp)
    qt_option(FEATURE_${feature} OFF)
endforeach()
# Nor is QtNetwork installed: see RelocateInstallation.cmake.
qt_option(CMAKE_PROJECT_QtBase_INCLUDE "${CMAKE_CURRENT_LIST_DIR}/QtNetworkOnRequest.cmake")

# The library is bound when it is loaded, as the distribution's is: what calls go through is read-only then.
qt_option(CMAKE_SHARED_LINKER_FLAGS -Wl,-z,relro,-z,now)

# The library looks for plugins, QML modules and translations where the distribution's does.
# Nothing is ever installed there.
# QPOOL_DEBIAN_ARCH, given before -C, is the distribution's name of the processor that is built for, if
# that is not this machine's.
set(host)
if(QPOOL_DEBIAN_ARCH)
    set(host -a ${QPOOL_DEBIAN_ARCH})
endif()
foreach(side IN ITEMS HOST BUILD)
    execute_process(COMMAND dpkg-architecture ${host} -qDEB_${side}_MULTIARCH
                    OUTPUT_VARIABLE ${side} OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endforeach()
set(multiarch ${HOST})
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

    # QPOOL_SAME_VERSION, given before -C: the distribution's moc and rcc have the version that is
    # built, so the build uses them. Building them takes a third of the time that QtCore takes. They are
    # built for an installation, with qmake.
    if(QPOOL_SAME_VERSION)
        qt_option(QT_FORCE_FIND_TOOLS ON)
        qt_option(QT_FORCE_BUILD_TOOLS ON)
        qt_option(QT_HOST_PATH /usr)
        qt_option(QT_HOST_PATH_CMAKE_DIR /usr/lib/${BUILD}/cmake)
    endif()
endif()
