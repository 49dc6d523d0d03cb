# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A Qt of its own, which programs are built against: every module of qtbase that makes objects or
# events is rebuilt, so that all of them agree on where these come from.

foreach(module IN ITEMS gui network dbus widgets opengl concurrent xml testlib)
    qt_option(FEATURE_${module} ON)
endforeach()
# Drivers and print services would ask for many more packages.
foreach(module IN ITEMS sql printsupport)
    qt_option(FEATURE_${module} OFF)
endforeach()

# What a desktop program needs of the system, or it would be left with the bundled copies.
foreach(feature IN ITEMS fontconfig system_freetype system_harfbuzz system_png system_jpeg
                         xcb xcb_xlib xkbcommon xkbcommon_x11 egl dbus_linked openssl_linked)
    qt_option(FEATURE_${feature} ON)
endforeach()
# What would otherwise be there or not as these libraries happen to be.
foreach(feature IN ITEMS gtk3 gssapi libproxy sctp brotli xcb_sm system_textmarkdownreader)
    qt_option(FEATURE_${feature} OFF)
endforeach()
# Neither hand-held nor embedded devices' ways to the screen.
foreach(feature IN ITEMS linuxfb directfb vnc kms libinput tslib mtdev vulkan)
    qt_option(FEATURE_${feature} OFF)
endforeach()

# It can be installed anywhere and moved: the libraries find each other, plugins and QML modules
# relative to themselves. One folder lib, whatever the distribution calls its own.
qt_option(CMAKE_INSTALL_PREFIX /usr/local)
qt_option(INSTALL_LIBDIR lib)
qt_option(FEATURE_rpath ON)
qt_option(FEATURE_relocatable ON)
