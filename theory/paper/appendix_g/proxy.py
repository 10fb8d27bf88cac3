"""Appendix G: Lemma sec:tau_star, the sub-Gaussian proxy of the BLUP error, and what its derivation says."""

from collections.abc import Mapping
from dataclasses import replace

import sympy as sp

from theory.kernel.analysis import exp_tangent
from theory.kernel.argument import Argument, Item, Refutation, misprint, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import everywhere, unequal
from theory.kernel.rules import (
    Definition,
    Expectation,
    Follows,
    Monotone,
    SumOver,
    applied,
    chain,
    follows,
    instance,
    specialised,
    uses,
)
from theory.kernel.rules.compose import conclusion
from theory.model.arms import LETTERS, PROXIES, J, W, Wo, arm_point, n, proxy_goal, s, s0, tau_sq, w
from theory.model.quantities import TAU_TILDE_SQ, W_K, ArmSum, count_i, weight_i
from theory.model.subgaussian import (
    ARM_I,
    ARM_K,
    COMMON_ERROR,
    COMMON_LAW,
    EACH,
    ERROR,
    ERROR_LAW,
    FREE,
    INDEPENDENT,
    OTHER,
    OTHERS,
    OWN,
    REST,
    WORDS,
    Arm,
    c,
    drawn,
    effect,
    effects,
    i,
    lam,
    noise,
    other,
    p,
    q,
    w_i,
)
from theory.model.two_arms import AfterThreePulls
from theory.ours.root_series import linked
from theory.ours.sharp import PRODUCT, x, y
from theory.paper.appendix_h import GIVEN, SECOND

BORROWED = (1 - w) / W  # of the others' weighted average in the error
SIZES = {size: FREE[size] for size in (n, J, s, s0, Wo, lam)}
QUARTER = sp.Rational(1, 4)
PLAY = Point(
    {s: QUARTER, s0: QUARTER},
    {"K": "2", "t": "4", "sigma_sq": "1/4", "sigma0_sq": "1/4"},
    words={"mu_k": "0 or 1, fair", "rewards": "equal to mu_k", "ties": "lower arm"},
)
BIAS = s / (4 * (4 * s0 + 3 * s))  # of both estimates in that play


@claim(
    "sec:tau_star",
    by="paper",
    kind="statement",
    severity="result",
    cause="adaptive-counts",
    says=r"\mu_k-\hat\mu_{k,t}\sim\text{subG}(\tau_{k,t}^{*2})\ \text{at round}\ t\ \text{of ReUCB}",
    cites=(
        "sec:fact/2",
        "sec:fact/3",
        "tau_SG",
        "sec:tau_star/decomposition",
        "sec:tau_star/which-fact",
        "sec:tau_star/independence",
        "sec:tau_star/common-mean",
        "sec:estimation-3/sample-mean",
    ),
)
def printed_proxy() -> Argument:
    """The computation is for fixed counts. At round t the counts are chosen by the rewards, and the error need not
    even have mean 0: two arms, means fair coins, rewards equal to the means, and before round 4 it is 1/28 on
    average."""
    printed = Goal(
        Rel(AfterThreePulls(1), "=", 0),
        {s: positive(), s0: positive()},
        name="E(mu-hat_1 - mu_1) = 0, which every sub-Gaussian variable satisfies",
        letters={x: PROXIES[x] for x in (s, s0)},
    )
    return refuted(
        printed,
        at=PLAY,
        region=everywhere(printed, BIAS),
        fails_when="adaptive counts: in this play at all variances, by sigma^2/(4 (4 sigma_0^2 + 3 "
        "sigma^2)) on average; in a fixed design it holds, with tau^2 in place of tau*^2",
    )


