"""Sums over the pulls of arm k before round t, whose number may depend on the rewards: functions of the outcome o."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition
from theory.kernel.terms import Mean
from theory.model.arms import LETTERS, s
from theory.model.functions import quantity

o, t = sp.symbols("o t")
pull, fresh = quantity("pull", r"\mathbf{{1}}\{{I_{{{}}}=k\}}"), quantity("eps", r"\varepsilon_{{{}}}")
pulls = quantity("pulls", "n_{{k,{}}}", meaning="t: number of pulls of arm k before round t")
noise = quantity(
    "noise", r"\left(\sum_{{j\le n_{{k,{}}}}}(r_{{k,j}}-\mu_k)\right)", meaning="t: sum of the noises of these rewards"
)
squares = quantity(
    "squares", r"\sum_{{j\le n_{{k,{}}}}}(r_{{k,j}}-\mu_k)^2", meaning="t: sum of the squared noises of these rewards"
)
PLAYED: dict[sp.Expr, Var] = {
    **{o: real(), s: positive(), t: at_least(1, integer=True), squares(t, o): at_least(0)},
    **{pulls(t, o): at_least(0, integer=True), pull(t, o): Var(sp.Integer(0), integer=True, high=sp.Integer(1))},
}
WORDS = {
    s: LETTERS[s],
    t: Letter(t, "round; any rule chooses its arm from what was seen before it"),
    fresh(t, o): Letter(fresh(t, o), "noise of the reward of round t"),
}


def _defined(of: str, rel: Rel) -> Definition:
    return Definition(of, Goal(rel, PLAYED, name=of, letters=WORDS))


FIRST = {f: _defined("no pull before round 1", Rel(f(1, o), "=", 0)) for f in (pulls, noise, squares)}
NEXT = {
    f: _defined(f"round t adds its reward to the {f}", Rel(f(t + 1, o), "=", f(t, o) + pull(t, o) * more))
    for f, more in ((pulls, 1), (noise, fresh(t, o)), (squares, fresh(t, o) ** 2))
}
PULLED = _defined("an arm is pulled or not", Rel(pull(t, o) ** 2, "=", pull(t, o)))


def drawn_later(past: sp.Expr, power: int) -> Definition:
    """The noise of round t has mean 0 and variance sigma^2, whatever chose its arm: its product with a polynomial of
    what is known before it is drawn has the mean 0, or sigma^2 times that of the polynomial."""
    known = [f(t, o) for f in (pull, pulls, noise, squares)]
    numbers = sp.symbols("x0:4", cls=sp.Dummy)
    found = sp.sympify(past).xreplace(dict(zip(known, numbers, strict=True)))
    if power not in (1, 2) or found.has(o, t) or not found.is_polynomial(*numbers):
        raise ValueError(f"past={past}, power={power}: only what is known before the reward of round t, powers 1 and 2")
    if any(m[2] + 2 * m[3] > 2 for m in sp.Poly(found, *numbers).monoms()):  # pulls are bounded, noise need not be
        raise ValueError(f"past={past}: its mean need not exist")
    mean = Mean(past * fresh(t, o) ** power, o)
    of = ("the noise is drawn after its arm is chosen, with mean 0", "and with variance sigma^2")[power - 1]
    return _defined(of, Rel(mean, "=", 0 if power == 1 else s * Mean(past, o)))
