# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""Functions that the runners of ./qpool begin and end with."""

import signal
import sys


def take_program(parser, settings):
    """Set settings.command to the program and its arguments, and return the settings.

    End with an error of the parser if there is no program.
    """
    settings.command = settings.command[settings.command[:1] == ["--"]:]
    if not settings.command:
        parser.error("there is no program to run")
    return settings


def run(main, *expected):
    """Call main(arguments), and end the process with the code that it returns.

    If main() raises one of the expected errors, print it and end with 1. Signals that end the process end it as an
    exception does, so that nothing that main() started is left.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP
            signal.signal(number, lambda got, _: sys.exit(128 + got))
    try:
        sys.exit(main(sys.argv[1:]))
    except expected as error:
        print(f"qpool: {error}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nqpool: interrupted", file=sys.stderr)
        sys.exit(130)
