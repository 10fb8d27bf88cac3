"""A family of bounds between ours/sharp and ours/logarithmic: a multiple of the regret is subtracted from its bound,
and charged to the pulls that made it; eta is a price per pull."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, real
from theory.kernel.rules import Applied, Expectation, SplitSum, SumOver, applied, instance, uses
from theory.kernel.terms import Mean
from theory.model.counts import NOW, ONE_PAIR, PULLS, SPREAD, counts, g, j, spread
from theory.model.play import BEST, PULLED, K, N, count, k, mu, o, t
from theory.model.regret import LOSS, R_N, WORDS
from theory.ours.arm_count_pairs import ARMS, dual, eta, positive_part
from theory.ours.counting import AFTER, EXTRA, ONE
from theory.ours.equal_shares import MORE
from theory.ours.pull_counts import of_pull
from theory.ours.root_series import linked
from theory.ours.sharp import FIRST, LAST_WIDTH, TAILS, last_factor, later_rounds

x, y, z, u, v, p, q, r, lam = sp.symbols("x y z u v p q r lambda")
GAP = mu(BEST, o) - mu(k, o)
LAST = spread(N)  # the factor of the last round
PULL = (1 + lam) * LAST * g(j) - lam * GAP  # what a pull of arm k at count j may cost, less lambda times its gap
FAMILY = {**PULLS, lam: at_least(0), eta: at_least(0)}
FACTORS = {
    lam: Letter(lam, "how much of the regret is subtracted: any number"),
    eta: Letter(eta, "price of a pull: any number"),
}


def one_pull() -> Applied:
    """Pathwise: (1+lambda) times the width met in a round, less lambda times its gap, is at most what the pair of arm
    and count that is met makes of it, with the factor of the last round."""
    given = (AFTER, NOW)
    wide = g(count(PULLED, t, o))
    most = Goal(
        Rel((1 + x) * (y * z) - x * u, "<=", (1 + x) * v * z - x * u),
        {x: at_least(0), z: at_least(0), **dict.fromkeys((y, u, v), real())},
        (Rel(y, "<=", v),),
        "the last factor",
    )
    named = instance(SPREAD, {t: N}, FAMILY, (Rel(N, ">", K),), name="the factor of the last round")
    turned = Goal(Rel(x, "<=", y), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", z), Rel(y, "=", z)), "by its name")
    at = {x: spread(t), y: LAST, z: LAST_WIDTH}
    factor = applied(turned, at, last_factor(), named, domain=FAMILY, given=given, name="at most the last factor")
    at = {x: lam, y: spread(t), z: wide, u: LOSS, v: LAST}
    larger = applied(most, at, factor, domain=FAMILY, given=given, name="with the last factor")
    pairs = of_pull(g(j)), of_pull(mu(k, o)), ONE_PAIR
    widths, means = (rule.concludes.rel.stated[1] for rule in pairs[:2])
    split = Goal(
        Rel((1 + x) * v * z - x * (u - y), "=", (1 + x) * v * p - x * (u * q - r)),
        dict.fromkeys((x, y, z, u, v, p, q, r), real()),
        (Rel(z, "=", p), Rel(y, "=", r), Rel(q, "=", 1)),
        "one pair is met",
    )
    at = {
        x: lam,
        v: LAST,
        z: wide,
        u: mu(BEST, o),
        y: mu(PULLED, o),
        p: widths,
        q: ONE_PAIR.concludes.rel.left,
        r: means,
    }
    pair = applied(split, at, *pairs, domain=FAMILY, given=given, name="one pair is met")
    return linked(larger, pair, domain=FAMILY, given=given, name="one pull")


@claim("ours/subtracted/pulls", by="us", kind="step")
def pulls() -> Argument:
    """Of every play: what its rounds cost after lambda times the gaps is subtracted is a sum over pairs of an arm and a
    count, each met at most once; the price eta per pull turns it into positive parts, as in ours/duality."""
    given = (MORE,)
    met = SumOver(one_pull(), t, K + 1, N, FAMILY, given=given, name="all pulls")
    left = sp.Sum((1 + lam) * spread(t) * g(count(PULLED, t, o)) - lam * LOSS, (t, K + 1, N))
    pathwise = linked(met, dual(PULL, FAMILY, given), domain=FAMILY, given=given, name="pulls", left=left)
    return proof(pathwise, letters={**WORDS, **FACTORS})


@claim("ours/subtracted", by="us", kind="bound")
def subtracted() -> Argument:
    """From R <= C + T also R <= (1+lam)(C+T) - lam R; the subtracted regret is charged to the pulls that made it. The
    sum over the best arm, with gap 0, is included: at eta = 0 it grows like sqrt(n), so no member of the family is
    logarithmic without a price."""
    given = (MORE,)
    charged = Expectation(uses("ours/subtracted/pulls"), (o,))
    lost = sp.Sum(Mean(LOSS, o), (t, K + 1, N))
    widths = sp.Sum(spread(t) * Mean(g(count(PULLED, t, o)), o), (t, K + 1, N))
    subtract = Goal(
        Rel(x, "<=", (1 + lam) * z + u),
        {**dict.fromkeys((x, y, z, u), real()), lam: at_least(0)},
        (Rel(x, "<=", y + z), Rel((1 + lam) * y - lam * x, "<=", u)),
        "subtract lambda R",
    )
    parts = Mean(sp.Sum(positive_part(PULL), counts, ARMS), o)
    at = {x: lost, y: widths, z: TAILS, u: eta * EXTRA + parts}
    later = applied(subtract, at, later_rounds(), charged, domain=FAMILY, given=given, name="later rounds")
    first = SumOver(
        uses("sec:analysis/round-robin", item="one of the first rounds"), t, ONE, K, PULLS, name="the first K rounds"
    )
    split = SplitSum(Mean(LOSS, o), t, ONE, K, N, FAMILY, given, "the first K rounds and the others")
    whole = Goal(
        Rel(x, "<=", y + z),
        dict.fromkeys((x, y, z, u, v), real()),
        (Rel(x, "=", u + v), Rel(u, "=", y), Rel(v, "<=", z)),
    )
    at = {
        x: R_N,
        u: sp.Sum(Mean(LOSS, o), (t, 1, K)),
        v: lost,
        y: K * FIRST,
        z: (1 + lam) * TAILS + eta * EXTRA + parts,
    }
    return proof(
        applied(whole, at, split, first, later, domain=FAMILY, given=given, name="subtracted"),
        letters={**WORDS, **FACTORS},
    )
