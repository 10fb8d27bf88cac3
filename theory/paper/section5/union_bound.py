"""Section 5.2 (`sec:proof`): the law of the errors that the second term uses, and the sum over arms that bounds
it."""

from collections.abc import Callable

import sympy as sp

from theory.kernel.analysis import antiderivative
from theory.kernel.argument import Argument, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, everywhere, exactly
from theory.kernel.rules import (
    Applied,
    Expectation,
    Indicates,
    IntegralOf,
    Restated,
    SumOver,
    Use,
    applied,
    follows,
    instance,
    restated,
    uses,
)
from theory.kernel.terms import Event, Mean
from theory.model.arms import LETTERS, WEIGHTS, all_w, arm_goal, n, s, s0, tau_sq, tau_tilde_sq, w, w_k, weight
from theory.model.intervals import U, error
from theory.model.intervals import c as width_of
from theory.model.normal import phi, upper
from theory.model.play import COUNT, LATER, PLAY, WORDS, K, a, count, k, mu, o, others, t, tau, width
from theory.model.round_errors import ARM, CHOSEN, GIVEN, ROUND, X, d, e, fail_R, out, ratio, same
from theory.ours.bad_rounds import times
from theory.paper.section5.proof import OVER, SHORT_OF, f

x, y, c = sp.symbols("x y c")
reward = sp.Symbol("reward")


@claim(
    "sec:proof/posterior",
    by="paper",
    line=400,
    kind="step",
    severity="argument",
    cause="posterior",
    says=r"\mu_0\ \text{fixed (as in the theorem)}:\quad \mu_k\mid H_t\sim N(\hat\mu_{k,t},\tau_{k,t}^2)",
    cites=("sec:mu0Dist",),
)
def printed_posterior() -> Argument:
    """The lemma has a flat prior on mu_0; in the theorem mu_0 is a fixed number, and given the history mu_k has the
    smaller variance tilde-tau^2 around tilde-mu, which depends on mu_0. (Under the flat prior R_n itself would
    have no meaning as defined.)"""
    printed = arm_goal(tau_sq, "=", tau_tilde_sq, name="variance claimed against variance with mu_0 fixed")
    return refuted(
        printed,
        region=everywhere(printed, (1 - w_k) ** 2 * s0 / all_w, WEIGHTS),
        fails_when="always: tau_k^2 is larger by (1 - w_k)^2 sigma_0^2/W",
    )


@claim(
    "sec:proof/tail-union",
    by="paper",
    line=403,
    kind="step",
    severity="argument",
    cause="posterior",
    says=r"\mu_0\ \text{fixed},\ t>K:\quad E[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_{R;t}\}\mid H_t]\le\sum_k"
    r"\frac1{\sqrt{2\pi\tau_k^2}}\int_{c_k}^\infty xe^{-x^2/(2\tau_k^2)}dx",
    cites=("sec:proof/posterior",),
)
def printed_union() -> Argument:
    """Given the history the error is N(mu-hat - tilde-mu, tilde-tau^2), mu_0 being a number, and its mean grows with
    the rewards. One arm, sigma = sigma_0 = a = 1, mu_0 = 0, one reward 1: the error is N(1/2, 1/2), its part beyond c =
    sqrt(log 2) is 0.41, the right side 0.28. (Under the flat prior of Lemma sec:mu0Dist, which is not the theorem's
    model, it is true: see the repair. And the law of each single arm would not be enough: the pulled arm's
    error may lie within its width while another arm fails with a smaller one.)"""
    one = sp.Integer(1)
    mean, deviation, width = s / (s0 + s) * reward, sp.sqrt(s0 * s / (s0 + s)), sp.sqrt(a * s * sp.log(2))
    z = (width - mean) / deviation
    return refuted(
        Goal(
            Rel(mean * upper(z) + deviation * phi(z), "<=", sp.sqrt(s) * phi(sp.sqrt(a * sp.log(2)))),
            {s: positive(), s0: positive(), a: at_least(1), reward: real()},
            name="K = 1, t = 2, reward - mu_0 = x",
            letters={**LETTERS, reward: Letter(sp.Symbol("x"), "reward of the only arm minus mu_0")},
        ),
        at=Point(
            {s: one, s0: one, a: one, reward: one},
            {"K": "1", "n": ["1"], "t": "2", "sigma_sq": "1", "sigma0_sq": "1", "a": "1", "mu0": "0", "reward": "1"},
        ),
        region=one_arm(),
        fails_when="for one arm iff m Q((c-m)/v) + v phi((c-m)/v) > tau delta/sqrt(2 pi), m = (1-w)(r-bar - mu_0), v = "
        "tilde-tau; for every K and t whenever (1-w_I)(r-bar_0 - mu_0) > c_I + delta/sqrt(2 pi) times the "
        "sum of tau_k: the left side is at least the mean error of the pulled arm less c_I",
        also=(
            antiderivative(-phi(x), x * phi(x), x, {x: real()}, "x phi(x)"),
            arm_goal(
                w * x + (1 - w) * y - w * x,
                "=",
                (1 - w) * y,
                extra={x: real(), y: real()},
                name="mean error mu-hat - tilde-mu, mu_0 = 0, x = r-bar, y = r-bar_0",
            ),
            Goal(
                Rel(mean, "=", ((1 - w) * reward).subs(n, 1)),
                {s: positive(), s0: positive(), reward: real()},
                name="and for one arm pulled once",
            ),
            Goal(Rel(x - c, "<=", x), {x: real(), c: at_least(0)}, name="some interval fails: error >= error - c"),
            Goal(Rel(x - c, "<=", 0), {x: real(), c: at_least(0)}, (Rel(x, "<=", c),), "none fails: 0 >= error - c"),
        ),
    )


