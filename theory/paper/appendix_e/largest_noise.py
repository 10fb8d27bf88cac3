"""Appendix E, continued: the posterior with unequal noise, and the largest noise used for every arm."""

from collections.abc import Sequence

import sympy as sp

from theory.kernel.argument import Argument, Computation, gap, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, unequal
from theory.kernel.rules import SumOver, applied, follows, instance, uses
from theory.kernel.rules.compose import conclusion
from theory.kernel.undecided import undecided
from theory.model.arms import J, Wo, n, s, s0, tau_sq, w, weight
from theory.model.own_noise import BELOW, BOTH, DOMAIN, FAMILY, LEAN, LETTERS, OTHERS, OWN, counts, i, own_goal
from theory.model.quantities import OWN_NOISE, TAU_SQ, Xo, s1
from theory.model.two_arms import NOISES, OwnNoise, errors_with_own_noise, noise_1, noise_2
from theory.ours.posteriors import flat_posterior
from theory.paper.appendix_e.linear_error import mean_square
from theory.paper.appendix_e.noise import h, one


@claim(
    "sec:varying/posterior",
    by="paper",
    line=683,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\hat\mu_k^h-\mu_k\mid H_t\sim\mathcal N(0,\tau_{h;k,t}^2) \text{ with } \bar r_0 \text{ as printed, hence"
    r" } E(\hat\mu_k^h-\mu_k)^2=\tau_{h;k}^2 \text{ for fixed counts}",
    cites=("sec:varying/common-mean", "sec:mu0Dist"),
)
def printed_posterior() -> Argument:
    """With the weights (1-w_i^h) n_i of Eq. r0-estimator the common mean is not the GLS one, and the error of the
    printed prediction is larger than tau_h^2 of the second display; in this example than that of the first too."""
    error_, first, second = printed_error((1, 1), (1, 2))
    shown = {"K": "2", "n": ["1", "1"], "sigma_k_sq": ["1", "2"], "sigma0_sq": "1"}
    return refuted(
        Goal(
            Rel(OwnNoise(1), "=", OwnNoise(3)),
            dict.fromkeys((noise_1, noise_2), positive()),
            name="error of the first arm, against the second display",
            letters=NOISES,
        ),
        at=Point(
            {noise_1: one, noise_2: sp.Integer(2)},
            shown,
            {noise_1: sp.Symbol("sigma_k_sq_1"), noise_2: sp.Symbol("sigma_k_sq_2")},
        ),
        region=two_arms(),
        fails_when="two arms differ in noise; for two arms iff sigma_1^2 != sigma_2^2, and the error is "
        "then larger than tau_h^2",
        also=(
            Goal(Rel(error_, ">", first), name="larger than the first display"),
            Goal(Rel(error_, ">", second), name="larger than the second display"),
            Computation(
                "exact",
                "with equal noise all three agree",
                lambda *design: [Rel(x, "=", printed_error(*design)[0]) for x in printed_error(*design)],
                ((1, 2), (3, 3)),
                {
                    "constant: unequal noise": ((1, 2), (3, 4)),
                    "constant: less on the second arm": ((2, 1), (2, 1)),
                },
            ),
        ),
    )


def two_arms() -> Region:
    """For two arms, in units of sigma_0^2: the error exceeds the second display by a multiple of the squared
    difference of the noise."""
    weights, noise = sp.symbols("w_1 w_2"), sp.symbols("sigma_1_sq sigma_2_sq")
    error_, _, second = errors_with_own_noise(weights, noise)
    free, below = dict.fromkeys((*weights, *noise), positive()), tuple(Rel(w_, "<", 1) for w_ in weights)
    return unequal(Goal(Rel(error_, "=", second), free, below, "sigma_0^2 = 1"), (noise[0] - noise[1]) ** 2)


def printed_error(counts: tuple[int, ...], noise: Sequence[sp.Expr | int]) -> tuple[sp.Expr, ...]:
    """The same from counts."""
    return errors_with_own_noise([sp.Integer(c) / (c + e) for c, e in zip(counts, noise, strict=True)], noise)


@claim(
    "sec:varying/posterior/repaired",
    by="us",
    kind="step",
    cites=("sec:varying/common-mean/repaired",),
    repairs="sec:varying/posterior",
)
def posterior_with_own_noise() -> Argument:
    """As for equal noise: the joint density of mu_k and mu_0 is a product of two squares in the exponent, one of mu_k
    around mu-hat_k^h with variance tau_h^2, one of mu_0 given mu_k."""
    return proof(
        flat_posterior("posterior of mu_k with its own noise", OWN_NOISE, state=own_goal),
        step(uses("ours/adaptive-likelihood", item="likelihood")),
        letters={x: LETTERS[x] for x in (s1, Xo)},
    )


@claim(
    "sec:varying",
    by="paper",
    line=692,
    kind="bound",
    says=r"\sigma_k^2\le\sigma^2: \text{ run with } \sigma^2 \text{ for every arm, the bound of Theorem 2 holds for "
    r"every } n\ge 2",
    cites=(
        "sec:varying/upper-variance",
        "sec:varying/tau-h",
        "sec:varying/first-display",
        "sec:varying/posterior",
        "sec:varying/common-mean",
        "them-R-Bayes",
    ),
)
def theorem_with_unequal_noise() -> Argument:
    """Open. The printed argument does not give it (sec:varying/upper-variance, sec:varying/tau-h): run with the
    largest noise, the estimate is not the BLUP and its error depends on reward differences. (At n = 1
    Theorem 2 itself fails.) For the algorithm that uses each arm's own noise see the repair."""
    return undecided(LARGEST_NOISE)


LARGEST_NOISE = (
    "a bound on E(mu_* - U_*) and on the pulled arm's tail for n >= 2 when all weights are computed with max "
    "sigma_k^2: the error is then correlated with the reward differences that choose the arms; "
    "or a bandit that breaks the bound"
)


@claim(
    "sec:varying/repaired",
    by="us",
    kind="inequality",
    cites=("them-R-Bayes/repaired",),
    repairs="sec:varying",
)
def own_variances() -> Argument:
    """Used with each arm's own noise, in the common mean too, the predictor keeps both facts that the proof of Theorem
    2 uses: its error is uncorrelated with all reward differences, and its variance is at most what the proof uses
    for equal noise sigma^2. With these that proof gives the bound of Theorem 2 with the largest noise in it, n >= 2;
    the regret itself is not restated here."""
    same = uses("sec:varying/common-mean/repaired", item="error: the same with every reward")
    below = uses("sec:varying/tau-h/repaired")
    known = [uses("ours/sum-of-weights", item=side) for side in ("lower", "upper")]
    lemma = uses("sec:tau", item="upper bound")
    domain = conclusion(below).domain
    bound = follows(conclusion(lemma).rel, *known, lemma, domain=domain, name="Lemma sec:tau")
    x, y, z = sp.symbols("x y z")
    order = Goal(Rel(x, "<=", z), dict.fromkeys((x, y, z), real()), (Rel(x, "<=", y), Rel(y, "<=", z)), "in order")
    (left, middle), (_, right) = (conclusion(item).rel.stated for item in (below, bound))
    at = {x: left, y: middle, z: right}
    return proof(
        follows(conclusion(same).rel, same, name="error: the same with every reward"),
        applied(order, at, below, bound, domain=domain, given=BELOW, name="squared width"),
        letters=LETTERS,
    )


@claim(
    "sec:varying/upper-variance",
    by="paper",
    line=692,
    kind="step",
    severity="argument",
    cause="unequal-noise",
    says=r"\text{computed with } \sigma^2=\max_i\sigma_i^2, \text{ the index still has } E[\mu_k\mid H_t]="
    r"\hat\mu_{k,t}",
    cites=("sec:varying/tau-h", "sec:proof/posterior"),
)
def upper_variance_everywhere() -> Argument:
    """Putting the largest noise in every weight keeps the widths valid on average but moves the centre: the
    posterior mean uses w_k^h, so the conditional law that the theorem's proof needs is not N(mu-hat, tau^2) any
    more."""
    own = sp.Symbol("sigma_k_sq")
    letters = {**LETTERS, own: LETTERS[s1], h: Letter(h, "by how much the largest noise sigma^2 exceeds sigma_k^2")}
    known_mean_part = {n: at_least(1, integer=True), s0: positive(), own: positive(), h: positive()}
    shown = {"n_k": "1", "sigma_k_sq": "1", "sigma_sq": "2", "sigma0_sq": "1"}
    inference = Goal(Rel(w.subs(s, own), "=", w.subs(s, own + h)), known_mean_part, letters=letters)
    error = n * s0 + own
    larger = Goal(
        Rel(own * s0 / error, "<=", (own + h) * s0 / (error + h)),
        known_mean_part,
        name="the error with known mu_0 is no larger than at the largest noise",
        letters=letters,
    )
    return gap(
        inference,
        premises=(larger,),
        at=Point({n: one, s0: one, own: one, h: one}, shown, {h: sp.Symbol("sigma_sq") - own}),
        region=unequal(inference, h),
        fails_when="sigma_k^2 is below the largest noise sigma^2",
    )


@claim(
    "sec:varying/upper-variance-error",
    by="us",
    kind="inequality",
    cites=("MSE",),
    repairs="sec:varying/upper-variance",
)
def conservative_for_fixed_counts() -> Argument:
    """For fixed counts the error of any fixed linear predictor rises with every arm's noise, so tau_k^2 stays
    an upper bound on it although the predictor is no longer the best one."""
    e = sp.Symbol("e")
    sizes = {**{x: DOMAIN[x] for x in (J, s0)}, **FAMILY, n: DOMAIN[n], s: positive(), Wo: at_least(0)}
    lean = sp.Symbol("lean")  # (1 - w_k)/W
    one_arm = Goal(
        Rel((lean * weight(n)) ** 2 * (s0 + e / n), "<=", lean**2 * s0 * weight(n)),
        {n: DOMAIN[n], s: positive(), s0: positive(), e: positive(), lean: at_least(0)},
        (Rel(e, "<=", s),),
        "an arm with less noise than sigma^2",
        squares=(lean,),
    )
    total = {Wo: sp.Sum(weight(counts(i)), OTHERS)}
    others = SumOver(
        one_arm, *OTHERS, {**sizes, lean: at_least(0)}, {n: counts(i), e: OWN}, total, BELOW[1:], "the other arms"
    )
    domain = {**sizes, s1: positive()}
    here = instance(others, {lean: LEAN}, domain, BELOW[1:], name="with the coefficients of the prediction")
    own = Goal(
        Rel((w + LEAN * w) ** 2 * s1 / n, "<=", (w + LEAN * w) ** 2 * s / n),
        domain,
        BELOW[:1],
        "the arm itself",
        squares=(w + LEAN * w,),
    )
    alike = (1 - w - LEAN * w) ** 2 * s0 + (w + LEAN * w) ** 2 * s / n + LEAN**2 * s0 * Wo
    equal = Goal(Rel(alike, "=", tau_sq), domain, name="equal noise", short=BOTH)
    linear = mean_square()
    rel = Rel(linear.rel.stated[0], "<=", TAU_SQ)
    name = "error of the prediction with the largest noise"
    return proof(follows(rel, linear, here, own, equal, domain=domain, given=BELOW, name=name), letters=LETTERS)
