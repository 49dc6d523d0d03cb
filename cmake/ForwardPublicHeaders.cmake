# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Creates <qpool/NAME.h> for each public header of the libraries in DESTINATION, for code that is
# compiled without a CMake project: the snippets of the documents.
cmake_minimum_required(VERSION 3.21)
include("${CMAKE_CURRENT_LIST_DIR}/../src/publicheaders.cmake")
get_filename_component(folder "${CMAKE_CURRENT_LIST_DIR}/../src" ABSOLUTE)
qpool_forward_public_headers("${folder}" "${DESTINATION}/qpool")