def one_arm() -> Region:
    """Where the display fails for one arm: its mean m over v, the tail at z and the density at z as symbols."""
    m, v, tail, density, tau, level = sp.symbols("m v tail density tau level")
    free = {**dict.fromkeys((v, tail, density, tau, level), positive()), m: real()}
    z = (tau * sp.sqrt(a * sp.log(t)) - m) / v
    meaning = {tail: upper(z), density: phi(z), level: t ** (-a / 2) / sp.sqrt(2 * sp.pi)}
    return exactly(
        Goal(Rel(m * tail + v * density, "<=", tau * level), free),
        Rel(m * tail / v + density, ">", tau * level / v),
        meaning,
    )


@claim(
    "sec:proof/tail-union/repaired",
    by="us",
    kind="step",
    cites=("ours/conditioning", "ours/correlation"),
    repairs="sec:proof/tail-union",
)
def union() -> Argument:
    """The printed inequality, given the reward differences. How many intervals fail beyond the first rises with every
    error, and so does the pulled arm's error; associated variables have nonnegative covariance, so counting every
    failing arm adds. And X_I = (Cov/tau_k^2) X_k + an independent part, with a factor of at most 1."""
    failures = sp.Sum(out(k), (k, 1, K))
    more = Mean(failures - fail_R, e)
    pitt = uses("ours/association", item="failing intervals")
    centred = instance(CENTRED, {k: CHOSEN}, ROUND, (LATER,), name="the pulled arm")
    nothing = times(centred.concludes.rel, more, ROUND, "no mean")
    each = sp.Sum(Mean(X(CHOSEN, t, d, e) * out(k), e), (k, 1, K))
    first = Rel(Mean(X(CHOSEN, t, d, e) * fail_R, e), "<=", each)
    counted = follows(first, pitt, centred, nothing, domain=ROUND, given=(LATER,), name="counting every failing arm")
    others_ = SumOver(own_error(), k, sp.Integer(1), K, ROUND, given=(LATER,), name="each arm by its own error")
    return proof(counted, others_, own_tail(), letters=GIVEN)


def gaussian(item: str) -> Use:
    """What the normal law of the errors given the reward differences says."""
    return uses("ours/conditioning/given-differences", item=item)


CENTRED = gaussian("an error has mean 0")


def positive_error() -> Applied:
    """X_k 1{X_k > c_k} >= 0, as c_k >= 0."""
    level = width * tau(k, t, d)
    says = Indicates(X(k, t, d, e) - level, ARM, part=True, strict=True, name="an error above its width")
    sign = Goal(
        Rel(x * f, ">=", 0),
        {x: real(), y: at_least(0), f: at_least(0)},
        (Rel(f * (x - y), ">=", 0),),
        "an error above its width is positive",
    )
    at = {x: X(k, t, d, e), y: level, f: out(k)}
    return applied(sign, at, says, domain=ARM, given=(LATER,), name="an error above its width is positive")


