"""Appendix G (`sec:extensions`): Theorem them-R-Bayes-SubR as stated, and the prose after its proof."""

from dataclasses import replace
from functools import partial

import sympy as sp

from theory.kernel.argument import Argument, gap, misprint, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, everywhere, exactly
from theory.kernel.rules import Monotone, Rises, chain, follows
from theory.kernel.terms import Mean
from theory.model import bound_formulas as bounds
from theory.model.arms import ARMS_LETTER, LETTERS, PROXIES, K, proxy_goal, s, s0, w
from theory.model.functions import quantity
from theory.model.width_ratio import LETTERS as RATIO
from theory.model.width_ratio import ROOTS, m, one_pull, one_pull_each, q, r, ratio

a, L, k, x = sp.symbols("a L k x")


@claim(
    "them-R-Bayes-SubR",
    by="paper",
    kind="bound",
    severity="result",
    cause="n=1",
    says=r"a\ge m:\quad R_n\le 2\beta\sqrt{aG\sigma_0^2Kn\log n}+(K+\rho)"
    r"\sqrt{8n\sigma_0^2\sigma^2/(\pi(\sigma_0^2+\sigma^2))},\quad G=\log(1+n/\rho)/\log(1+1/\rho)",
    cites=(
        "sec:tau_star",
        "tau_SG-ineq",
        "lemma:tauTotau",
        "decom1-result2",
        "regret-decom-upper",
        "them-R-Bayes-SubR/delta-power",
        "them-R-Bayes-SubR/leading",
        "sec:estimation-3/sample-mean",
        "them-R-Bayes-SubR/support",
        "decom1-result2/range",
        "them-R-Bayes-SubR/statement-1",
        "them-R-Bayes-SubR/third-term",
    ),
)
def printed_part_one() -> Argument:
    """At n = 1 the leading term is 0 and the last one vanishes with sigma, but the regret of the first pull does not:
    two arms with fair-coin means in {0, 1} (proxy 1/4) and noise-free rewards (any proxy sigma^2) have R_1 = 3/4 -
    1/2. It fails for long horizons too, wherever m <= a < 1 (claim them-R-Bayes-SubR/long-horizons)."""
    bound = bounds.gaussian_tail(sp.Integer(2), sp.Integer(1), sp.Rational(1, 4), s, 1)
    noise = sp.Rational(1, 200)
    return refuted(
        Goal(
            Rel(sp.Rational(1, 4), "<=", bound),
            {s: positive()},
            name="n = 1, K = 2, fair-coin means, rewards equal to the means",
            letters={s: Letter(LETTERS[s].shown, "sub-Gaussian proxy of the rewards of an arm")},
        ),
        at=Point(
            {s: noise},
            {
                "K": "2",
                "horizon": "1",
                "sigma_sq": str(noise),
                "sigma0_sq": "1/4",
            },
            words={"mu_k": "0 or 1, fair", "rewards": "equal to mu_k"},
        ),
        region=coin_region(bound),
        fails_when="n = 1; in this example iff 512 sigma^2 (1 + 2 sigma^2)^2 < pi (1 + 4 sigma^2)",
    )


def coin_region(bound: sp.Expr) -> Region:
    """Where the bound of the example is below 1/4: squared, and with a symbol for pi, the comparison is rational."""
    square, pi = 512 * s * (1 + 2 * s) ** 2 / (1 + 4 * s), sp.Symbol("pi")
    free = {s: positive(), pi: positive()}
    inside = Rel(512 * s * (1 + 2 * s) ** 2, "<", pi * (1 + 4 * s))
    against = Goal(Rel(1, "<=", square / pi), free, name="16 (1/4)^2 against 16 bound^2")
    squared = Goal(Rel(square, "=", sp.pi * 16 * bound**2), {s: positive()}, name="16 bound^2, times pi")
    return exactly(against, inside, numbers={pi: sp.pi}).with_items(squared)


