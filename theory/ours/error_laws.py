"""Laws of the errors of a round given the reward differences, as the proofs use them: they are jointly normal with mean
0, variances tau^2 and nonnegative covariances (ours/conditioning, ours/contrasts, ours/correlation). Each theorem about
normal vectors is cited here, and used from here.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import GAUSSIAN_CONDITIONING, PITT
from theory.kernel.goal import Goal, Rel, positive
from theory.kernel.rules import Cited, cited
from theory.kernel.terms import Mean
from theory.model import deviations, known_play
from theory.model import round_errors as errors
from theory.model import round_kinds as kinds
from theory.model.arms import V0, W, arm_goal, tau_sq, w, weight
from theory.model.counts import NOW, g
from theory.model.moments import w_i
from theory.model.normal import phi, upper
from theory.model.play import LATER, K, count, k, others, t, tau, width
from theory.model.round_errors import CHOSEN, X, d, e, fail_R, given, out, same, slope
from theory.model.statistics import Cov, mu_k, mu_tilde, r_kj
independent = None

x, h, L = sp.symbols("x h L")
TAIL = sp.Integral(x * phi(x), (x, width, sp.oo))  # E[Z 1{Z > sqrt(a log t)}], Z standard normal


def of_kinds(rel: Rel, name: str) -> Goal:
    return Goal(rel, kinds.ALL, (LATER, NOW), name, letters=kinds.WORDS)


@claim(
    "ours/conditioning/given-differences",
    by="us",
    kind="statement",
    uses=("ours/conditioning", "ours/contrasts", "ours/width-ratio", "ours/psi"),
)
def given_differences() -> Argument:
    """Given all reward differences, and so all choices, counts and widths, the error of an arm is N(0, tau^2). What the
    proofs use of this law: its mean, its square, what lies beyond a multiple of tau, and for the counting bound the
    chance and the size of errors below their levels -theta_k tau_k, theta_k >= theta_t(n_I) by ours/width-ratio."""
    error, pulls = X(k, t, d, e), kinds.pulls
    found = (
        given("an error has mean 0", Rel(Mean(error, e), "=", 0)),
        given("square of an error", Rel(Mean(error**2, e), "=", tau(k, t, d) ** 2)),
        given("tail of one arm", Rel(Mean(error * out(k), e), "=", tau(k, t, d) * TAIL)),
        given("tail of a standard normal", Rel(Mean(errors.beyond(k), e), "=", TAIL)),
        of_kinds(Rel(Mean(kinds.above(k, t, d, e), e), ">=", 1 - kinds.miss(t, pulls)), "an error above its level"),
        of_kinds(Rel(Mean(kinds.rest, e), "<=", g(pulls) * kinds.lift(t)), "the error of the pulled arm"),
        of_kinds(
            Rel(Mean(kinds.beyond(k, t, d, e), e), "<=", g(kinds.ONE) * kinds.tail(t, pulls)),
            "an error beyond its level",
        ),
    )
    return proof(*(independent(goal) for goal in found), letters={**kinds.WORDS, **errors.GIVEN})


def covariance() -> Goal:
    """Of two errors."""
    weights = {w_i: positive()}
    return arm_goal((1 - w_i) * (1 - w) * V0, ">=", 0, given=(Rel(w_i, "<=", 1),), extra=weights, name="covariance")


def associated(goal: Goal) -> Cited:
    return cited(PITT, hypotheses=(covariance(),), gives=goal, name=goal.name)


@claim("ours/association", by="us", kind="inequality", uses=("ours/conditioning", "ours/correlation"))
def association() -> Argument:
    """Given the reward differences the errors are jointly normal with nonnegative covariances, so that two functions of
    them that rise with every error have a nonnegative covariance: the pulled arm's error and the number of intervals
    that fail beyond the first; the events that errors are above their levels; the pulled arm's error and that none is
    below its level; and that another arm's error is not very low."""
    failures = sp.Sum(out(k), (k, 1, K)) - fail_R
    error, rest, none = X(CHOSEN, t, d, e), kinds.rest, kinds.none
    all_above = sp.Product(Mean(kinds.above(k, t, d, e), e), kinds.OTHERS)
    lost = Rel(Mean(rest * (1 - none), e), "<=", Mean(rest, e) * (1 - Mean(none, e)))
    found = (
        given("failing intervals", Rel(Mean(error * failures, e), ">=", Mean(error, e) * Mean(failures, e))),
        of_kinds(Rel(Mean(none, e), ">=", all_above), "no error"),
        of_kinds(lost, "the pulled arm in bad rounds"),
        deviations.TOGETHER,
    )
    return proof(*map(associated, found), letters={**kinds.WORDS, **errors.GIVEN})


def normal_equations() -> Goal:
    """Cov(X_I - r X_k, X_k) = 0 for another arm than k, r = (1 - w_I)/(W + 1 - w_k)."""
    ratio = (1 - w_i) / (W + 1 - w)
    rest = (1 - w_i) * (1 - w) * V0 - ratio * tau_sq
    return arm_goal(rest, "=", 0, extra={w_i: positive()}, name="Cov(X_I - r X_k, X_k)")


def ratio_of_errors() -> sp.Expr:
    """r = Cov(X_I, X_k)/tau_k^2, 1 if arm k is pulled."""
    return same + (1 - same) * (1 - weight(count(CHOSEN, t, d))) / (1 + others(k, t, d))


def correlation(odds: sp.Expr) -> sp.Expr:
    """r, where odds = r/sqrt(1 - r^2)."""
    return odds / sp.sqrt(1 + odds**2)


def within_both() -> sp.Expr:
    """Density times mean of the pulled arm's error below L, given that the other's is x < L, in units of their taus;
    h = r/sqrt(1 - r^2)."""
    root = sp.sqrt(1 + h**2)
    r, q, z = correlation(h), 1 / root, L * root - h * x
    return phi(x) * (r * x * (1 - upper(z)) - q * phi(z))


@claim("ours/conditioning/pair", by="us", kind="statement", uses=("ours/conditioning", "ours/correlation"))
def pair() -> Argument:
    """Two errors are jointly normal given the differences: X_I = r X_k and an independent part, r = Cov/tau_k^2. And
    mu_k given the history is N(mu-tilde_k, tilde-tau_k^2) for the agent that knows mu_0."""
    means = [Mean(X(arm, t, d, e) * out(k), e) for arm in (CHOSEN, k)]
    inside = Mean(X(CHOSEN, t, d, e) * (1 - fail_R), e)
    both = sp.Integral(within_both().xreplace({h: slope, L: width}), (x, -sp.oo, width))
    tails = given("the pulled arm given the error of arm k", Rel(means[0], "=", ratio_of_errors() * means[1]))
    rel, name = Rel(inside, "=", tau(CHOSEN, t, d) * both), "the error of the pulled arm within both intervals"
    found = (tails, given(name, rel, Rel(K, "=", 2)))
    known = arm_goal(Cov(mu_tilde - mu_k, r_kj), "=", 0, name="normal equations")
    laws = [cited(GAUSSIAN_CONDITIONING, hypotheses=(normal_equations(),), gives=f, name=f.name) for f in found]
    for gives in (known_play.CENTRED, known_play.SHORTFALL):
        laws.append(cited(GAUSSIAN_CONDITIONING, hypotheses=(known,), gives=gives, name=gives.name))
    return proof(*laws, letters=errors.GIVEN)
