"""`python -m theory`."""

import gc
import sys


def run() -> int:
    """The exit status; Ctrl-C at any moment, also while modules are loading, is one line."""
    gc.disable()  # nearly all that is made stays in caches, and to search them for garbage is slow
    try:
        from theory.cli import main

        return main()
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    finally:
        gc.freeze()  # the interpreter would search all of it once more at its end
        gc.enable()


if __name__ == "__main__":  # not in the processes that check claims
    sys.exit(run())