@claim(
    "them-R-Bayes-SubR/part-2",
    by="paper",
    line=778,
    kind="bound",
    severity="result",
    cause="reversed-inequality",
    says=r"a\ge 2m:\quad R_n\le 2\beta\sqrt{aG\sigma_0^2Kn\log n}+2K(1+\log n)",
    cites=(
        "sec:tau_star",
        "tau_SG-ineq",
        "lemma:tauTotau",
        "decom1-result2",
        "regret-decom-upper",
        "them-R-Bayes-SubR/delta-power",
        "them-R-Bayes-SubR/leading",
        "sec:estimation-3/sample-mean",
        "them-R-Bayes-SubR/support",
        "decom1-result2/range",
        "them-R-Bayes-SubR/statement-2",
        "them-R-Bayes-SubR/third-term",
    ),
)
def printed_part_two() -> Argument:
    """Its tail needs P(interval of an arm fails) <= 1/t, that is a tau^2/(2 tau*^2) >= 1; with a = 2m and every arm
    pulled once the exponent falls short, as Lemma lemma:tauTotau does. The bound itself is not refuted, and it holds
    for all large n (claim them-R-Bayes-SubR/long-horizons/above-one)."""
    inference = Goal(
        Rel(a * ratio.subs(r, q) / 2, ">=", 1),
        {**ROOTS, a: positive()},
        (Rel(a, "=", 2 * m),),
        "exponent at a = 2m, one pull each",
        points=partial(one_pull_each, {a: 2 * m}),
        letters={**RATIO, a: LETTERS[a]},
    )
    return gap(
        inference,
        at=one_pull(1, sp.Rational(1, 2), {a: 2 * m}),
        region=exactly(inference, Rel(K * q**2 * (1 + K * q**2), "<", 1)),
        fails_when="at one pull each iff rho (1 + rho) < 1; adaptive counts in any case",
    )


@claim(
    "them-R-Bayes-SubR/support",
    by="paper",
    line=771,
    kind="statement",
    severity="wording",
    cause="symbol",
    says=r"\mu_k-\mu_0\ \text{has mean}\ 0\ \text{and support in}\ [0,1]",
)
def printed_support() -> Argument:
    """Read literally, the support is that of mu_k - mu_0; a variable in [0, 1] with mean 0 is 0. Rewards and means
    are meant."""
    p = sp.Symbol("p")
    unit = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
    printed = Goal(
        Rel(p * x, "=", 0),
        {p: unit, x: unit},
        name="mean of a variable that is x with chance p, else 0",
        letters={x: Letter(x, "a value of mu_k - mu_0"), p: Letter(p, "its chance; mu_k - mu_0 is 0 otherwise")},
    )
    return misprint(
        printed,
        at=Point({p: sp.Rational(1, 2), x: sp.Integer(1)}, words={"mu_k - mu_0": "0 or 1, fair"}),
        region=everywhere(printed),
        fails_when="always, unless mu_k - mu_0 is 0 for sure: a variable in "
        "[0, 1] that is x > 0 with chance p has mean at least p x",
    )


@claim(
    "them-R-Bayes-SubR/support/repaired",
    by="us",
    kind="statement",
    repairs="them-R-Bayes-SubR/support",
)
def support() -> Argument:
    """The estimate is an average of rewards with weights w_k and 1 - w_k, the common mean one with weights w_i/W."""
    y = sp.Symbol("y")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    return proof(
        proxy_goal(w * x + (1 - w) * y, "<=", 1, extra={x: unit, y: unit}, name="estimate at most 1"),
        proxy_goal(w * x + (1 - w) * y, ">=", 0, extra={x: unit, y: unit}, name="estimate at least 0"),
        Goal(Rel(x - y, "<=", 1), {x: unit, y: unit}, name="difference of two numbers in [0, 1]"),
    )


lam, mu = sp.symbols("lambda mu")
MOMENT = {mu: Letter(mu, "success probability"), lam: Letter(lam, "any number; both signs are stated")}


