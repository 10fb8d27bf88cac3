"""The counting bound (`reucb.bounds.counting`): prices, good rounds, and the theorem.

Units sigma_0 = 1, rho = sigma^2. After round K a round is *star* (the best arm is pulled), *good* (the gap of the
pulled arm is at most s_n tau + its error) or *bad*; `theory.model.round_kinds` says what is used of them. The algebra
of good pulls is in `good_pull`, widths are in `leave_one_out`, bad rounds in `bad_rounds`, one pair of an arm and a
count in `close_pairs`.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, real
from theory.kernel.rules import Exchange, Expectation, SplitSum, SumOver, applied, follows, uses
from theory.kernel.terms import Mean
from theory.model import round_kinds as kinds
from theory.model.arms import s0
from theory.model.counts import LONG, j
from theory.model.good_pulls import LETTERS, PULL, UNITS, rho, zeta
from theory.model.play import COUNT, K, N, k, t
from theory.model.round_errors import d, e
from theory.model.round_kinds import COUNTS, PRICE, ROUNDS, WORDS, Lam, bad, gap, good, loss, o, star
from theory.ours.bad_rounds import ONE, UNIT, times
from theory.ours.good_rounds import good_pairs
from theory.ours.kinds_of_rounds import (
    IN_PLAY,
    first_rounds,
    good_once,
    no_negative_gap,
    star_costs_nothing,
    star_once,
    star_price,
    three_kinds,
    worst_count,
)

x, y, z, v, w, L = sp.symbols("x y z v w L")
LOSS = Mean(loss, d, e)
REGRET = sp.Sum(LOSS, (t, 1, N))


@claim("ours/counting/prices/round", by="us", kind="step")
def price_of_a_round() -> Argument:
    """One round after K, given the reward differences: x is the mean cost of a bad round, y its probability. A price
    L is added in bad rounds and subtracted in all, so its net effect is -(1 - p) L."""
    b, c = sp.symbols("beta p")
    free = {x: at_least(0), y: UNIT, L: at_least(0), b: at_least(0), c: UNIT}
    given = (Rel(x, "<=", b), Rel(y, "<=", c))
    return proof(Goal(Rel(x + L * y - L, "<=", b - (1 - c) * L), free, given, "cost and price of a round"))


@claim("ours/counting/prices", by="us", kind="step")
def prices() -> Argument:
    """A star round costs nothing. So the cost of a round is cost and price if it is good, its price if it is star,
    and cost and price if it is bad, less its price. The best arm is pulled at each count at most once, so with prices
    >= 0 the prices of the star rounds add up to at most the sum of all prices."""
    kinds_ = three_kinds()
    parts = [times(kinds_.rel, f, ROUNDS, "times cost or price") for f in (loss, PRICE)]
    split = Rel(loss, "=", (loss + PRICE) * good + PRICE * star + ((loss + PRICE) * bad - PRICE))
    parts_ = kinds_, *parts, star_costs_nothing()
    one = follows(split, *parts_, domain=ROUNDS, given=IN_PLAY, name="cost of one round")
    paid = SumOver(star_price(), t, K + 1, N, ROUNDS, given=(LONG,), name="prices of star rounds")
    order = Exchange(Lam(j) * kinds.starhit, COUNTS, (t, K + 1, N), ROUNDS, "by counts")
    counted = {**ROUNDS, j: COUNT}
    once = star_once()
    hits = once.concludes.rel
    each = follows(
        Rel(Lam(j) * hits.left, "<=", Lam(j)),
        once,
        times(hits, Lam(j), counted, "price", True),
        domain=counted,
        given=(LONG,),
        name="one count",
    )
    every = SumOver(each, j, ONE, N - K, ROUNDS, given=(LONG,), name="every count")
    total = Rel(sp.Sum(PRICE * star, (t, K + 1, N)), "<=", sp.Sum(Lam(j), COUNTS))
    return proof(
        one,
        follows(total, paid, order, every, domain=ROUNDS, given=(LONG,), name="prices of star rounds"),
        letters=WORDS,
    )


@claim("ours/counting/good-rounds", by="us", kind="step")
def good_rounds() -> Argument:
    """Each pair of an arm and a count is pulled in at most one round, and if that is good then the average of the arm's
    rewards is close to the best mean by ours/good-pull. What this costs in the mean is at most the stated value by
    ours/counting/pair, the same for each of the K arms."""
    rounds, given = {**ROUNDS, **{x_: PULL[x_] for x_ in (rho, s0, zeta)}}, (LONG, UNITS)
    pair_ = {**rounds, k: COUNT, j: COUNT}
    value = gap + Lam(j)
    near = value * kinds.close
    hits = sp.Sum(kinds.goodhit, (t, K + 1, N))
    met = SumOver(good_pairs(), t, K + 1, N, rounds, given=given, name="good rounds")
    arms = Exchange(sp.Sum(near * kinds.goodhit, COUNTS), (k, ONE, K), (t, K + 1, N), rounds, "arms first")
    counts = Exchange(near * kinds.goodhit, COUNTS, (t, K + 1, N), {**rounds, k: COUNT}, "counts first")
    every = SumOver(counts, k, ONE, K, rounds, name="counts first, every arm")
    once = good_once()
    numbers = {x: real(), y: real(), v: at_least(0), z: at_least(0), w: UNIT}
    product = Goal(Rel(x * (v + z) * w, "<=", y * (v + z) * w), numbers, (Rel(x, "<=", y),), "cost and price, if close")
    at = {x: hits, y: ONE, v: gap, z: Lam(j), w: kinds.close}
    priced = follows(
        Rel(near * hits, "<=", near),
        *(once, applied(product, at, no_negative_gap(), once, domain=pair_, given=once.given, name="cost and price")),
        domain=pair_,
        given=(LONG, Rel(k, "<=", K)),
        name="one pair",
    )
    over_counts = SumOver(priced, j, ONE, N - K, {**rounds, k: COUNT}, given=priced.given, name="all counts")
    over_arms = SumOver(over_counts, k, ONE, K, rounds, given=(LONG,), name="all arms")
    bound = Rel(sp.Sum((loss + PRICE) * good, (t, K + 1, N)), "<=", sp.Sum(near, COUNTS, (k, 1, K)))
    paths = follows(bound, met, arms, every, over_arms, domain=rounds, given=given, name="good rounds, pair by pair")
    law = uses("ours/counting/pair")
    laws = SumOver(law, j, ONE, N - K, {**rounds, k: COUNT}, given=(*given, Rel(k, "<=", K)), name="all counts")
    all_laws = SumOver(laws, k, ONE, K, rounds, given=given, name="all arms")
    total = Rel(sp.Sum(Mean((loss + PRICE) * good, d, e), (t, K + 1, N)), "<=", K * sp.Sum(Mean(kinds.pair, o), COUNTS))
    return proof(
        follows(total, Expectation(paths, (d, e)), all_laws, domain=rounds, given=given, name="good rounds"),
        letters=WORDS,
    )


@claim("ours/counting", by="us", kind="bound")
def counting() -> Argument:
    """The first K rounds cost K e_K. Each later round is star, good or bad: the prices of star rounds add up to at most
    the sum of all prices, good rounds cost what ours/counting/good-rounds says, and a bad round with its price costs at
    most the largest value over the counts. `reucb.bounds.counting` evaluates the right side from above."""
    first = SumOver(first_rounds(), t, ONE, K, ROUNDS, name="the first K rounds")
    split = SplitSum(LOSS, t, ONE, K, N, ROUNDS, (LONG,), "the first K rounds and the others")
    each = Expectation(uses("ours/counting/prices", item="cost of one round"), (d, e))
    later = SumOver(each, t, K + 1, N, ROUNDS, given=(LONG,), name="later rounds")
    stars = Expectation(uses("ours/counting/prices", item="prices of star rounds"), (d, e))
    chance, cost = (
        uses("ours/counting/bad-rounds", item=item) for item in ("chance of a bad round", "cost of a bad round")
    )
    paid = times(chance.concludes.rel, PRICE, ROUNDS, "times the price", True)
    net = Mean((loss + PRICE) * bad - PRICE, e)
    one = follows(
        Rel(net, "<=", kinds.worst(t)),
        chance,
        cost,
        paid,
        worst_count(),
        domain=ROUNDS,
        given=IN_PLAY,
        name="a bad round",
    )
    bads = SumOver(Expectation(one, (d, e)), t, K + 1, N, ROUNDS, given=(LONG,), name="bad rounds")
    prices_ = sp.Sum(Lam(j), COUNTS)
    total = (
        K * Mean(kinds.best, d, e)
        + prices_
        + K * sp.Sum(Mean(kinds.pair, o), COUNTS)
        + sp.Sum(kinds.worst(t), (t, K + 1, N))
    )
    parts = split, first, later, stars, uses("ours/counting/good-rounds"), bads
    rounds, rel = {**ROUNDS, s0: PULL[s0]}, Rel(REGRET, "<=", total)
    return proof(follows(rel, *parts, domain=rounds, given=(LONG, UNITS), name="regret"), letters=LETTERS)
