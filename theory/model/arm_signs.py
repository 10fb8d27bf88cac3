"""Fair signs of the arms of a lock-out: e'_k and e_k of the means (high and spread), and those of the noises.

All signs are independent. `independent` says what that means: the mean of a product of functions of different signs is
the product of their means.
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel.goal import Rel
from theory.kernel.rules import equals
from theory.kernel.terms import Event, Mean
from theory.model.fair_signs import Signs
from theory.model.functions import quantity
from theory.model.lockout import H
from theory.model.play import COUNT, K, i, k, o

high, spread = quantity("high", r"e'_{{{}}}"), quantity("spread", r"e_{{{}}}")
eps = quantity("eps", r"\epsilon_{{{},{}}}")  # the sign of the j-th noise of arm k
minus = quantity("minus", r"\nu_{{{},{}}}")  # how many more of the first j noises of arm k are negative than positive
stays = quantity(
    "stays",
    r"\mathbf{{1}}\{{\nu_{{{0},j}}\le\eta j\ (j\le n)\}}",
    meaning="k: 1 if at most eta j more of the first j noises of arm k are negative than positive, for every j <= n",
)
FAMILY = {high: "high", spread: "spread", minus: "noise", stays: "noise"}  # which signs of an arm decide a quantity
NOISES = Signs(lambda number: eps(k, number, o), lambda number: minus(k, number, o), -sp.Integer(1), {k: COUNT})
NEXT = i + Event(i - H, 0)  # the i-th other arm than H: `theory.model.play.ANOTHER`


def of_others(factor: sp.Expr) -> sp.Expr:
    """The product of a factor of arm i + 1{i >= H}, i = 1, ..., K - 1: of all arms but H."""
    return sp.Product(factor, (i, 1, K - 1))


Sign = Callable[[sp.Expr, sp.Expr], sp.Expr]


def all_are(sign: Sign, own: sp.Expr, others: sp.Expr) -> sp.Expr:
    """1 if a sign is `own` for arm H and `others` for all other arms."""
    return equals(sign(H, o), own) * of_others(equals(sign(NEXT, o), others))


def _family(factor: sp.Expr, arm: sp.Expr) -> str:
    """Which signs of this arm decide a factor."""
    random = {x for x in factor.atoms(AppliedUndef) if x.has(o)}
    families = {FAMILY.get(x.func) if x.args[0] == arm else None for x in random}
    if len(families) != 1 or None in families:
        raise ValueError(f"factor={factor}: it must be decided by signs of one kind of arm {arm}")
    return str(families.pop())


def independent(own: tuple[sp.Expr, ...], others: tuple[sp.Expr, ...]) -> Rel:
    """The mean of a product of functions of different signs is the product of their means.

    Parameters
    ----------
    own : tuple of Expr
        Functions of signs of arm H, each of another kind of signs.
    others : tuple of Expr
        Functions of signs of arm i + 1{i >= H}, each of another kind of signs; the product over all these arms is
        taken.

    Raises
    ------
    ValueError
        If a factor depends on anything else that is random, or two factors depend on the same signs.
    """
    for factors, arm in ((own, H), (others, NEXT)):
        kinds = [_family(factor, arm) for factor in factors]
        if len(set(kinds)) < len(kinds):
            raise ValueError(f"factors={factors}: two of them are decided by the same signs")
    left = Mean(sp.Mul(*own, *map(of_others, others)), o)
    right = sp.Mul(*(Mean(f, o) for f in own), *(of_others(Mean(f, o)) for f in others))
    return Rel(left, "=", right)