def bernoulli_moment(sign: int) -> Monotone:
    """E exp(l r) <= exp(l mu + l^2/8) for a Bernoulli variable r of mean mu, l = sign lambda."""
    x = sp.Symbol("x")
    unit = Var(sp.Integer(0), strict=True, high=sp.Integer(1))  # mu = 0 is a constant reward
    moment = 1 - mu + mu * sp.exp(sign * lam)
    gap = sign * mu * lam + lam**2 / 8 - sp.log(moment)
    name = "lambda" if sign > 0 else "-lambda"
    square = (1 - mu - mu * sp.exp(sign * lam),)
    rises = Rises(gap, lam, sp.Integer(0), {mu: unit, lam: at_least(0)}, name, order=2, squares=square)
    log = follows(Rel(sp.log(moment), "<=", sign * mu * lam + lam**2 / 8), rises, name=f"logarithms at {name}")
    return Monotone(log, sp.exp(x), x, {x: real()}, name=f"moment at {name}")


@claim(
    "sec:extensions/bernoulli",
    by="paper",
    line=833,
    kind="prose",
    cites=("sec:fact/3/sharp",),
)
def bernoulli_proxy() -> Argument:
    """The logarithm of the moment generating function vanishes to first order at 0 and its second derivative is p(1 -
    p) <= 1/4, p the success probability after tilting; on both sides of 0."""
    return proof(*(bernoulli_moment(sign) for sign in (1, -1)), letters=MOMENT)


@claim(
    "sec:extensions/arm-dependent",
    by="paper",
    line=833,
    kind="prose",
)
def larger_proxy() -> Argument:
    """A larger proxy is a weaker statement, so one constant covers noise that differs from arm to arm."""
    x, v, larger = sp.symbols("x v s")
    o, X = sp.Symbol("o"), quantity("noise of an arm", "X", meaning="noise of a reward of an arm")(sp.Symbol("o"))
    free = {lam: real(), v: positive(), larger: positive(), o: real()}
    proxy, below = Rel(Mean(sp.exp(lam * X), o), "<=", sp.exp(lam**2 * v / 2)), Rel(v, "<=", larger)
    exponents = Goal(Rel(lam**2 * v / 2, "<=", lam**2 * larger / 2), free, (below,), "exponents")
    powers = Monotone(exponents, sp.exp(x), x, {x: real()}, name="larger proxy")
    letters = {
        lam: Letter(lam, "any number"),
        v: Letter(sp.Symbol("sigma_k", positive=True) ** 2, "proxy of arm k"),
        larger: Letter(sp.Symbol("sigma", positive=True) ** 2, "proxy for all arms"),
    }
    return proof(chain(Goal(proxy, free, (proxy,), "the proxy of the arm"), powers, name="one proxy"), letters=letters)


@claim(
    "sec:extensions/same-order",
    by="paper",
    line=833,
    kind="prose",
    cites=("them-R-Bayes", "them-R-Bayes-SubR"),
)
def same_order() -> Argument:
    """The leading terms differ by a factor sqrt(beta), at most sqrt(1 + rho) whatever K and n; it is unbounded in rho.
    The last terms of (1) are equal, those of (2) have the ratio whose square is stated, the same at every n. This is
    about the bounds; of the regret it is not (claim sec:extensions/same-order/regret)."""
    beta, arms = sp.symbols("beta K")
    free = {arms: at_least(1, integer=True), s: positive(), s0: positive()}
    price = bounds.learning_price(arms, s0, s)
    one, square = sp.Integer(1), s0 * s / (2 * (s0 + s))
    last = sp.pi * (bounds.gaussian_tail(arms, one, s0, s, 2) / (2 * arms)) ** 2
    goals = (
        Goal(Rel(last, "=", price**2 * square), free, name="last terms of (2): pi times their squared ratio"),
        Goal(Rel(price, "<=", 1 + s / s0), free, name="bounded in K and n"),
        Goal(Rel(price, ">=", 1), free, name="at least 1"),
    )
    common = sp.Symbol("common")
    leading = Rel((price**2 * common) / (price * common), "=", price)
    return proof(
        step(Goal(leading, {**free, common: positive()}, name="squared ratio of leading terms")),
        *(replace(goal, short={beta: price}) for goal in goals),
        letters={**ARMS_LETTER, **PROXIES},
    )
