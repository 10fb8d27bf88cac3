"""Bad rounds of the counting bound: an error is below its level, which has small probability and small cost, by
association of the errors.

Units sigma_0 = 1; `theory.model.round_kinds` says what is used of a round. theta_k >= theta by ours/width-ratio.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, real
from theory.kernel.rules import (
    Expectation,
    Induction,
    Instance,
    NextInteger,
    SumOver,
    applied,
    follows,
    instance,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.kernel.terms import Mean
from theory.model import round_kinds as kinds
from theory.model.counts import g, j
from theory.model.play import K, k, t
from theory.model.round_errors import d, e
from theory.model.round_kinds import ROUNDS, WORDS, bad, beta, loss, miss, none, p, pulls
from theory.ours.kinds_of_rounds import IN_PLAY, positive_rest

UNIT = Var(sp.Integer(0), high=sp.Integer(1))
ONE = sp.Integer(1)
x, y, z, q = sp.symbols("x y z q")


def times(known: Rel, factor: sp.Expr, domain: dict[sp.Expr, Var], name: str, nonnegative: bool = False) -> Instance:
    """A relation multiplied by a factor; an inequality by a factor that is not negative."""
    op = known.op
    free = {x: real(), y: real(), q: at_least(0) if nonnegative else real()}
    product = Goal(Rel(x * q, op, y * q), free, (Rel(x, op, y),), "times a factor")
    given = (known, Rel(factor, ">=", 0)) if nonnegative and factor.has(Mean) else (known,)
    return instance(product, {x: known.stated[0], y: known.stated[1], q: factor}, domain, given, name=name)


@claim(
    "ours/counting/bad-rounds",
    by="us",
    kind="step",
    cites=("ours/conditioning", "ours/correlation", "ours/width-ratio", "ours/psi"),
)
def bad_rounds() -> Argument:
    """Given the reward differences the errors are Gaussian with nonnegative covariances, hence associated. A bad round
    needs an arm k != I with error below -theta_k tau_k, theta_k >= theta: the chance of none is at least the product of
    the chances. Its gap is v + (mu_* - U_I) with v = U_I - mu_I rising in the error of I, and mu_k - U_I is at most
    -X_k - s_t tau_k because U_k <= U_I."""
    laws = (
        uses("ours/conditioning/levels", item=item)
        for item in ("an error above its level", "the error of the pulled arm", "an error beyond its level")
    )
    level, lifted, tails = laws
    none_of, lost = (uses(f"ours/association/{part}") for part in ("levels", "pulled-arm"))
    at_count = [instance(rule, {j: pulls}, ROUNDS, name=rule.of) for rule in (kinds.P, kinds.BETA)]
    power = powers(level)
    given = (conclusion(none_of).rel, power.concludes.rel, at_count[0].concludes.rel)
    u, v_, w = sp.symbols("u v w")
    numbers = dict.fromkeys((u, v_, w, z), real())
    complement = Goal(
        Rel(1 - u, "<=", z), numbers, (Rel(u, ">=", v_), Rel(w, "<=", v_), Rel(z, "=", 1 - w)), "one minus a chance"
    )
    at = {u: Mean(none, e), v_: conclusion(none_of).rel.right, w: power.concludes.rel.left, z: p(t, pulls)}
    last = instance(complement, at, ROUNDS, given, name="one minus a chance")
    parts = none_of, power, at_count[0], last
    few = follows(Rel(1 - Mean(none, e), "<=", p(t, pulls)), *parts, domain=ROUNDS, given=IN_PLAY, name="some error")
    low, gaps = (
        uses("ours/counting/low-errors", item=item)
        for item in ("a bad round has an error below its level", "the gap of a bad round")
    )
    averaged = Expectation(low, (e,))
    chance = follows(
        Rel(Mean(bad, e), "<=", p(t, pulls)), averaged, few, domain=ROUNDS, given=IN_PLAY, name="chance of a bad round"
    )
    sure = Expectation(instance(Goal(Rel(x, "<=", 1), {x: UNIT}, name="a chance"), {x: none}, ROUNDS), (e,))
    least = follows(Rel(p(t, pulls), ">=", 0), few, sure, domain=ROUNDS, given=IN_PLAY, name="a chance")
    factor = Goal(Rel(x * q, "<=", y * q), {x: real(), y: real(), q: at_least(0)}, (Rel(x, "<=", y),), "times a factor")
    sides = conclusion(lifted).rel.stated
    at = {x: sides[0], y: sides[1], q: p(t, pulls)}
    scaled = [
        times(few.rel, Mean(kinds.rest, e), ROUNDS, "times the mean of the pulled arm", True),
        applied(factor, at, least, lifted, domain=ROUNDS, given=IN_PLAY, name="times the chance"),
    ]
    others = SumOver(tails, k, ONE, K - 1, ROUNDS, given=IN_PLAY, name="the other arms")
    own = Rel(Mean(kinds.rest * (1 - none), e), "<=", g(pulls) * kinds.lift(t) * p(t, pulls))
    parts_ = lost, few, Expectation(positive_rest(), (e,)), scaled[0], lifted, scaled[1]
    pulled = follows(own, *parts_, domain=ROUNDS, given=IN_PLAY, name="the pulled arm in bad rounds")
    together = Goal(
        Rel(x, "<=", y),
        dict.fromkeys((x, y, z, q, u, v_), real()),
        (Rel(x, "<=", z + q), Rel(z, "<=", u), Rel(q, "<=", v_), Rel(y, "=", u + v_)),
        "both parts",
    )
    at = {x: Mean(loss * bad, e), y: beta(t, pulls), z: own.left, u: own.right}
    at |= {q: others.concludes.rel.stated[0], v_: others.concludes.rel.stated[1]}
    sums = Expectation(gaps, (e,)), pulled, others, at_count[1]
    cost = applied(together, at, *sums, domain=ROUNDS, given=IN_PLAY, name="cost of a bad round")
    return proof(chance, cost, letters=WORDS)


def powers(level: Item) -> Instance:
    """A product of K - 1 chances is at least the power of their common bound."""
    m = sp.Symbol("m")
    chances, least = Mean(kinds.above(k, t, d, e), e), 1 - miss(t, pulls)
    given = (*IN_PLAY, Rel(m, "<", K - 1))
    arms = {**ROUNDS, m: at_least(0, integer=True)}
    another = NextInteger(K - 1, m, arms, name="one more of the K - 1 others")
    one = applied(level, {k: m + 1}, another, domain=arms, given=given, name="one more arm")
    rel = Rel(least**m, "<=", sp.Product(chances, (k, 1, m)))
    product = Induction(rel, m, sp.Integer(0), ROUNDS, IN_PLAY, "a product of chances", lemmas=(one,), until=K - 1)
    return instance(product, {m: K - 1}, ROUNDS, IN_PLAY, name="K - 1 other arms")
