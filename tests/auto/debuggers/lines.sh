# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck shell=bash

# line MARK: the number of the line of useafterfree.cpp that ends in "// MARK".
line() { grep -n "// $1\$" "$(dirname "$0")/useafterfree.cpp" | cut -d: -f1; }
