# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# What packages change in the command and its helpers: its name, and options that choose what to build.
s,(^|[^.])\./qpool\>,\1qpool,g
/^ *\[--qt VERSION \| --source DIR\] \[--jobs N\]$/d
s/ \[--qt VERSION \| --source DIR\] \[--jobs N\]//
s/ \[--without-malloc \| --hardened\]/ [--without-malloc]/
