"""Section 5.1: how the bounds depend on K, n, a and sigma_0, and the agents that know more or assume less."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

import sympy as sp
from flint import arb
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds._args import setting
from reucb.bounds.gaussian import learning_price
from tests.agreement import Prepared, Reading, compare
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, Number, _inside, against_code, agree, exactly, hold, holds, value
from tests.agreement.statements import conclusion, number, right
from tests.agreement.theorems import ExactSetting, settings
from tests.theory.harness.search import built
from theory.kernel.goal import Goal, Rel
from theory.kernel.items import below, concludes
from theory.kernel.terms import transparent
from theory.model.regret_bounds import Bound


def by_the_code(bound: Bound, at: ExactSetting, exact: Mapping[str, Number], code: Code) -> arb:
    """A named bound as the code computes it, at its own arguments."""
    name, *arguments = bound.args
    numbers = [Fraction(str(x.subs({y: sp.Rational(str(exact[y.name])) for y in x.free_symbols}))) for x in arguments]
    if name.name == "G":
        rounds, odds = numbers
        return ExactSetting(1, int(rounds), odds * at.noise, at.noise, at.a).ratio(code)
    if name.name in ("beta", "C"):
        arms, spread, noise = numbers
        here = ExactSetting(int(arms), 1, spread, noise, Fraction(2))
        if name.name == "beta":
            return code(learning_price(setting(**here.keywords)))
        return here.terms(code, part=2)["tail"]  # the tail of part (2) at n = 1
    arms, rounds, spread, noise, width = numbers
    which = "known_mu0" if "~" in name.name else "theorem1"
    here = ExactSetting(int(arms), int(rounds), spread, noise, width)
    term = {"e": "leading", "T": "tail", "B": "total"}[name.name[0]]
    return here.terms(code, which, 2 if name.name.endswith("2") else 1)[term]


@cache
def relations(claim: str) -> tuple[Goal, ...]:
    """What a claim and its steps say of named bounds; of a limit, that what tends to it is what the code computes."""
    parts = (part for item in built(claim).items for part in (item, *below(item)))
    found = []
    for goal in map(concludes, parts):
        if goal is not None and any(side.has(Bound) for side in goal.rel.stated):
            f = goal.rel.stated[0]
            plain = goal.with_rel(Rel(f.args[0], "=", f.args[0]), goal.name) if isinstance(f, sp.Limit) else goal
            if transparent(plain) is plain:
                found.append(plain)
    return tuple(found)


def hold_bounds(claim: str, at: ExactSetting, code: Code, **more: Number) -> None:
    """Every relation of a claim between named bounds, with the code's numbers for them."""
    exact = {**at.named, **more}
    counted = []
    for goal in relations(claim):
        if not _inside(goal, exact):
            continue
        left, right = goal.rel.stated
        named = sorted({b for side in (left, right) for b in side.atoms(Bound)}, key=str)
        symbols = {b: sp.Symbol(f"code.{i}") for i, b in enumerate(named)}
        numbers = {x: by_the_code(b, at, exact, code) for b, x in symbols.items()}
        reading = Reading({x: exactly(exact[x.name]) for x in goal.symbols}, numbers)
        by_code = left.xreplace(symbols), goal.rel.right if left == right else right.xreplace(symbols)
        counted.append(compare(Prepared(goal, *by_code, ()), reading).counted)
    if not any(counted):
        raise ValueError(f"{claim}: the check says nothing")


BY_NAME = (
    "sec:discussion/rate-1",
    "sec:discussion/increase-in-a",
    "sec:discussion/sublinear",
    "sec:discussion/choice-of-a/repaired",
    "sec:discussion/linear-in-sigma0/repaired",
    "sec:discussion/price",
    "sec:discussion/price-order",
)


@against_code(*BY_NAME)
def bounds_by_name(data: st.DataObject, code: Code) -> None:
    at = settings(data, part=2)
    for claim in BY_NAME:
        hold_bounds(claim, at, code, b=at.a + 1)


@against_code(
    "sec:discussion/lower-whenever/repaired",
    "sec:discussion/improves/repaired",
    "sec:discussion/guaranteed",
    "sec:discussion/rival-posterior/repaired",
    "sec:discussion/at-equality",
)
def against_the_rival(data: st.DataObject, code: Code) -> None:
    """With and without the shared mean, where K sigma_q^2 >= sigma^2, and where the two are equal."""
    at = settings(data)
    at = ExactSetting(2 ** (at.arms % 4), at.rounds, at.spread, at.noise, at.a)
    least = at.noise / at.arms
    wider = least + data.draw(DYADIC, "wider")
    for claim in ("sec:discussion/lower-whenever/repaired", "sec:discussion/rival-posterior/repaired"):
        hold_bounds(claim, at, code, sigma_q_sq=wider)
    hold_bounds("sec:discussion/at-equality", at, code, sigma_q_sq=least)
    large = ExactSetting(at.arms, at.rounds, at.spread + at.noise, at.noise, at.a)
    theirs = large.terms(code, "no_structure", sigma_q_sq=float(wider))["total"]
    factor = (1 + large.numbers["L"] / arb(2).log()).sqrt()
    stated = conclusion("sec:discussion/improves/repaired", "up to a logarithm")
    agree(theirs * factor, value(stated.rel.right, {**large.named, "sigma_q_sq": wider}))
    beta = code(learning_price(setting(**at.keywords)))
    named = {**at.named, "sigma_q_sq": wider}
    hold("sec:discussion/guaranteed", named, left={"K large enough": beta * exactly(at.spread)})


@against_code("sec:discussion/rate-2/repaired", "ours/root-price")
def rate_of_part_two(data: st.DataObject, code: Code) -> None:
    at = settings(data, part=2)
    hold_bounds("sec:discussion/rate-2/repaired", at, code)
    terms = at.terms(code)
    priced = terms["leading"] + terms["tail"] / (2 * at.numbers["beta"].sqrt())
    agree(priced, right("ours/root-price", "smaller last term", at))


@against_code("ours/vacuous")
def where_the_bound_says_nothing(data: st.DataObject, code: Code) -> None:
    at = settings(data, more=None)
    random = code.bound(bounds.trivial(n_arms=at.arms, horizon=at.rounds, sigma0_sq=float(at.spread)))
    leading = at.terms(code)["leading"]
    stated = conclusion("ours/vacuous", "vacuous inside")
    level, most = (number(side, at) for side in stated.hypotheses[0].stated)
    blind, lead = (number(side, at) for side in stated.rel.stated)
    agree(random, blind)
    agree(leading, lead)
    holds(random, "<=" if bool(level <= most) else ">", leading)
