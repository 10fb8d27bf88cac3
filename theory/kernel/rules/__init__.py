"""Rules that join items: each is a small class with a conclusion, side conditions and false variants.

compose    chain, follows, Instance, uses
sums       SumOver, Telescoping, Induction
means      Expectation, Jensen
calculus   Rises, FallsTo, Limit, IntegralOf
cited      a classical theorem by name
"""

from theory.kernel.rules.calculus import FallsTo, IntegralOf, Limit, Rises
from theory.kernel.rules.cited import Cited, Theorem, cited
from theory.kernel.rules.compose import Follows, Instance, Use, chain, follows, instance, uses
from theory.kernel.rules.means import Expectation, Jensen
from theory.kernel.rules.sums import Induction, SumOver, Telescoping

__all__ = [
    "Cited",
    "Expectation",
    "FallsTo",
    "Follows",
    "Induction",
    "Instance",
    "IntegralOf",
    "Jensen",
    "Limit",
    "Rises",
    "SumOver",
    "Telescoping",
    "Theorem",
    "Use",
    "chain",
    "cited",
    "follows",
    "instance",
    "uses",
]
