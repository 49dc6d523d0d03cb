# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""How the runners of ./qpool begin and end."""

import sys


def take_program(parser, settings):
    """Sets settings.command to the remaining arguments, the program and its own; reports an error of
    the parser if there is no program."""
    settings.command = settings.command[settings.command[:1] == ["--"]:]
    if not settings.command:
        parser.error("there is no program to run")
    return settings


def run(main, *expected):
    """Ends the process with the code of main(arguments); for an expected error with 1 and a message."""
    try:
        sys.exit(main(sys.argv[1:]))
    except expected as error:
        print(f"qpool: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nqpool: interrupted", file=sys.stderr)
        sys.exit(130)