def order_of_exponents(low: sp.Expr, high: sp.Expr, powers: Item, domain: Mapping[sp.Expr, Var]) -> Follows:
    """a <= b if e^a <= e^b, as e^(a-b) >= 1 + a - b."""
    z, A, B = sp.symbols("z A B")
    split = Goal(Rel(sp.exp(A) * sp.exp(-B), "=", sp.exp(A - B)), {A: real(), B: real()}, name="a quotient of powers")
    quotient = instance(split, {A: low, B: high}, domain, name="a quotient of powers")
    at = {x: sp.exp(-high), y: sp.exp(low), z: sp.exp(high)}
    most = applied(PRODUCT, at, powers, domain=domain, name="divided")
    tangent = instance(exp_tangent(z), {z: low - high}, domain, name="exp is above its tangent")
    given = (Rel(A, "<=", 1), Rel(A, "=", B), Rel(B - 1 - z, ">=", 0))
    lemma = Goal(Rel(z, "<=", 0), dict.fromkeys((z, A, B), real()), given, "order of exponents")
    at = {z: low - high, A: sp.exp(low) * sp.exp(-high), B: sp.exp(low - high)}
    below = applied(lemma, at, most, quotient, tangent, domain=domain, name="order of exponents")
    return follows(Rel(low, "<=", high), below, domain=domain, name="exponents")


def exponent(known: Item, size: sp.Expr, q: sp.Expr, arm: Arm, domain: Mapping[sp.Expr, Var], sign: int = 1) -> Follows:
    """Lambda <= lambda^2/2 (p^2 sigma_0^2 + q^2 sigma^2/n) of the part p delta + q eps of an arm, p = sign size and
    size, q >= 0: by sec:fact/3/sharp. `known` says what Lambda is."""
    roots = {sp.Symbol("x"): q * sp.sqrt(s / arm.count), sp.Symbol("y"): size * sp.sqrt(s0)}
    factors = (arm.noise_proxy, q), (arm.effect_proxy, sign * size)
    proxies = [instance(item, {lam: lam * by}, domain, name="a proxy") for item, by in factors]
    variables = {GIVEN: sp.exp(lam * q * arm.noise), SECOND: sp.exp(lam * sign * size * arm.effect)}
    fact = uses("sec:fact/3/sharp", roots, domain=domain)
    two = specialised(fact, variables, domain, tuple(item.concludes.rel for item in proxies), "effect and noise")
    bounded = applied(two, {}, *proxies, domain=domain, name="effect and noise of an arm")
    powers = linked(known, bounded, domain=domain, name="of one arm")
    logarithm, most = (side.args[0] for side in powers.concludes.rel.stated)
    return order_of_exponents(logarithm, most, powers, domain)


def own_exponent(sign: int = 1) -> Follows:
    """Of arm k: any factors p = sign c and q, both c, q >= 0."""
    sizes = {**FREE, c: at_least(0), q: at_least(0)}
    return exponent(instance(OWN, {p: sign * c}, sizes, name="part of arm k"), c, q, ARM_K, sizes, sign)


def of_the_others() -> Follows:
    """c times the weighted averages of the other arms: the proxies w_i^2 (sigma_0^2 + sigma^2/n_i) = w_i sigma_0^2,
    times c^2, add up."""
    sizes = {**EACH, c: at_least(0)}
    one = exponent(instance(OTHER, {}, sizes, name="part of another arm"), c * w_i, c * w_i, ARM_I, sizes)
    twice = follows(Rel(2 * other(i, c, lam), "<=", lam**2 * c**2 * s0 * w_i), one, domain=sizes, name="of another arm")
    sizes = {**FREE, c: at_least(0)}
    total = SumOver(twice, *OTHERS, sizes, where={Wo: sp.Sum(w_i, OTHERS)}, name="the other arms")
    rel = Rel(sp.Sum(other(i, c, lam), OTHERS), "<=", lam**2 * c**2 * s0 * Wo / 2)
    return follows(rel, total, domain=sizes, name="the other arms")


