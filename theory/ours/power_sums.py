"""Sums of t^(-h), 0 < h < 1, over the rounds after the K-th: below the integral."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import Applied, Monotone, Rises, Telescoping, applied, instance, restated
from theory.model.play import COUNT, WORDS, K, N, t

h, x, u, v, y, z, p, q = sp.symbols("h x u v y z p q")
SHARE = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
SIZES = {h: SHARE, K: COUNT, N: COUNT}


def one_round() -> Applied:
    """(1 - h) t^(-h) <= t^(1-h) - (t-1)^(1-h): log(1 + hx) >= h log(1 + x) at x = 1/(t-1)."""
    concave = Rises(sp.log(1 + h * x) - h * sp.log(1 + x), x, sp.Integer(0), {x: at_least(0), h: SHARE}, "concave")
    late = {h: SHARE, t: at_least(2)}
    at = instance(concave, {x: 1 / (t - 1)}, late, name="at x = 1/(t-1)")
    logs = Rel((1 - h) * sp.log(t - 1), "<=", sp.log(t - 1 + h) - h * sp.log(t))
    log = restated(at, logs, "logarithms")
    powers = Monotone(log, sp.exp(x), x, {x: real()}, name="powers")
    whole = Goal(Rel(t * sp.exp(-h * sp.log(t)), "=", sp.exp((1 - h) * sp.log(t))), late, name="t t^(-h) = t^(1-h)")
    joined = Goal(
        Rel((1 - h) * y, "<=", z - u),
        {**dict.fromkeys((y, z, u), real()), **late},
        (Rel(u, "<=", (t - 1 + h) * y), Rel(t * y, "=", z)),
        "one term",
    )
    before, after = (sp.exp((1 - h) * sp.log(end)) for end in (t - 1, t))
    at_ = {y: sp.exp(-h * sp.log(t)), z: after, u: before}
    return applied(joined, at_, powers, whole, domain=late, name="one term")


@claim("ours/power-sums", by="us", kind="inequality")
def power_sums() -> Argument:
    """A term is below the integral over the unit interval before it; the integrals telescope."""
    total = sp.exp((1 - h) * sp.log(t - 1))
    rounds = Telescoping(one_round(), total, t, K + 1, N, SIZES, (Rel(N, ">=", K),), "all rounds")
    ends = sp.exp((1 - h) * sp.log(N)) - sp.exp((1 - h) * sp.log(K))
    named = Rel((1 - h) * sp.Sum(sp.exp(-h * sp.log(t)), (t, K + 1, N)), "<=", ends)
    return proof(restated(rounds, named, "all rounds"), letters={N: WORDS[N], K: WORDS[K]})
