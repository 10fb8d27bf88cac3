"""Section 5.1: how the bounds depend on K, n, a and sigma_0, and the agents that know more or assume less."""

from __future__ import annotations

import sympy as sp
from flint import arb
from hypothesis import strategies as st

from reucb import bounds
from reucb.bounds._args import setting
from reucb.bounds.printed import learning_price
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, against_code, agree, exactly, hold, holds, value
from tests.agreement.statements import conclusion, number
from tests.agreement.theorems import Setting, settings
from theory.model.bound_formulas import known_mean


@against_code(
    "sec:discussion/rate-1",
    "sec:discussion/increase-in-a",
    "sec:discussion/sublinear",
    "sec:discussion/choice-of-a/repaired",
    "sec:discussion/linear-in-sigma0/repaired",
)
def leading_term_of_the_discussion(data: st.DataObject, code: Code) -> None:
    at = settings(data, part=2)
    leading = at.terms(code)["leading"]
    named = {**at.named, "b": at.a + 1}
    for claim in ("sec:discussion/rate-1", "sec:discussion/increase-in-a", "sec:discussion/linear-in-sigma0/repaired"):
        hold(claim, named, left={"leading term": leading**2, "at least linear": leading**2})
    hold("sec:discussion/choice-of-a/repaired", named, right={"part": leading**2})
    hold("sec:discussion/sublinear", named, left={"leading term": leading**2 / at.rounds**2})


@against_code("sec:discussion/price", "sec:discussion/price-order")
def price_of_learning(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    ours, known = at.terms(code), at.terms(code, "known_mu0")
    beta = code(learning_price(setting(**at.keywords)))
    lead, last = (value(e) for e in _known(at))
    hold(
        "sec:discussion/price",
        {
            **at.named,
            "noise": at.noise,
            "spread": at.spread,
            "width": at.a,
            "b": at.numbers["beta"].sqrt(),
            "lead": lead,
            "tail": last,
        },
        {"lead": known["leading"], "tail": known["tail"]},
        left={"leading terms": ours["leading"] ** 2, "tails": ours["tail"], "at": ours["total"]},
        right={"leading terms": beta * known["leading"] ** 2, "tails": beta * known["tail"]},
    )
    hold("sec:discussion/price-order", at.named, left={"order": beta})


def _known(at: Setting) -> tuple[sp.Expr, sp.Expr]:
    exact = [sp.Rational(x.numerator, x.denominator) for x in (at.spread, at.noise, at.a)]
    return known_mean(sp.Integer(at.arms), sp.Integer(at.rounds), *exact, 1)


@against_code(
    "sec:discussion/lower-whenever/repaired",
    "sec:discussion/improves/repaired",
    "sec:discussion/guaranteed",
    "sec:discussion/rival-posterior/repaired",
)
def against_the_rival(data: st.DataObject, code: Code) -> None:
    """Leading terms with and without the shared mean, divided by 4 a K n log n."""
    at = settings(data)
    at = Setting(2 ** (at.arms % 4), at.rounds, at.spread, at.noise, at.a)
    wider = at.noise / at.arms + data.draw(DYADIC, "wider")  # K sigma_q^2 >= sigma^2
    rival = Setting(at.arms, at.rounds, at.spread + wider, at.noise, at.a)
    unit = 4 * exactly(at.a) * at.arms * at.rounds * at.numbers["L"]
    ours = at.terms(code)["leading"] ** 2 / unit
    theirs = at.terms(code, "no_structure", sigma_q_sq=float(wider))["leading"] ** 2 / unit
    named = {
        **at.named,
        "sq": wider,
        "sigma_q_sq": wider,
        "width": at.a,
        "ours": at.spread + at.noise / at.arms,
        "theirs": at.spread + wider,
        "x": rival.numbers["G"],
        "two": arb(2).log(),
    }
    hold(
        "sec:discussion/lower-whenever/repaired",
        named,
        {"x": rival.ratio(code)},
        left={"logarithms": ours},
        right={"logarithms": theirs * (at.numbers["L"] / at.numbers["ell"] + 1)},
    )
    beta = code(learning_price(setting(**at.keywords)))
    for claim in ("sec:discussion/improves/repaired", "sec:discussion/guaranteed"):
        hold(claim, named, left={"enough arms": beta * exactly(at.spread), "K large enough": beta * exactly(at.spread)})
    hold("sec:discussion/rival-posterior/repaired", named, left={"leading term": theirs * unit})


@against_code("ours/vacuous", "sec:discussion/rate-2/repaired")
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
    unit = 4 * exactly(at.a) * at.numbers["L"] * at.numbers["G"]
    hold(
        "sec:discussion/rate-2/repaired", {**at.named, "C": 2 * arb(at.arms).log()}, left={"leading": leading**2 / unit}
    )
