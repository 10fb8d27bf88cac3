"""Section 5 (`sec:analysis`): which prior makes the BLUP the mode of a posterior."""

import sympy as sp

from theory.kernel.argument import Argument, Item, gap, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import Follows, Instance, SumOver, follows, instance
from theory.model import posterior
from theory.model.arms import LETTERS, n, s, s0, w
from theory.model.arms import weight as weight_of
from theory.model.play import COUNT
from theory.model.posterior import K, mu0
from theory.ours.bad_rounds import times

pulls, average, y, z, u, v, p, q, theta = sp.symbols("n x y z u v p q theta")  # y, z: values of mu_i; u, v: of mu_0
SHARE = Var(sp.Integer(0), high=sp.Integer(1))
ONE_ARM = {pulls: COUNT, s: positive(), s0: positive(), **dict.fromkeys((average, y, z, u, v), real())}
NU, nu0 = sp.Function("nu")(posterior.i), sp.Symbol("nu_0")  # another point
POINTS = {NU: real(), nu0: real()}


@claim(
    "sec:analysis/map",
    by="paper",
    line=284,
    kind="prose",
    severity="argument",
    cause="posterior",
    says=r"\mu_k\sim N(\mu_0,\sigma_0^2):\quad \hat\mu_k\ \text{is the maximiser of the posterior of}\ \mu_k\ "
    r"\text{given history}",
    cites=("mu-estimator", "blup"),
)
def printed_map() -> Argument:
    """A hypothesis is missing: a flat prior on mu_0. With mu_0 a fixed number, as in the theorem, the posterior mode
    is tilde-mu_k, which uses mu_0. One arm, one reward 1, mu_0 = 0 and equal variances: the mode is 1/2 and the
    estimate is 1."""
    x, mu0 = sp.symbols("reward mu0")
    free = {s: positive(), s0: positive()}
    inference = Goal(
        Rel(x, "=", (w * x + (1 - w) * mu0).subs(n, 1)),
        {**free, x: real(), mu0: real()},
        name="K = 1, n = 1: estimate against posterior mode",
        letters={**LETTERS, x: Letter(x, "the reward of the only arm"), mu0: LETTERS[sp.Symbol("mu_0")]},
    )
    return gap(
        inference,
        premises=(Goal(inference.rel.at({mu0: x}), {**free, x: real()}, name="the two agree if r-bar_0 = mu_0"),),
        region=unequal(inference, x - mu0),
        at=Point(
            {s: sp.Integer(1), s0: sp.Integer(1), x: sp.Integer(1), mu0: sp.Integer(0)},
            {"K": "1", "n": ["1"], "sigma_sq": "1", "sigma0_sq": "1", "reward": "1", "mu0": "0"},
        ),
        fails_when="fixed mu_0, unless r-bar_0 = mu_0: with one arm and one reward, unless the reward is mu_0",
    )


@claim(
    "sec:analysis/map/repaired",
    by="us",
    kind="prose",
    cites=("sec:mu0Dist", "blup"),
    repairs="sec:analysis/map",
)
def flat_prior_map() -> Argument:
    """With a flat prior on mu_0 the joint log density is a concave quadratic in all K + 1 variables. Around the BLUPs
    and r-bar_0 its linear part is the sum of w_i (r-bar_i - r-bar_0), which is 0: they maximise it."""
    return proof(jointly_concave(), largest_at_the_estimates(), letters={**posterior.WORDS, **OTHER_POINT})


def squares(factor: sp.Expr, own: sp.Expr, common: sp.Expr, domain: dict[sp.Symbol, Var]) -> Instance:
    """A nonnegative factor times n own^2/sigma^2 + common^2/sigma_0^2."""
    free = {**domain, p: real(), q: real()}
    total = Rel(factor * (pulls * p**2 / s + q**2 / s0), ">=", 0)
    return instance(Goal(total, free, name="squares", squares=(p, q)), {p: own, q: common}, domain, name="squares")


