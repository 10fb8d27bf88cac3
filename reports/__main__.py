"""`python -m reports`."""

import sys

from reports.core.cli import main

sys.exit(main())
