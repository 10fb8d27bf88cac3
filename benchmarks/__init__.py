"""Speed of the engine, always as ratios measured in one run: `python -m benchmarks`."""
