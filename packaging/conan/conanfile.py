# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

"""The libraries without Qt, for Conan 2. In the repository: conan create packaging/conan."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class QPool(ConanFile):
    name = "qpool"
    license = "LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only"
    description = "Pool allocators for C++ programs, and what is built on them"
    topics = ("allocator", "memory", "pool", "malloc")
    settings = "os", "arch", "compiler", "build_type"
    package_type = "library"

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "..", "..", "CMakeLists.txt"))
        self.version = re.search(r"project\(QPool VERSION ([0-9.]+)", text).group(1)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for pattern in ("CMakeLists.txt", "cmake/*", "src/*", "LICENSES/*"):
            copy(self, pattern, root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["QPOOL_BUILD_TESTS"] = False
        toolchain.cache_variables["QPOOL_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # The package's own files, which have each target's flags.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "QPool"))
