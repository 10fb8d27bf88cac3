"""Sharper words on printed statements: exactly where a lemma holds, and how large a bias is."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import Cases, applied
from theory.model.arms import LETTERS
from theory.model.width_ratio import RATIO_LETTERS, q, r, ratio

k, M, j, s = sp.symbols("k M j s")
K = sp.Symbol("K", positive=True)


@claim(
    "lemma:tauTotau/holds-iff",
    by="us",
    kind="inequality",
    cites=("tau_SG",),
)
def where_the_lemma_holds() -> Argument:
    """In u = (1-w_k)/W <= rho/K the ratio (1+u)/(1+sqrt(u))^2 falls to 1/2 at u = 1 and rises after. If rho <= K it is
    least at u = rho/K, which one pull each attains; there the lemma reads rho (1+rho) >= 1. If rho > K then 1/2 is
    already above the printed bound. So the lemma holds for all counts just when rho (1+rho) >= 1, rho >= 0.618: in the
    settings of Figures 1a, 1c and 2, rho = 25/4, 3 and 100/3, and not in that of 1b, rho = 1/4."""
    printed = (1 + 1 / (k * (1 + k * q**2))) / (1 + q) ** 2
    free = {k: at_least(1), q: positive(), r: positive()}
    golden, few, within = Rel(k * q**2 * (1 + k * q**2), ">=", 1), Rel(q, "<=", 1), Rel(r, "<=", q)
    least = Goal(Rel(ratio, ">=", ratio.subs(r, q)), free, (within, few), "least at one pull each")
    one_pull = Goal(Rel(ratio.subs(r, q), ">=", printed), free, (golden,), "one pull each")
    half = Goal(Rel(ratio, ">=", sp.Rational(1, 2)), free, name="never below 1/2", squares=(1 - r,))
    above = Goal(Rel(sp.Rational(1, 2), ">=", printed), free, (few.negation,), "many arms' noise")
    x, y, z = sp.symbols("x y z")
    order = Goal(Rel(x, ">=", z), dict.fromkeys((x, y, z), real()), (Rel(x, ">=", y), Rel(y, ">=", z)), "in order")
    ends = {x: ratio, z: printed}
    small = applied(
        order, {**ends, y: ratio.subs(r, q)}, least, one_pull, domain=free, given=(within, few, golden), name="rho <= K"
    )
    middle = {**ends, y: sp.Rational(1, 2)}
    large = applied(order, middle, half, above, domain=free, given=(few.negation,), name="rho > K")
    holds = Cases(few, small, large, "the lemma holds")
    fails = Goal(Rel(ratio.subs(r, q), "<", printed), free, (golden.negation,), "it fails at one pull each")
    return proof(holds, fails, letters={**RATIO_LETTERS, k: Letter(K, "number of arms")})


@claim(
    "variance2/asymptotic-bias",
    by="us",
    kind="identity",
    cites=("variance2/expectation",),
)
def bias_with_one_long_arm() -> Argument:
    """The bias is (K-1) sigma^2/n_* with n_* = N - sum n_k^2/N, here at the counts (M, 1, ..., 1), N = M + K - 1. More
    pulls of one arm do not remove it: it tends to sigma^2/2, so that the printed estimator is not even asymptotically
    unbiased along such counts."""
    N = M + j
    n_star = N - (M**2 + j) / N
    free = {M: at_least(1), j: at_least(1), s: positive()}
    closed = s / 2 + s * (j + 1) / (2 * (2 * M + j - 1))
    letters = {
        j: Letter(K - 1, "number of other arms"),
        M: Letter(M, "pulls of one arm; the others have one each"),
        s: LETTERS[s],
    }
    return proof(
        Goal(Rel(j * s / n_star, "=", closed), free, name="the bias"),
        Goal(Rel(closed, ">", s / 2), free, name="above half the noise variance"),
        Goal(Rel(closed, "<=", s / 2 + s * (j + 1) / (4 * M)), free, name="and tends to it"),
        letters=letters,
    )
