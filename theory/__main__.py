import sys

from theory.cli import main

if __name__ == "__main__":
    sys.exit(main())
