"""*Random Effect Bandits* (Zhu and Kveton, AISTATS 2022), one module or package per section."""

from pathlib import Path

from theory.collection import Collection
from theory.paper.causes import CAUSES

_THEORY = Path(__file__).parents[1]

COLLECTION = Collection(
    title="Random Effect Bandits",
    packages=("theory.paper", "theory.ours"),
    record=_THEORY / "recorded.json",
    labels=_THEORY / "labels.json",
    causes=CAUSES,
    complete=True,
    model=("theory.model",),
)