def law(by: Definition, value: sp.Expr, factors: tuple[sp.Expr, ...]) -> Follows:
    """E e^(lambda X) as the exponential of a sum over arms, X = p delta_k + q eps_k + c (the weighted others)."""
    z, numbers = sp.Symbol("z"), sp.symbols("d e S")
    parts = dict(zip((effect, noise, REST), numbers, strict=True))
    form = sp.Add(*(factor * number for factor, number in zip(factors, numbers, strict=True)))
    linear = Goal(
        Rel(lam * value.xreplace(parts), "=", lam * form), {**SIZES, **dict.fromkeys(numbers, real())}, name="linear"
    )
    here = instance(linear, {number: part for part, number in parts.items()}, FREE, name="in effects and noise")
    same = Expectation(Monotone(here, sp.exp(z), z, {z: real()}, name="exponentials"), (drawn, effects))
    independent = instance(INDEPENDENT, dict(zip((p, q, c), factors, strict=True)), FREE, name="independent arms")
    rel = Rel(by.concludes.rel.stated[0], "=", independent.concludes.rel.stated[1])
    return follows(rel, by, same, independent, domain=FREE, name="a sum over independent arms")


def sum_of_two(first: Item, second: Item, bound: sp.Expr, name: str) -> Follows:
    """A + B <= c from A <= a and B <= b, where a + b = c."""
    A, B, a, b, total = sp.symbols("A B a b total")
    given = (Rel(A, "<=", a), Rel(B, "<=", b), Rel(a + b, "=", total))
    added = Goal(Rel(A + B, "<=", total), dict.fromkeys((A, B, a, b, total), real()), given, "two bounds")
    rels = conclusion(first).rel, conclusion(second).rel
    (left, most), (right, rest) = (rel.stated for rel in rels)
    here = instance(added, {A: left, B: right, a: most, b: rest, total: bound}, FREE, rels, name)
    return follows(Rel(left + right, "<=", bound), first, second, here, domain=FREE, name=name)


@claim(
    "sec:tau_star/repaired",
    by="us",
    kind="statement",
    cites=("sec:fact/1", "MSE"),
    repairs="sec:tau_star",
)
def proxy_in_a_fixed_design() -> Argument:
    """The error is one linear form in effects that are independent across arms (noise given its mean), so its proxy
    is the sum of squared coefficients times proxies: the mean squared error itself, at most tau*^2. The triangle
    inequality that made tau* is not needed."""
    x = sp.Symbol("x")
    lean, kept = (1 - w) * (1 - w / W), w + (1 - w) * w / W  # of effect and noise of the arm itself
    here = instance(own_exponent(-1), {c: lean, q: kept}, FREE, name="arm k")
    others = instance(of_the_others(), {c: BORROWED}, FREE, name="through the common mean")
    added = sum_of_two(here, others, lam**2 * tau_sq / 2, "exponents add up to that of tau^2")
    grown = Monotone(added, sp.exp(x), x, {x: real()}, name="moments")
    sums = law(ERROR_LAW, ERROR, (-lean, kept, BORROWED))
    return proof(chain(sums, grown, name="proxy", domain=FREE), letters={**WORDS, **PROXIES})


@claim(
    "sec:tau_star/decomposition",
    by="paper",
    line=847,
    kind="step",
    severity="wording",
    cause="misprinted-formula",
    says=r"\tilde\mu_k-\mu_k=w_k(\bar r_k-\mu_k)+(1-w_k)(\mu_k-\mu_0)",
    cites=("mu-estimator",),
)
def printed_decomposition() -> Argument:
    """The second difference has the wrong sign; the proxy, which squares it, does not notice."""
    x, mu, mu0 = sp.symbols("x mu mu0")
    letters = {own: LETTERS[sp.Symbol(name)] for own, name in ((x, "rbar_k"), (mu, "mu_k"), (mu0, "mu_0"))}
    goal = proxy_goal(
        (1 - w) * mu0 + w * x - mu, "=", w * (x - mu) + (1 - w) * (mu - mu0), extra={x: real(), mu: real(), mu0: real()}
    )
    printed = replace(goal, letters={**goal.letters, **letters})
    one_pull, one = arm_point((1,), sp.Integer(1), sp.Integer(1)), sp.Integer(1)
    return misprint(
        printed,
        region=unequal(printed, mu0 - mu),
        at=Point(
            {**one_pull.values, x: 0 * one, mu: 0 * one, mu0: one},
            {**(one_pull.shown or {}), "rbar_k": "0", "mu_k": "0", "mu0": "1"},
        ),
        fails_when="mu_k != mu_0: the sides differ by 2 (1 - w_k) (mu_0 - mu_k)",
    )


