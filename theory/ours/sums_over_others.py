"""Sums over the other arms: what holds for one arm, summed, whatever the counts are."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.rules import SumOver, uses
from theory.model.arms import DOMAIN, J, Wo, n, s, s0, weight


@claim(
    "ours/sum-of-weights",
    by="us",
    kind="inequality",
)
def sum_of_weights() -> Argument:
    """The bounds of one weight, summed over the other arms."""
    i, counts = sp.Symbol("i"), sp.Function("n")
    total = {Wo: sp.Sum(weight(counts(i)), (i, 1, J))}
    sizes = {x: DOMAIN[x] for x in (J, s, s0, Wo)}

    def summed(item: str) -> SumOver:
        one = uses("w-def/bounds/repaired", item=item)
        return SumOver(one, i, sp.Integer(1), J, sizes, family={n: counts(i)}, where=total, name=item)

    return proof(summed("lower"), summed("upper"))