def own_error() -> Applied:
    """E[X_I 1{A_k}] <= E[X_k 1{A_k}]: given X_k the mean of X_I is r X_k, r = Cov/tau_k^2 <= 1; r = 1 if k = I."""
    means = [Mean(X(arm, t, d, e) * out(k), e) for arm in (CHOSEN, k)]
    law = uses("ours/conditioning/pair", item="the pulled arm given the error of arm k")
    share = Var(sp.Integer(0), high=sp.Integer(1))
    small = Goal(Rel(y + (1 - y) * (1 - c) / (1 + x), "<=", 1), {x: at_least(0), y: share, c: share}, name="r <= 1")
    weights = Goal(Rel(weight(n), "<=", 1), {n: COUNT, s: positive(), s0: positive()}, name="a weight")
    at_most = instance(weights, {n: count(CHOSEN, t, d)}, ARM, name="the weight of the pulled arm")
    below = applied(
        small, {x: others(k, t, d), y: same, c: weight(count(CHOSEN, t, d))}, at_most, domain=ARM, name="r <= 1"
    )
    sign = Expectation(positive_error(), (e,), name="a mean of nonnegative terms")
    numbers = {x: real(), y: real(), c: real()}
    product = Goal(Rel(x, "<=", y), numbers, (Rel(x, "=", c * y), Rel(c, "<=", 1), Rel(y, ">=", 0)), "a factor r <= 1")
    at = {x: means[0], y: means[1], c: ratio}
    return applied(product, at, law, below, sign, domain=ARM, given=(LATER, Rel(k, "<=", K)), name="one arm")


def tail_area() -> Restated:
    """E[Z 1{Z > sqrt(a log t)}] = t^(-a/2)/sqrt(2 pi) for a standard normal Z."""
    rounds = {x: real(), a: positive(), t: Var(sp.Integer(1), strict=True)}
    area = IntegralOf(x * phi(x), -phi(x), x, width, sp.oo, rounds, (None, sp.S.Zero), "tail of a standard normal")
    level = t ** (-a / 2) / sp.sqrt(2 * sp.pi)
    return restated(area, Rel(area.concludes.rel.stated[0], "=", level), "tail of a standard normal")


def own_tail() -> Applied:
    """E[X_k 1{A_k}] = tau_k phi(sqrt(a log t))."""
    area = tail_area()
    integral, level = area.concludes.rel.stated
    mean = Mean(X(k, t, d, e) * out(k), e)
    law = gaussian("tail of one arm")
    numbers = dict.fromkeys((x, y, c, reward), real())
    scaled = Goal(Rel(x, "=", reward * c), numbers, (Rel(x, "=", reward * y), Rel(y, "=", c)), "times tau")
    at = {x: mean, y: integral, c: level, reward: tau(k, t, d)}
    return applied(scaled, at, law, area, domain=ARM, given=(LATER,), name="one tail")


@claim("sec:proof/tail-union/own-event", by="us", kind="step", cites=("regret-decom/events",))
def own_event() -> Argument:
    """A simpler way: let each arm answer for its own interval only. Then the pulled arm's tail is one term of the sum,
    and the best arm's too, every term being nonnegative."""
    arm = {**PLAY, k: COUNT}

    def one(error_: sp.Expr, lemma: Goal, printed: Callable[[sp.Expr], Rel], name: str) -> Restated:
        happened = Event(error_ - width_of(k), 1)
        says = Indicates(error_ - width_of(k), arm, strict=True, name="an interval")
        found = applied(lemma, {x: error_, y: width_of(k), f: happened}, says, domain=arm, given=(LATER,))
        return restated(found, printed(error_ * happened), name)

    return proof(
        one(error(k), OVER, lambda tail: Rel(U(k) - mu(k, o), "<=", 2 * width_of(k) + tail), "above"),
        one(-error(k), SHORT_OF, lambda tail: Rel(mu(k, o) - U(k), "<=", tail), "below"),
        letters=WORDS,
    )