def over_arms(term: Item, more: dict[sp.Expr, sp.Expr], *given: Rel) -> SumOver:
    """The sum over the arms of a relation about one of them."""
    family = {pulls: posterior.count, average: posterior.average, **more}
    domain = {**posterior.ARMS, **POINTS, theta: SHARE}
    return SumOver(term, posterior.i, sp.Integer(1), K, domain, family, given=given, name="all arms")


OTHER_POINT = {
    NU: Letter(NU, "other values of the arm means"),
    nu0: Letter(nu0, "another value of mu_0"),
    theta: Letter(theta, "any share"),
}


def jointly_concave() -> Follows:
    """Between two points the log density is at least its chord."""
    domain = {**ONE_ARM, theta: SHARE}
    between = posterior.misfit(pulls, average, theta * y + (1 - theta) * z, theta * u + (1 - theta) * v)
    ends = theta * posterior.misfit(pulls, average, y, u) + (1 - theta) * posterior.misfit(pulls, average, z, v)
    gap_ = squares(theta * (1 - theta), y - z, y - z - u + v, domain)
    one = follows(Rel(between, "<=", ends), gap_, domain=domain, name="one arm, concave")
    arms = over_arms(instance(one, {u: mu0, v: nu0}, {**domain, mu0: real(), nu0: real()}), {y: posterior.mean, z: NU})
    mixed = posterior.LogPosterior(theta * posterior.mean + (1 - theta) * NU, theta * mu0 + (1 - theta) * nu0)
    chord = theta * posterior.LogPosterior(posterior.mean, mu0) + (1 - theta) * posterior.LogPosterior(NU, nu0)
    return follows(Rel(mixed, ">=", chord), arms, domain=arms.domain, name="jointly concave")


def largest_at_the_estimates() -> Follows:
    """No point has a larger density than the BLUPs and r-bar_0."""
    weight, centre = weight_of(pulls), posterior.centre
    apart = y - (1 - weight) * v - weight * average
    least = posterior.misfit(pulls, average, (1 - weight) * v + weight * average, v)
    slope = 2 * weight * (average - v) * (u - v) / s0
    rest = squares(sp.Integer(1), apart, apart - u + v, ONE_ARM)
    bound = Rel(least, "<=", posterior.misfit(pulls, average, y, u) + slope)
    one = follows(bound, rest, domain=ONE_ARM, name="one arm")
    here = {**ONE_ARM, mu0: real(), centre: real()}
    arms = over_arms(instance(one, {u: mu0, v: centre}, here), {y: posterior.mean})
    gls = Rel(
        centre * posterior.total(posterior.weight_i), "=", posterior.total(posterior.weight_i * posterior.average)
    )
    level = times(gls, 2 * (mu0 - centre) / s0, dict(arms.domain), "no slope in mu_0")
    estimate = (1 - posterior.weight_i) * centre + posterior.weight_i * posterior.average
    points = (estimate, centre), (posterior.mean, mu0)
    misfits = [posterior.total(posterior.misfit(posterior.count, posterior.average, *point)) for point in points]
    numbers = dict.fromkeys((y, z, p, q), real())
    level_ = Rel(y, "<=", z + q - p), Rel(p, "=", q)
    flat = Goal(Rel(y, "<=", z), numbers, level_, "no slope", short=posterior.SHORT)
    at = {y: misfits[0], z: misfits[1], p: level.concludes.rel.stated[0], q: level.concludes.rel.stated[1]}
    known = arms.concludes.rel, level.concludes.rel
    last = instance(flat, at, arms.domain, known, name="no slope")
    parts = arms, level, last
    fits = follows(Rel(misfits[0], "<=", misfits[1]), *parts, domain=arms.domain, given=(gls,), name="all arms")
    heights = [posterior.LogPosterior(*point) for point in points]
    best = Rel(heights[1], "<=", heights[0])
    return follows(best, fits, domain=arms.domain, given=(gls,), name="largest at the estimates")
