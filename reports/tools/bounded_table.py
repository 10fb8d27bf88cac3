"""`python -m reports.tools.bounded_table`: evaluate `reucb.bounds.bounded` at the settings that the report shows.

Up to a minute each. Finished values are written as they come, so an interrupted run resumes; `--fresh` starts again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from reports.core import atomic_files
from reports.sections import bounded_rewards
from reucb import bounds


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m reports.tools.bounded_table", description=__doc__)
    parser.add_argument("--fresh", action="store_true", help="ignore the values recorded before")
    asked = parser.parse_args(argv)
    evaluate: Any = getattr(bounds, "bounded", None)
    if evaluate is None:
        print("reucb.bounds.bounded is not part of this version", file=sys.stderr)
        return 1
    values = {} if asked.fresh else dict(bounded_rewards.recorded())
    for case in bounded_rewards.CASES:
        name = bounded_rewards.key(*case)
        if name not in values:
            found = evaluate(bounded_rewards.PRIORS[case[0]], **bounded_rewards.model(*case), rewards="bernoulli")
            values[name] = float(np.asarray(found))
            text = json.dumps({"values": values}, indent=1, ensure_ascii=False)
            atomic_files.write(bounded_rewards.FILE, text.encode() + b"\n")
            print(f"{name}: {values[name]:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
