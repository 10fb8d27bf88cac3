"""`python -m theory`."""

import sys


def run() -> int:
    """The exit status; Ctrl-C at any moment, also while modules are loading, is one line."""
    try:
        from theory.cli import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


if __name__ == "__main__":  # not in the processes that check claims
    sys.exit(run())
