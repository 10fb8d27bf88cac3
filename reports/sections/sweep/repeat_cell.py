"""`python -m reports.sections.sweep.repeat_cell SETTINGS` repeats one cell of the sweep and prints its numbers."""

from __future__ import annotations

import json
import sys

from rich.console import Console
from rich.table import Table

from reports.core.jobs import Tools
from reports.core.store import json_value
from reports.sections.common.bound_cells import run


def main(argv: list[str]) -> int:
    """Print regret, standard error, random play and every bound at the horizons of the cell."""
    outcome = json_value(run(json.loads(argv[0]), Tools()))
    table = Table("rounds", "regret", "stderr", "random play", *outcome["bounds"], box=None)
    columns = [outcome[name] for name in ("horizons", "mean", "stderr", "random")]
    for row in zip(*columns, *outcome["bounds"].values(), strict=True):
        table.add_row(*("" if value is None else f"{value:.6g}" for value in row))
    Console(soft_wrap=True).print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
