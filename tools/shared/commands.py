# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""How the runners behind ./qpool begin and end."""

import sys


def take_program(parser, settings):
    """Leaves in settings.command, what was left of the arguments, the program and its own; an error
    of the parser's if there is none."""
    settings.command = settings.command[settings.command[:1] == ["--"]:]
    if not settings.command:
        parser.error("there is no program to run")
    return settings


def run(main, *expected):
    """Ends the process with the code of main(arguments); of an expected error with 1, and a line."""
    try:
        sys.exit(main(sys.argv[1:]))
    except expected as error:
        print(f"qpool: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nqpool: interrupted", file=sys.stderr)
        sys.exit(130)
