# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Makes <qpool/NAME.h> of each public header of the allocator in DESTINATION, for what is compiled
# without a project of CMake's: the snippets of the documents.
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/../src/allocator/publicheaders.cmake")
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}/../src/allocator" ABSOLUTE)
qpool_forward_public_headers("${folder}" "${DESTINATION}/qpool")
