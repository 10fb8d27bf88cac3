"""Pitt's theorem is used as it says: every use that it does not cover is refused.

X(1, w), ..., X(n, w) are jointly normal with covariances sigma(i, j) >= 0, by a law that the tests state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp

from theory.kernel.argument import Item, proof
from theory.kernel.classical import COEFFICIENT, PITT, SHIFT, raised
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import Definition, SumOver, cited, follows, instance
from theory.kernel.terms import Event, Mean

i, j, k, m, n, w, v, x, y = sp.symbols("i j k m n w v x y")
X, Y, sigma, chosen, tau = map(sp.Function, ("X", "Y", "sigma", "I", "tau"))
COUNT = at_least(1, integer=True)
DOMAIN: dict[sp.Expr, Var] = {
    **{n: at_least(2, integer=True), w: real(), v: real(), sigma(i, j): at_least(0), tau(i): real()},
    **{COEFFICIENT(i): real(), chosen(n): COUNT, m: COUNT},
}
UP = {**DOMAIN, SHIFT(i): at_least(0)}
FIRST, SECOND = X(sp.Integer(1), w), X(sp.Integer(2), w)
AT: dict[str, Any] = {
    **{"f": FIRST, "g": SECOND, "family": X(i, w), "indices": (i, j), "last": n, "outcome": w},
    "covariance": sigma(i, j),
}
COVARIANCE = sigma(i, j)


def law(covariance: sp.Expr = COVARIANCE, domain: dict = DOMAIN, given: tuple[Rel, ...] = ()) -> Item:
    """That the X(i, w) are jointly normal."""
    linear = sp.Sum(COEFFICIENT(i) * X(i, w), (i, 1, n))
    square = sp.Sum(sp.Sum(COEFFICIENT(i) * COEFFICIENT(j) * covariance, (j, 1, n)), (i, 1, n))
    rel = Rel(Mean(sp.exp(linear), w), "=", sp.exp(square / 2))
    return Definition("jointly normal", Goal(rel, domain, given, name="jointly normal")).for_every(n)


def nonnegative(covariance: sp.Expr = COVARIANCE) -> Goal:
    return Goal(Rel(covariance, ">=", 0), {**DOMAIN, i: COUNT, j: COUNT}, name="covariances")


def rises(f: sp.Expr, domain: dict = UP, given: tuple[Rel, ...] = ()) -> Item:
    if isinstance(f, sp.Sum):  # term by term
        index, low, high = f.limits[0]
        term = rises(f.function, {**domain, index: at_least(0, integer=True)}, given)
        return SumOver(term, index, low, high, domain, given=given, name="rises")
    return Goal(Rel(raised(f, X(i, w)), ">=", f), domain, given, "rises")


def use(
    *facts: Item,
    gives: Rel | None = None,
    domain: dict = DOMAIN,
    given: tuple[Rel, ...] = (),
    needs: tuple[Item, ...] = (),
    **other: Any,
) -> str:
    """Why a use of the theorem is refused; an empty text if it is not."""
    at = {**AT, **other}
    f, g = at["f"], at["g"]
    rel = gives or Rel(Mean(f * g, w), ">=", Mean(f, w) * Mean(g, w))
    items = needs or (law(at["covariance"]), nonnegative(at["covariance"]), rises(f), rises(g))
    goal = Goal(rel, domain, given, "associated")
    found = proof(cited(PITT, hypotheses=(*items, *facts), gives=goal, at=at, name="associated", every=(n,))).check()
    assert found.verdict in ("proved", "open")
    if found.verdict == "proved":
        assert found.assumes == (str(PITT),)
        assert "applied in words" not in str(found.assumes)
    return found.problem or ""


SUM = sp.Sum(tau(k) ** 2 * X(k, w), (k, 1, n))


@pytest.mark.parametrize("f", [FIRST, 2 * FIRST + SECOND, SUM, FIRST + n, tau(m) ** 2 * SECOND])
def test_rising_functions_are_associated(f: sp.Expr) -> None:
    assert use(f=f) == ""


def test_an_event_that_rises() -> None:
    """1{X >= 0} <= 1{X + h >= 0}; the proof by cases is in ours/association."""
    step = Definition("an event", rises(Event(FIRST, 0)))
    assert use(f=Event(FIRST, 0), needs=(law(), nonnegative(), step, rises(SECOND))) != ""  # h must be any function
    falls = proof(rises(-Event(FIRST, 0))).check()
    assert falls.verdict == "open"


@pytest.mark.parametrize(
    "f", [-FIRST, FIRST - 2 * SECOND, FIRST**2, -SUM, sp.Sum(-X(k, w), (k, 1, n)), FIRST * SECOND, tau(m) * SECOND]
)
def test_a_function_that_may_fall_is_refused(f: sp.Expr) -> None:
    assert use(f=f) != ""
    assert use(g=f) != ""
    other = law(), nonnegative(), rises(FIRST), rises(SECOND)
    assert "it needs" in use(f=f, needs=other)


def test_the_direction_of_what_it_gives() -> None:
    means = Mean(FIRST * SECOND, w), Mean(FIRST, w) * Mean(SECOND, w)
    assert use(gives=Rel(means[0], ">=", means[1])) == ""
    assert use(gives=Rel(means[1], "<=", means[0])) == ""
    for wrong in (
        Rel(means[0], "<=", means[1]),
        Rel(means[0], "=", means[1]),
        Rel(means[0], ">", means[1]),
        Rel(means[0], ">=", 2 * means[1]),
        Rel(Mean(FIRST**2, w), ">=", means[1]),
    ):
        assert "it gives" in use(gives=wrong)


def test_covariances_must_be_nonnegative_and_those_of_the_law() -> None:
    free = {**DOMAIN, sigma(i, j): real()}
    assert use(covariance=-sigma(i, j)) != ""
    needs = law(-sigma(i, j)), nonnegative(), rises(FIRST), rises(SECOND)
    assert "it needs" in use(covariance=-sigma(i, j), needs=needs)
    assert "it needs" in use(needs=(law(2 * sigma(i, j)), *needs[1:]))
    assert "sigma(i, j) is not known" in use(domain=free)
    only = Goal(Rel(sigma(i, j), ">=", 0), {**free, i: COUNT, j: COUNT}, (Rel(sigma(i, j), ">=", 0),), "covariances")
    assert "hypothesis" in use(domain=free, needs=(law(domain=free), only, rises(FIRST), rises(SECOND)))
    same = Goal(Rel(sigma(i, j), ">=", 0), {**DOMAIN, i: COUNT, j: COUNT}, (Rel(i, "=", j),), "variances")
    assert "hypothesis" in use(needs=(law(), same, rises(FIRST), rises(SECOND)))
    one = Rel(i, "=", 1)
    assert "says something" in use(given=(one,), domain={**DOMAIN, i: COUNT})


def test_hypotheses_are_dropped_by_no_one() -> None:
    needs = law(), nonnegative(), rises(FIRST), rises(SECOND)
    for left_out in range(4):
        assert use(needs=tuple(item for m, item in enumerate(needs) if m != left_out)) != ""
    assert "it needs" in use(needs=(needs[1], needs[0], *needs[2:]))
    assert use(f=SUM, needs=(*needs[:2], needs[3], rises(SUM))) != ""


OTHERWISE_RANDOM = {
    "another function of the outcome": FIRST + Y(w),
    "the outcome itself": FIRST + w,
    "a factor": Y(w) ** 2 * FIRST,
    "an event of another": FIRST + Event(Y(w), 0),
    "an index that is random": X(chosen(w), w),
    "another outcome": X(1, v),
    "both outcomes": FIRST + X(2, v),
    "a mean": FIRST + Mean(SECOND, w),
    "a mean that would move": Mean(SECOND, w) * FIRST**0 + FIRST,
    "a slope": sp.Derivative(FIRST**2, w),
    "an integral": sp.Integral(X(1, w), (w, 0, 1)),
    "as many terms as a variable": FIRST + sp.Sum(k, (k, 1, SECOND)),
    "an index with the name of the last one": sp.Sum(X(n, w), (n, 1, 5)),
    "cases": sp.Piecewise((X(n + 1, w), FIRST > 0), (SECOND, True)),
    "its own shift": FIRST + SHIFT(sp.Integer(1)),
    "a coefficient of the theorem": COEFFICIENT(sp.Integer(1)) ** 2 * FIRST,
}


@pytest.mark.parametrize("f", OTHERWISE_RANDOM.values(), ids=list(OTHERWISE_RANDOM))
def test_functions_of_anything_else_random_are_refused(f: sp.Expr) -> None:
    assert "not those of its form" in use(f=f, needs=(law(), nonnegative(), rises(FIRST), rises(SECOND)))
    assert "not those of its form" in use(g=f, needs=(law(), nonnegative(), rises(FIRST), rises(SECOND)))


@pytest.mark.parametrize("f", [sp.exp(FIRST**3), sp.exp(sp.exp(FIRST)), tau(FIRST), sp.sqrt(1 + FIRST**2)])
def test_functions_that_may_have_no_mean_are_refused(f: sp.Expr) -> None:
    needs = law(), nonnegative(), rises(FIRST), rises(SECOND)
    for at in ({"f": f}, {"g": f}):
        assert "may have no mean" in use(**at, needs=needs)
        PITT.form(**{**AT, **{name: Event(q, 0) for name, q in at.items()}})


def test_the_outcome_is_the_one_that_is_averaged() -> None:
    needs = law(), nonnegative(), rises(FIRST), rises(SECOND)
    assert "not those of its form" in use(outcome=v, needs=needs)
    both = Rel(Mean(FIRST * SECOND, v), ">=", Mean(FIRST, v) * Mean(SECOND, v))
    assert "it gives" in use(gives=both)
    assert "not those of its form" in use(family=X(i, v), needs=needs)
    assert "not those of its form" in use(covariance=sigma(i, j) + Y(w) ** 2, needs=needs)


def test_a_family_has_fixed_arguments_inside_sums() -> None:
    """The sum of X(1, m, w) over m contains variables of other laws."""
    Z = sp.Function("Z")
    at = {"family": Z(i, m, w), "f": sp.Sum(Z(1, m, w), (m, 1, 2)), "g": Z(1, m, w)}
    with pytest.raises(ValueError, match="others inside an operator"):
        PITT.form(**{**AT, **at})
    with pytest.raises(ValueError, match="must be a value of"):
        PITT.form(**{**AT, **at, "f": Z(1, m + 1, w)})
    PITT.form(**{**AT, **at, "f": Z(2, m, w)})


def below_last(arm: sp.Expr, given: tuple[Rel, ...] = ()) -> Item:
    return Definition("one of them", Goal(Rel(arm, "<=", n), {**DOMAIN, k: COUNT}, given, "one of them")).for_every(n)


def test_only_variables_of_the_family_may_occur() -> None:
    """Nothing is known of X(n + 1, w)."""
    assert "at most n" in use(f=X(3, w))
    assert "at most n" in use(f=X(n + 1, w))
    assert "integer >= 1" in use(f=X(0, w))
    assert "integer >= 1" in use(f=X(n / 2, w))
    assert use(f=X(n, w)) == use(f=X(n - 1, w)) == ""
    assert "at most n" in use(f=X(m, w))
    assert use(f=X(m, w), given=(Rel(m, "<=", n),)) == ""
    assert "at most n" in use(f=X(chosen(n), w))
    assert use(below_last(chosen(n)), f=X(chosen(n), w)) == ""
    assert "at most n" in use(below_last(chosen(n)), f=X(chosen(n) + 1, w))
    over = sp.Sum(X(k, w), (k, 1, n + 1))
    assert "at most n" in use(f=over)
    assert "at most n" in use(f=over, given=(Rel(k, "<=", n),), domain={**DOMAIN, k: COUNT})  # of another k
    assert "integer >= 1" in use(f=sp.Sum(X(k, w), (k, 0, n)))
    part = sp.Sum(X(chosen(k), w), (k, 1, n - 1))
    known = below_last(chosen(k), (Rel(k, "<=", n - 1),))
    assert use(known, f=part) == ""
    assert "at most n" in use(f=part)
    assert "at most n" in use(known, f=sp.Sum(X(chosen(k), w), (k, 1, n)))


def test_nothing_is_supposed_of_what_is_random() -> None:
    sign = Rel(FIRST, ">=", 0)
    assert "random" in use(given=(sign,))
    assert "random" in use(
        f=FIRST**2, given=(sign,), needs=(law(), nonnegative(), rises(FIRST**2, given=(sign,)), rises(SECOND))
    )
    half = {**DOMAIN, X(i, w): at_least(0)}
    assert "restricted" in use(domain=half)
    squares = rises(FIRST**2, {**UP, X(i, w): at_least(0)})
    assert use(f=FIRST**2, needs=(law(), nonnegative(), squares, rises(SECOND))) != ""
    assert use(f=FIRST**2, domain=half, needs=(law(), nonnegative(), squares, rises(SECOND))) != ""
    assert "restricted" in use(domain={**DOMAIN, w: at_least(0)})


PARTIAL: dict[str, Callable[[], tuple[dict, tuple[Rel, ...], tuple[Item, ...]]]] = {
    "coefficients >= 0": lambda: (
        {**DOMAIN, COEFFICIENT(k): at_least(0)}, (),
        (law(domain={**{a: r for a, r in DOMAIN.items() if a != COEFFICIENT(i)}, COEFFICIENT(k): at_least(0)}),
         nonnegative(), rises(FIRST), rises(SECOND)),
    ),
    "coefficients that are 0": lambda: (
        DOMAIN, (Rel(COEFFICIENT(1), "=", 0),),
        (law(given=(Rel(COEFFICIENT(1), "=", 0),)), nonnegative(), rises(FIRST), rises(SECOND)),
    ),
    "shifts of at least 1": lambda: (
        DOMAIN, (), (law(), nonnegative(), rises(FIRST, {**DOMAIN, SHIFT(i): at_least(1)}), rises(SECOND)),
    ),
    "shifts of at least 1, also in what is given": lambda: (
        {**DOMAIN, SHIFT(k): at_least(1)}, (),
        (law(), nonnegative(), rises(FIRST, {**DOMAIN, SHIFT(k): at_least(1)}), rises(SECOND)),
    ),
    "a shift that is 0": lambda: (
        DOMAIN, (Rel(SHIFT(1), "=", 0),),
        (law(), nonnegative(), rises(FIRST, UP, (Rel(SHIFT(1), "=", 0),)), rises(SECOND)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTIAL)
def test_what_is_needed_for_all_numbers_is_proved_for_all(name: str) -> None:
    """A hypothesis about them could be met later by numbers of one's own choice."""
    domain, given, needs = PARTIAL[name]()
    assert use(domain=domain, given=given, needs=needs) != ""


def test_no_definition_may_say_what_the_shift_is() -> None:
    """With h = 0 every function would rise."""
    none = Definition("no shift", Goal(Rel(SHIFT(x), "=", 0), {x: real()}, name="no shift"))
    falling = -FIRST
    step = follows(rises(falling).rel, instance(none, {x: sp.Integer(1)}, UP), domain=UP, name="rises")
    assert proof(step).check().verdict == "proved"  # from that definition
    assert "must be any function" in use(f=falling, needs=(law(), nonnegative(), step, rises(SECOND)))


def test_the_mutants_of_a_use_are_refused() -> None:
    goal = Goal(Rel(Mean(FIRST * SECOND, w), ">=", Mean(FIRST, w) * Mean(SECOND, w)), DOMAIN, name="associated")
    needs = law(), nonnegative(), rises(FIRST), rises(SECOND)
    found = cited(PITT, hypotheses=needs, gives=goal, at=AT, name="associated").mutants()
    assert {mutant.name for mutant in found} >= {
        "direction: f falls",
        "direction: g falls",
        "sign: covariances negated",
    }
    assert all(mutant.killed for mutant in found)