@claim(
    "sec:tau_star/decomposition/repaired",
    by="us",
    kind="step",
    cites=("mu-estimator",),
    repairs="sec:tau_star/decomposition",
)
def decomposition() -> Argument:
    """Collect the terms."""
    x, x0, mu, mu0 = sp.symbols("x x0 mu mu0")
    free = {x: real(), x0: real(), mu: real(), mu0: real()}
    known, estimated = (1 - w) * mu0 + w * x, (1 - w) * x0 + w * x
    goals = (
        proxy_goal(known - mu, "=", w * (x - mu) + (1 - w) * (mu0 - mu), extra=free, name="known mean"),
        proxy_goal(estimated - known, "=", (1 - w) * (x0 - mu0), extra=free, name="estimated mean"),
    )
    names = {sp.Symbol("mutilde_k"): known, sp.Symbol("muhat_k"): estimated}
    letters = {
        x: Letter(sp.Symbol("rbar_k"), "average reward of arm k"),
        x0: Letter(sp.Symbol("rbar_0"), "the common mean's estimate"),
        mu: Letter(sp.Symbol("mu_k"), "mean of arm k"),
        mu0: Letter(sp.Symbol("mu_0"), "common mean"),
    }
    return proof(*(replace(goal, short={**names, **goal.short}) for goal in goals), letters=letters)


@claim(
    "sec:tau_star/which-fact",
    by="paper",
    line=848,
    kind="step",
    severity="wording",
    cause="wrong-reason",
    says=r"\text{Fact (2) gives}\ \tilde\mu_k-\mu_k\sim\text{subG}(w_k\sigma^2/n_k)",
    cites=("sec:fact/2",),
)
def printed_fact() -> Argument:
    """Fact (2) would give the square of a sum of roots; the sum of squares that is used is Fact (3), with
    independence."""
    e, f = sp.symbols("sigma sigma0")  # one pull
    weight = f**2 / (f**2 + e**2)
    printed = Goal(
        Rel((weight * e + (1 - weight) * f) ** 2, "=", weight * e**2),
        {e: positive(), f: positive()},
        name="Fact (2) at one pull",
        letters={
            e: Letter(sp.sqrt(LETTERS[s].shown), "standard deviation of the rewards of an arm"),
            f: Letter(sp.sqrt(LETTERS[s0].shown), "standard deviation of the arm means"),
        },
    )
    return misprint(
        printed,
        region=everywhere(printed, 2 * weight * (1 - weight) * e * f),
        fails_when="always: too large by 2 w_k (1 - w_k) sigma sigma_0 (one pull)",
    )


@claim(
    "sec:tau_star/which-fact/repaired",
    by="us",
    kind="step",
    cites=("sec:fact/3",),
    repairs="sec:tau_star/which-fact",
)
def right_fact() -> Argument:
    """Squared coefficients times proxies, which is the risk at the optimal weight."""
    return proof(proxy_goal(W_K**2 * s / n + (1 - W_K) ** 2 * s0, "=", W_K * s / n, name="proxy of the sum"))


