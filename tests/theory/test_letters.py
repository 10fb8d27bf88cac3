"""Every symbol and function of a printed statement has a meaning in its legend, in all claims of the ledger."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import sympy as sp
from sympy.core.function import AppliedUndef

from theory.kernel import statement
from theory.kernel.argument import Argument, Proof, Refutation
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.reader import reader
from theory.ledger import Entry, load, recorded
from theory.model.play import COUNT, k, o, t, tau

# Any number, a step, a factor, an index: the statement says all that there is to say of it.
GENERIC = frozenset(("x", "y", "z", "h", "c", "i", "j"))
ANY_NUMBERS = {  # lemmas on numbers: every symbol is bound by the statement and has no other meaning
    "ours/bounded/bad-round/ends",
    "ours/bounded/envelope/factor",
    "ours/counting/reflection",
    "ours/counting/prices/round",
    "ours/logarithmic/count",
    "ours/logarithmic/order",
    "ours/lower/blocks",
    "ours/lower/leads",
    "ours/mills",
    "ours/one-sided/excess",
    "ours/one-sided/level",
    "ours/one-sided/threshold",
    "ours/one-sided/union",
    "ours/psi",
    "ours/psi/shifted",
    "them-R-Bayes-SubR/long-horizons/above-one",
}
SUB_GAUSSIAN = "theory.paper.appendix_g"
OUTCOMES = {  # statements about one play at two outcomes, e and (d, e)
    "ours/by-index/choices",
    "ours/conditioning/choices",
    "ours/conditioning/choices/fewest-rewards",
    "ours/conditioning/choices/known-mu0",
}


def stated(argument: Argument) -> tuple[Goal, ...]:
    """The goals that are printed as the statement of a claim."""
    if isinstance(argument, Proof):
        return argument.conclusions
    return (argument.printed,) if isinstance(argument, Refutation) else ()


def without_meaning(goal: Goal) -> Iterator[str]:
    """Symbols, and functions with ranges, that are printed with a goal and are not in its legend."""
    known = statement.legend((goal,))
    for letter in statement.ranges(goal):
        read = [x for x in goal.letters if reader(goal).latex(x).endswith(f"{letter} - 1")]  # K for K - 1
        if letter not in known and not any(reader(goal).latex(x) in known for x in read):
            yield letter


def unexplained(goal: Goal) -> Iterator[str]:
    """Values of functions that are printed without a formula, and whose function is not in the legend."""
    told = {x.func for x, letter in goal.letters.items() if letter.meaning}
    for value in (value for side in printed(goal) for value in side.atoms(AppliedUndef)):
        if value.func not in told and not hasattr(value.func, "meaning") and not getattr(value.func, "formula", None):
            yield str(value)


def printed(goal: Goal) -> Iterator[sp.Expr]:
    """The sides of relations, and what stands beside them for symbols and for functions."""
    sides = [side for r in (goal.rel, *goal.hypotheses) for side in r.stated] + list(goal.where.values())
    yield from sides
    functions = {value.func for side in sides for value in side.atoms(AppliedUndef)}
    yield from (f.formula[1] for f in functions if getattr(f, "formula", None))


@pytest.mark.parametrize("name", sorted(recorded()))
def test_every_letter_of_a_statement_is_in_its_legend(name: str) -> None:
    goals = stated(load()[name].argument)
    found = {x for goal in goals for x in without_meaning(goal)} - GENERIC
    assert bool(found) == (name in ANY_NUMBERS | OUTCOMES), sorted(found)
    functions = {x for goal in goals for x in unexplained(goal)}
    assert bool(functions) == (name in OUTCOMES), sorted(functions)  # (d, e) is explained beside functions of it


def test_a_function_without_meaning_is_found() -> None:
    f, x = sp.Function("f"), sp.Symbol("x")
    goal = Goal(Rel(f(x), "<=", f(x) + 1), {x: positive(), f(x): positive()})
    assert set(unexplained(goal)) == {"f(x)"}
    assert not list(unexplained(replace(goal, letters={f(x): Letter(f(x), "any function")})))


def test_the_model_says_what_its_functions_mean_where_a_goal_does_not() -> None:
    """At the letters that the model names, not at those of the statement; a goal's own words come first."""
    i, x = sp.symbols("i x")
    goal = Goal(Rel(tau(i + 1, x, o), ">=", 0), {i: COUNT, x: COUNT, o: real(), tau(k, t, o): at_least(0)})
    assert statement.legend((goal,), plain=True) == {"tau(k, t)": tau.meaning[1]}
    assert list(statement.legend((goal,))) == [r"\tau_{k,t}"]
    own = replace(goal, letters={tau(k, t, o): Letter(tau(k, t, o), "a width")})
    assert statement.legend((own,), plain=True) == {"tau(k, t)": "a width"}


INTERNAL = re.compile(r"(?<![A-Za-z_])(?:s0|s1|Wo|No|Qo|Xo|So)(?![A-Za-z_0-9])")


def internal(item: dict[str, Any]) -> set[str]:
    """Names of the model's symbols in an item as it is printed."""
    texts = (item["relation"], item["domain"], *item["given"], *item["where"])
    return {name for text in texts if text for name in INTERNAL.findall(text)}


def test_no_item_is_printed_in_symbols_of_the_model(ledger: dict[str, Entry]) -> None:
    """Steps and premises too are in the paper's letters."""
    assert internal(
        {"relation": "W_others <= n*s0/(s1 + sigma_0)", "domain": "", "given": [], "where": ["Xo = 1"]}
    ) == {
        "s0",
        "s1",
        "Xo",
    }
    for name, e in ledger.items():
        found = {item["name"]: internal(item) for item in e.finding.items if "relation" in item}
        assert not any(found.values()), (name, {what: names for what, names in found.items() if names})
        assert not any(INTERNAL.search(premise) for premise in e.finding.premises), name


@pytest.mark.parametrize(
    ("letters", "missing"),
    [
        ({}, ["q", "s"]),
        ({"s": Letter(sp.Symbol("sigma", positive=True) ** 2)}, [r"\sigma^{2}", "q"]),
        ({"s": Letter(sp.Symbol("sigma", positive=True) ** 2, "a variance"), "q": Letter(sp.Symbol("q"), "x")}, []),
    ],
    ids=["no letters", "a letter without meaning", "all"],
)
def test_a_symbol_without_meaning_is_found(letters: dict[str, Letter], missing: list[str]) -> None:
    s, q = sp.symbols("s q")
    read = {sp.Symbol(name): letter for name, letter in letters.items()}
    goal = Goal(Rel(s + q, ">", s), {s: positive(), q: positive()}, letters=read)
    assert sorted(without_meaning(goal)) == missing


@pytest.mark.parametrize("name", sorted(name for name, c in load().items() if c.module.startswith(SUB_GAUSSIAN)))
def test_no_proxy_is_called_a_variance(name: str) -> None:
    """The appendix on sub-Gaussian rewards calls its proxies sigma^2 and sigma_0^2."""
    meanings = {text for goal in stated(load()[name].argument) for text in statement.legend((goal,)).values()}
    assert not {text for text in meanings if text.startswith("variance of the")}
