# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""How the runners behind ./qpool end."""

import sys


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
