# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# A separate Qt, against which programs are built: every module of qtbase that creates objects or events
# is rebuilt, so that all of them agree on the allocator.

foreach(module IN ITEMS gui network dbus widgets opengl concurrent xml testlib)
    qt_option(FEATURE_${module} ON)
endforeach()
# Drivers and print services would need many more packages.
foreach(module IN ITEMS sql printsupport)
    qt_option(FEATURE_${module} OFF)
endforeach()

# The system libraries that a desktop program needs; Qt would use its bundled copies otherwise.
foreach(feature IN ITEMS fontconfig system_freetype system_harfbuzz system_png system_jpeg
                         xcb xcb_xlib xkbcommon xkbcommon_x11 egl dbus_linked openssl_linked)
    qt_option(FEATURE_${feature} ON)
endforeach()
# Qt would otherwise enable these depending on the libraries that it finds.
foreach(feature IN ITEMS gtk3 gssapi libproxy sctp brotli xcb_sm system_textmarkdownreader)
    qt_option(FEATURE_${feature} OFF)
endforeach()
# No display back ends of hand-held and embedded devices.
foreach(feature IN ITEMS linuxfb directfb vnc kms libinput tslib mtdev vulkan)
    qt_option(FEATURE_${feature} OFF)
endforeach()

# The installation can be anywhere and can be moved: the libraries find each other, plugins and QML
# modules relative to themselves. The folder of libraries is lib, whatever the distribution's is called.
qt_option(CMAKE_INSTALL_PREFIX /usr/local)
qt_option(INSTALL_LIBDIR lib)
qt_option(FEATURE_rpath ON)
qt_option(FEATURE_relocatable ON)
