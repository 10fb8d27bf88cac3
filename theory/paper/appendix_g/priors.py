"""Appendix G (`sec:extensions`): which priors and supports Theorem them-R-Bayes-SubR is about."""

from functools import cache

import sympy as sp

from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import (
    Applied,
    Chord,
    Expectation,
    Follows,
    IntegralOf,
    Monotone,
    Restated,
    Rises,
    applied,
    chain,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.rules.compose import conclusion, merged
from theory.kernel.terms import Mean
from theory.model.arms import PROXIES, proxy_goal, s, s0
from theory.model.laws import MU, BetaThirdMoment, BetaVariance, UniformMean
from theory.model.play import BEST, COUNT, PULLED, K, N, a, o
from theory.model.play import WORDS as PLAYED
from theory.model.quantities import TAU_SQ, W_K
from theory.model.regret import R_N, ScaledRegret
from theory.model.regret_bounds import PARAMETERS, T_1, Bound
from theory.paper.appendix_g.theorem_subgaussian import lam, mu

x, y, z, b, c, h = sp.symbols("x y z b c h")


@claim(
    "sec:extensions/wlog",
    by="paper",
    line=768,
    kind="prose",
    cites=("ours/shift-invariance", "MSE"),
)
def without_loss() -> Argument:
    """Support [0, 1] is no restriction: ReUCB with both deviations scaled by c makes the same choices, and its
    regret is scaled by c."""
    scaled = {s: c**2 * s, s0: c**2 * s0}
    free = {c: positive(), x: real(), y: real(), b: real()}
    letters = {
        x: Letter(sp.Symbol("rbar_k"), "average reward of arm k"),
        y: Letter(sp.Symbol("rbar_0"), "the common mean's estimate"),
        c: Letter(c, "factor of the rewards: r becomes c r + b"),
        b: Letter(b, "shift of the rewards"),
    }
    estimate = W_K * (c * x + b) + (1 - W_K) * (c * y + b)
    return proof(
        proxy_goal(W_K.xreplace(scaled), "=", W_K, extra=free, name="weights"),
        proxy_goal(TAU_SQ.xreplace(scaled), "=", c**2 * TAU_SQ, extra=free, name="tau^2"),
        proxy_goal(estimate, "=", c * (W_K * x + (1 - W_K) * y) + b, extra=free, name="estimate"),
        letters=letters,
    )


@claim("sec:extensions/wlog/bounds", by="us", kind="prose")
def bounds_and_the_range() -> Argument:
    """So the theorem loses nothing by the support [0, 1] if it is read in units of the range: for rewards in an
    interval of length c, whose deviations are c sigma and c sigma_0, the indices keep their order and the regret, the
    leading term and the tail of part (1) are multiplied by c. The tail of part (2), 2K(1 + log n), is not, and must
    be: part (2) then reads leading term + 2cK(1 + log n)."""
    free = {**PARAMETERS, c: positive(), b: real(), o: real(), PULLED: COUNT, BEST: COUNT}
    leading, tail = Bound("ell_2", K, N, s0, s, a), 2 * K * (1 + sp.log(N))
    scaled, scaled_tail = (Bound(name, K, N, c**2 * s0, c**2 * s, a) for name in ("ell_2", "T_1"))
    regret = ScaledRegret(N, c, b, o)
    regrets = Goal(Rel(regret, "=", c * R_N), free, name="regret")
    leads = Goal(Rel(scaled, "=", c * leading), free, name="leading term")
    r, t, u, v = sp.symbols("r t u v")
    numbers = {**dict.fromkeys((r, t, u, v, x, z), real()), c: positive()}
    times = Goal(
        Rel(v, "<=", z + c * t), numbers, (Rel(r, "<=", x + t), Rel(v, "=", c * r), Rel(z, "=", c * x)), "times c"
    )
    given = (Rel(R_N, "<=", leading + tail),)
    at = {r: R_N, t: tail, v: regret, x: leading, z: scaled}
    return proof(
        scaled_index(),
        regrets,
        leads,
        Goal(Rel(scaled_tail, "=", c * T_1), free, name="tail of part (1)"),
        Goal(Rel(tail, "<", c * tail), free, (Rel(c, ">", 1),), "tail of part (2)"),
        applied(times, at, regrets, leads, domain=free, given=given, name="part (2) in units of the range"),
        letters=SCALED_LETTERS,
    )


SCALED_LETTERS = {
    **PLAYED,
    **PROXIES,
    R_N: Letter(R_N, "Bayes regret of n rounds"),
    c: Letter(c, "rewards r become c r + b, both deviations are multiplied by c"),
    b: Letter(b, "shift of the rewards"),
    ScaledRegret(N, c, b, o): Letter(ScaledRegret(N, c, b, o), "regret of the same pulls after that"),
    x: Letter(sp.Symbol("rbar_k"), "average reward of arm k"),
    y: Letter(sp.Symbol("rbar_0"), "the common mean's estimate"),
    h: Letter(sp.Symbol("c_t"), "sqrt(a log t)"),
}


def scaled_index() -> Applied:
    """mu-hat + h tau becomes c (mu-hat + h tau) + b, from sec:extensions/wlog."""
    estimate, square = (uses("sec:extensions/wlog", item=item) for item in ("estimate", "tau^2"))
    free = {**merged((estimate.concludes, square.concludes)), h: positive()}
    given = tuple(dict.fromkeys((*estimate.concludes.given, *square.concludes.given)))
    roots = Monotone(square, sp.sqrt(z), z, {z: positive()}, name="widths")
    p, q, u, v = sp.symbols("p q u v")
    root = Goal(Rel(sp.sqrt(c**2 * v), "=", c * sp.sqrt(v)), {c: positive(), v: positive()}, name="root of c^2 tau^2")
    numbers = {**dict.fromkeys((p, q, u, v, z, b), real()), c: positive(), h: positive()}
    sums = Goal(
        Rel(p + h * u, "=", c * (q + h * v) + b),
        numbers,
        (Rel(p, "=", c * q + b), Rel(u, "=", z), Rel(z, "=", c * v)),
        "estimate and width",
    )
    (before, after), (old, new) = estimate.concludes.rel.stated, roots.concludes.rel.stated
    own = instance(root, {v: TAU_SQ}, free, given)
    at = {p: before, q: (after - b) / c, u: old, z: new, v: sp.sqrt(TAU_SQ)}
    return applied(sums, at, estimate, roots, own, domain=free, given=given, name="index")


LOW, HIGH, CENTRE = sp.Rational(1, 5), sp.Rational(1, 2), sp.Rational(7, 20)  # the uniform prior of the experiment


@claim("sec:extensions/uniform-prior", by="us", kind="prose")
def uniform_prior() -> Argument:
    """A uniform variable on [-h, h] has E exp(l X) = sinh(lh)/(lh), and sinh(y) <= y exp(y^2/6): the difference f of
    the two sides has f'' - f = (y^3/9) exp(y^2/6) >= 0, so that exp(-y) (f' + f) rises from 0, and then exp(y) f."""
    variance = UniformMean((MU - CENTRE) ** 2, LOW, HIGH)
    square = IntegralOf((x - CENTRE) ** 2, (x - CENTRE) ** 3 / 3, x, LOW, HIGH, {x: real()}, name="squared deviation")
    return proof(
        uniform_moment(1, "moment at lambda"),
        uniform_moment(-1, "moment at -lambda"),
        follows(Rel(variance, "=", sp.Rational(3, 400)), square, domain={}, name="the proxy is the variance"),
        letters={lam: Letter(lam, "any positive number")},
    )


def uniform_moment(sign: int, name: str) -> Restated:
    """E exp(sign l (mu - 7/20)) <= exp(l^2/2 * 3/400)."""
    free, half = {lam: positive()}, (HIGH - LOW) / 2
    power = sp.exp(sign * lam * (x - CENTRE))
    integral = IntegralOf(power, sign * power / lam, x, LOW, HIGH, {**free, x: real()}, name=f"integral, {name}")
    below = instance(sinh_below(), {x: half * lam}, free, name=f"at 3 l/20, {name}")
    u, v, c_, d = sp.symbols("u v c d")
    given = Rel(u, "=", (c_ - d) / lam), Rel((c_ - d) / 2, "<=", half * lam * v)
    numbers = {**free, **dict.fromkeys((u, v, c_, d), real())}
    divided = Goal(Rel(u / (HIGH - LOW), "<=", v), numbers, given, "divided by l")
    bound = sp.exp(lam**2 / 2 * sp.Rational(3, 400))
    at = {u: conclusion(integral).rel.stated[0], v: bound, c_: sp.exp(half * lam), d: sp.exp(-half * lam)}
    mean = applied(divided, at, integral, below, domain=free, name=name)
    return restated(mean, Rel(UniformMean(sp.exp(sign * lam * (MU - CENTRE)), LOW, HIGH), "<=", bound), name)


@cache
def sinh_below() -> Applied:
    """(exp(y) - exp(-y))/2 <= y exp(y^2/6) for y >= 0."""
    free, one = {x: at_least(0)}, sp.Integer(1)
    first = Rises((1 + x + x**2 / 3) * sp.exp(x**2 / 6 - x) - 1, x, sp.Integer(0), free, "exp(-y) (f' + f)")
    start = Goal(Rel(0, "<=", x), free, name="y is not negative")
    raised = x * sp.exp(x**2 / 6 + x) - (sp.exp(2 * x) - 1) / 2
    second = Monotone(start, raised, x, free, name="exp(y) f", slope=(first,))
    u, v = sp.symbols("u v")
    divided = Goal(
        Rel((u - 1 / u) / 2, "<=", z * v),
        {u: positive(), v: real(), z: real()},
        (Rel(0, "<=", z * v * u - u**2 / 2 + one / 2),),
        "divided by exp(y)",
    )
    at = {u: sp.exp(x), v: sp.exp(x**2 / 6), z: x}
    return applied(divided, at, second, domain=free, name="sinh(y) <= y exp(y^2/6)")


@claim(
    "sec:extensions/beta-prior",
    by="paper",
    line=833,
    kind="prose",
    severity="argument",
    cause="skewed-prior",
    says=r"\mu_k\sim\text{Beta}(1,9):\quad\mu_k-\mu_0\sim\text{subG}(\sigma_0^2)\ \text{with the variance}\ "
    r"\sigma_0^2=9/1100\ \text{that ReUCB}^*\ \text{is given}",
    cites=("sec:fact/proxy-is-variance",),
)
def beta_prior() -> Argument:
    """A variance is a proxy only when the third central moment is 0; that of Beta(1, 9) is 3/2750. So in this
    experiment the theorem's hypothesis does not hold with the sigma_0^2 in use."""
    p, q = sp.symbols("p q")
    variance = sp.Rational(9, 1100)
    printed = Goal(
        Rel(BetaThirdMoment(p, q), "=", 0),
        {p: positive(), q: positive()},
        name="third central moment, which a proxy equal to the variance forces to be 0",
        letters={p: Letter(p, "mu_k has the law Beta(p, q)"), q: Letter(q, "mu_k has the law Beta(p, q)")},
    )
    return refuted(
        printed,
        at=Point(
            {p: sp.Integer(1), q: sp.Integer(9)},
            {"p": "1", "q": "9", "sigma0_sq": str(variance)},
            words={"mu_k": "Beta(1, 9)"},
        ),
        region=unequal(printed, q - p),
        fails_when="every skewed prior: Beta(p, q) with p != q",
        also=(Goal(Rel(BetaVariance(1, 9), "=", variance), name="the variance"),),
    )


@claim(
    "sec:extensions/beta-prior/repaired",
    by="us",
    kind="prose",
    repairs="sec:extensions/beta-prior",
)
def bounded_prior() -> Argument:
    """exp is convex, so exp(l x) lies below its chord over [0, 1]: the moment generating function is at most that
    of a Bernoulli variable with the same mean, which has proxy 1/4; for both signs of l."""
    mean, unit = Mean(x, x), Var(sp.Integer(0), high=sp.Integer(1))
    inside = (Rel(mean, ">", 0), Rel(mean, "<=", 1))

    def moment(sign: int, item: str) -> Follows:
        free = {x: unit, lam: at_least(0)}
        below = Expectation(Chord(sp.exp(sign * lam * x), x, free, f"exp below its chord: {item}"), (x,), name=item)
        coin = instance(uses("sec:extensions/bernoulli", item=item), {mu: mean}, free, inside, item)
        return chain(below, coin, name=item, domain=free, given=inside)

    letters = {x: Letter(sp.Symbol("mu_k"), "mean of arm k, in [0, 1]")}
    return proof(
        *(moment(sign, f"moment at {name}") for sign, name in ((1, "lambda"), (-1, "-lambda"))), letters=letters
    )
