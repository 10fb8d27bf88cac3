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
    except OSError as error:  # of the standard output; `main` explains those of files
        print(f"python -m reports: {error}", file=sys.stderr)
        return 1


sys.exit(run())