@claim(
    "sec:tau_star/independence",
    by="paper",
    line=848,
    kind="prose",
    severity="argument",
    cause="bernoulli-noise",
    says=r"\mu_0-\mu_k\ \text{and}\ \bar r_k-\mu_k\ \text{are independent}",
)
def printed_independence() -> Refutation:
    """For Bernoulli rewards, the case the section is for, the noise has variance mu(1 - mu): it depends on the
    mean."""
    x, y = sp.symbols("mu_1 mu_2")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    printed = Goal(
        Rel(x * (1 - x), "=", y * (1 - y)),
        {x: unit, y: unit},
        name="noise variance at two arm means",
        letters={x: Letter(x, "mean of one arm"), y: Letter(y, "mean of another arm")},
    )
    return refuted(
        printed,
        region=unequal(printed, (x - y) * (1 - x - y)),
        fails_when="Bernoulli rewards and means with mu_2 not in {mu_1, 1 - mu_1}",
    )


@claim(
    "sec:tau_star/independence/repaired",
    by="us",
    kind="step",
    cites=("sec:fact/3/sharp",),
    repairs="sec:tau_star/independence",
)
def conditional_noise() -> Argument:
    """It is enough that the noise is sub-Gaussian given the mean, with one proxy for all means (sec:fact/3/sharp): the
    exponents of noise and effect then add up."""
    exponents = (lam * W_K) ** 2 * s / (2 * n) + (lam * (1 - W_K)) ** 2 * s0 / 2
    average = proxy_goal(n * ((lam * w / n) ** 2 * s / 2), "=", (lam * w) ** 2 * s / (2 * n), extra={lam: real()})
    return proof(
        step(replace(average, name="n rewards of one arm")),
        proxy_goal(exponents, "=", lam**2 * TAU_TILDE_SQ / 2, extra={lam: real()}, name="exponents"),
        letters={lam: WORDS[lam]},
    )


@claim(
    "sec:tau_star/common-mean",
    by="paper",
    line=853,
    kind="step",
    severity="argument",
    cause="adaptive-counts",
    says=r"\bar r_{0,t}-\mu_0\sim\text{subG}(\sigma^2/\sum_i(1-w_i)n_i)\ \text{at round}\ t\ \text{of ReUCB}",
    cites=("r0-estimator", "sec:fact/3", "sec:tau_star/independence"),
)
def printed_common_mean() -> Argument:
    """Again for fixed counts only: in the play of sec:tau_star the common mean is too high by 1/28 on average, and a
    sub-Gaussian variable has mean 0."""
    printed = Goal(
        Rel(AfterThreePulls(2), "=", 0),
        {s: positive(), s0: positive()},
        name="E(r0-bar - mu_0) before round 4",
        letters={x: PROXIES[x] for x in (s, s0)},
    )
    return refuted(
        printed,
        at=PLAY,
        region=everywhere(printed, BIAS),
        fails_when="adaptive counts: in this play at all variances, by sigma^2/(4 (4 sigma_0^2 + 3 "
        "sigma^2)) on average",
    )


@claim(
    "sec:tau_star/common-mean/repaired",
    by="us",
    kind="step",
    cites=("r0-estimator",),
    repairs="sec:tau_star/common-mean",
)
def common_mean_proxy() -> Argument:
    """Arm i enters with weight w_i/W and proxy sigma_0^2 + sigma^2/n_i = sigma_0^2/w_i; different arms are independent,
    and within an arm the noise need only be sub-Gaussian given the mean."""
    x = sp.Symbol("x")
    others = instance(of_the_others(), {c: 1 / W}, FREE, name="another arm")
    here = instance(own_exponent(), {c: w / W, q: w / W}, FREE, name="arm k")
    added = sum_of_two(here, others, lam**2 * s0 / (2 * W), "exponents")
    grown = Monotone(added, sp.exp(x), x, {x: real()}, name="moments")
    same = proxy_goal(s0 / W, "=", s / ArmSum((1 - weight_i) * count_i), name="the printed proxy")
    sums = law(COMMON_LAW, COMMON_ERROR, (w / W, w / W, 1 / W))
    return proof(chain(sums, grown, name="proxy", domain=FREE), same, letters={**WORDS, **PROXIES})
