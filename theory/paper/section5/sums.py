"""Section 5.2 (`sec:proof`): the two sums over rounds, sharp, and over the rounds after the first K."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel, at_least
from theory.kernel.rules import Rises, RisesTo, follows, instance, restated
from theory.model.sums import LETTERS, Euler, N, harmonic_after, m, roots_after, t, x


@claim("sec:proof/harmonic/sharp", by="us", kind="inequality", cites=("sec:proof/harmonic",))
def harmonic_sharp() -> Argument:
    """H_n - log n - 1/(2n) rises in n, by x/2 + x/(2(1+x)) - log(1+x) at x = 1/n, which is 0 at 0 and has the slope
    x^2/(2(1+x)^2); it tends to Euler's constant, and is below it by at most 1/(12 n^2)."""
    rounds = {N: at_least(1, integer=True)}
    step, rate = x / 2 + x / (2 * (1 + x)) - sp.log(1 + x), 1 / (12 * N**2)
    fall = (x**2 - (x / (1 + x)) ** 2) / 12  # of the rate, at x = 1/n
    rises = Rises(step, x, sp.Integer(0), {x: at_least(0)}, "x/2 + x/(2(1+x)) - log(1+x)")
    slowly = Rises(fall - step, x, sp.Integer(0), {x: at_least(0)}, "and less than the rate")
    sides = Rel(step.subs(x, 1 / N), ">=", 0), Rel(step.subs(x, 1 / N), "<=", fall.subs(x, 1 / N))
    up, most_up = (
        follows(rel, instance(rule, {x: 1 / N}, rounds, name="at x = 1/n"), domain=rounds, name="one more round")
        for rel, rule in zip(sides, (rises, slowly), strict=True)
    )
    steps = up, most_up
    total = sp.Sum(1 / t, (t, 1, N))
    below, above = (
        RisesTo(total - sp.log(N) - 1 / (2 * N), N, rate, steps, m, {}, vanishing=1 / (2 * N), above=side, name="limit")
        for side in (False, True)
    )
    most, gamma = sp.log(N) + 1 / (2 * N), Euler()
    return proof(
        restated(below, Rel(total, "<=", most + gamma), "harmonic sum"),
        restated(above, Rel(most + gamma - rate, "<=", total), "what is lost"),
        letters=LETTERS,
    )


@claim("sec:proof/harmonic/after-K", by="us", kind="inequality", cites=("sec:proof/harmonic",))
def harmonic_after_first() -> Argument:
    """The rounds that the repaired proof sums over: 1/t <= log(t/(t-1)), added up from t = K + 1."""
    return proof(harmonic_after(), letters=LETTERS)


@claim("sec:proof/sum-root/after-K", by="us", kind="inequality", cites=("sec:proof/sum-root",))
def roots_after_first() -> Argument:
    """Each term 1/sqrt(t) is at most 2 (sqrt(t) - sqrt(t-1)); the sum telescopes."""
    return proof(roots_after(), letters=LETTERS)
