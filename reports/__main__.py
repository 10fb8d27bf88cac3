"""`python -m reports`."""

import sys


def run() -> int:
    """The exit status; Ctrl-C while modules are still loading is one line too."""
    try:
        from reports.core.cli import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


sys.exit(run())
