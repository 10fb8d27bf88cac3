"""Appendix G (`sec:extensions`): Theorem them-R-Bayes-SubR, the steps of its proof, and the prose around it."""

import sympy as sp

from theory import bounds
from theory.kernel.argument import Words, gap, misprint, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, Var, at_least, positive, real
from theory.roots import ROOTS, m, one_pull_each, q, r, ratio
from theory.vocabulary import K, arm_goal, s, s0, w

HERE = "Appendix, Section sec:extensions"
a, L, k, x, c = sp.symbols("a L k x c")
price = 1 + s / (k * s0)                                    # beta, K written k
tail = bounds.gaussian_tail(k, sp.Integer(1), s0, s, 1)  # last term of part (1) at n = 1
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive()}


@claim("them-R-Bayes-SubR", where=f"{HERE}, Theorem them-R-Bayes-SubR (1)", kind="bound",
       depends_on=("sec:tau_star", "tau_SG-ineq", "lemma:tauTotau", "decom1-result2", "regret-decom-upper",
                   "them-R-Bayes-SubR/delta-power"),
       says=r"a\ge m:\quad R_n\le 2\beta\sqrt{aL\sigma_0^2Kn\log n}+(K+\rho)"
            r"\sqrt{8n\sigma_0^2\sigma^2/(\pi(\sigma_0^2+\sigma^2))}")
def printed_part_one():
    """At n = 1 the leading term is 0 and the last one vanishes with sigma, but the regret of the first pull does not:
    two arms with fair-coin means in {0, 1} (proxy 1/4) and noise-free rewards (any proxy sigma^2) have R_1 = 3/4 -
    1/2."""
    bound = tail.subs({k: 2, s0: sp.Rational(1, 4)})
    noise = sp.Rational(1, 200)
    return refuted(
        Goal(Rel(sp.Rational(1, 4), "<=", bound), {s: positive()},
             name="n = 1, K = 2, fair-coin means, rewards equal to the means"),
        at=Point({s: noise}, {"K": "2", "horizon": "1", "mu_k": "0 or 1, fair", "rewards": "equal to mu_k",
                              "sigma_sq": str(noise), "sigma0_sq": "1/4"}),
        fails_when="n = 1; in this example iff 512 sigma^2 (1 + 2 sigma^2)^2 < pi (1 + 4 sigma^2)",
        also=(Goal(Rel(512 * s * (1 + 2 * s) ** 2 / (1 + 4 * s), "=", sp.pi * 16 * bound**2), {s: positive()},
                   name="the region"),))


@claim("them-R-Bayes-SubR/part-2", where=f"{HERE}, Theorem them-R-Bayes-SubR (2)", kind="bound",
       depends_on=("sec:tau_star", "tau_SG-ineq", "lemma:tauTotau", "decom1-result2", "regret-decom-upper"),
       says=r"a\ge 2m:\quad R_n\le 2\beta\sqrt{aL\sigma_0^2Kn\log n}+2K(1+\log n)")
def printed_part_two():
    """Its tail needs P(interval of an arm fails) <= 1/t, that is a tau^2/(2 tau*^2) >= 1; with a = 2m and every arm
    pulled once the exponent falls short, as Lemma lemma:tauTotau does. The bound itself is not refuted."""
    return gap(Goal(Rel(m * ratio.subs(r, q), ">=", 1), ROOTS, name="exponent at a = 2m, one pull each",
                    points=one_pull_each),
               fails_iff=Rel(K * q**2 * (1 + K * q**2), "<", 1),
               fails_when="at one pull each iff rho (1 + rho) < 1; adaptive counts in any case")


@claim("them-R-Bayes-SubR/support", where=f"{HERE}, Theorem them-R-Bayes-SubR", kind="statement",
       says=r"\mu_k-\mu_0\ \text{has mean}\ 0\ \text{and support in}\ [0,1]")
def printed_support():
    """Read as it stands, the support is that of mu_k - mu_0; a variable in [0, 1] with mean 0 is 0. Rewards and means
    are meant."""
    p = sp.Symbol("p")
    unit = Var(sp.Integer(0), strict=True, high=sp.Integer(1))
    return misprint(Goal(Rel(p * x, "=", 0), {p: unit, x: unit},
                         name="mean of a variable that is x with probability p, else 0"))


@claim("them-R-Bayes-SubR/support/repaired", where=f"{HERE}, Theorem them-R-Bayes-SubR", kind="statement",
       repairs="them-R-Bayes-SubR/support",
       says=r"r_{k,j},\mu_k\in[0,1]:\quad |\mu_k-\mu_0|\le1,\ \hat\mu_k\in[0,1],\ \mu_*-\mu_k\le1")
def support():
    """The estimate is an average of rewards with weights w_k and 1 - w_k, the common mean one with weights w_i/W."""
    y = sp.Symbol("y")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    return proof(
        arm_goal(w * x + (1 - w) * y, "<=", 1, extra={x: unit, y: unit}, name="estimate at most 1"),
        arm_goal(w * x + (1 - w) * y, ">=", 0, extra={x: unit, y: unit}, name="estimate at least 0"),
        Goal(Rel(x - y, "<=", 1), {x: unit, y: unit}, name="difference of two numbers in [0, 1]"),
    )


@claim("decom1-result2", where=f"{HERE}, Eq. decom1-result2", kind="step", depends_on=("them-R-Bayes-SubR/support",),
       says=r"E[(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_R\}\mid H_t]\le P(\bar E_R\mid H_t)")
def tail_by_probability():
    """Both numbers lie in [0, 1], so their difference is at most 1; times an indicator, at most the indicator."""
    y, i = sp.symbols("y i")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    return proof(Goal(Rel((x - y) * i, "<=", i), {x: unit, y: unit, i: unit}, name="pointwise"))


@claim("decom1-result2/range", where=f"{HERE}, after Eq. decom1-result2", kind="step",
       says=r"\hat\mu_{I_t}-\mu_{I_t}\in[0,1]\ \text{on}\ \bar E_{R}")
def printed_range():
    """Another arm may be the one whose interval fails. Two arms, rewards (1, 0) equal to the means, a = 1, sigma^2 =
    sigma_0^2 = 1/16: arm 2 violates its interval (1/4 above its mean, width 0.227), arm 1 is pulled, and its error
    is -1/4."""
    weight = sp.Rational(1, 2)
    width = sp.sqrt(sp.Rational(1, 16) * sp.Rational(3, 4) * sp.log(3))
    error = weight + (1 - weight) / 2 - 1
    return refuted(Goal(Rel(error, ">=", 0), given=(Rel((1 - weight) / 2 - 0, ">", width),),
                        name="error of the pulled arm"),
                   at=Point({}, {"K": "2", "n": ["1", "1"], "t": "3", "rewards": ["1", "0"], "mu": ["1", "0"],
                                 "sigma_sq": "1/16",
                                 "sigma0_sq": "1/16", "a": "1"}))


@claim("decom1-result2/range/repaired", where=f"{HERE}, after Eq. decom1-result2", kind="step",
       repairs="decom1-result2/range",
       says=r"-1\le\hat\mu_k-\mu_k\le1\ \text{always}")
def range_of_error():
    """Two numbers in [0, 1]. Only the upper half is used."""
    y = sp.Symbol("y")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    return proof(Goal(Rel(x - y, "<=", 1), {x: unit, y: unit}, name="above"),
                 Goal(Rel(x - y, ">=", -1), {x: unit, y: unit}, name="below"))


@claim("them-R-Bayes-SubR/delta-power", where=f"{HERE}, proof", kind="step",
       depends_on=("lemma:tauTotau", "sec:tau_star"),
       says=r"P(\bar E_{R;t})\le K\delta_t^{1/m}")
def printed_power():
    """A sub-Gaussian tail gives exp(-c^2/(2 tau*^2)) = delta^(tau^2/tau*^2), and the exponent is then taken from a
    false lemma."""
    return gap(Goal(Rel(ratio.subs(r, q), ">=", 1 / m), ROOTS, name="exponent of delta at one pull each",
                    points=one_pull_each),
               fails_when="wherever Lemma lemma:tauTotau fails")


@claim("them-R-Bayes-SubR/delta-power/repaired", where=f"{HERE}, proof", kind="step",
       repairs="them-R-Bayes-SubR/delta-power",
       depends_on=("sec:tau_star/repaired",),
       says=r"\text{fixed counts:}\quad P(\hat\mu_k-\mu_k>c_{k,t})\le e^{-c_{k,t}^2/(2\tau_k^2)}=\delta_t=t^{-a/2}")
def power():
    """With proxy tau^2 the width cancels it: the exponent is a log t / 2 and no constant m appears."""
    t, v = sp.symbols("t v")
    free = {v: positive(), a: positive(), L: positive(), t: positive()}
    return proof(
        Goal(Rel((a * v * L) / (2 * v), "=", a * L / 2), free, name="exponent c^2/(2 tau^2), L = log t"),
        Goal(Rel(sp.exp(-a * sp.log(t) / 2), "=", t ** (-a / 2)), {a: positive(), t: at_least(1)},
             name="as a power of t"),
        Words("Chernoff: P(X > c) <= exp(-c^2/(2v)) for X sub-Gaussian with proxy v."),
    )


@claim("them-R-Bayes-SubR/delta-sum", where=f"{HERE}, proof", kind="step",
       depends_on=("sec:proof/sum-root", "sec:proof/harmonic"),
       says=r"a\ge m:\ \delta_t^{1/m}\le t^{-1/2};\quad a\ge2m:\ \delta_t^{1/m}\le t^{-1}")
def power_of_t():
    """delta_t^(1/m) = t^(-a/(2m)); compare exponents, log t being nonnegative."""
    z = sp.Symbol("z")  # m, any positive number
    free = {a: positive(), z: positive(), L: at_least(0)}
    return proof(Goal(Rel(a * L / (2 * z), ">=", L / 2), free, (Rel(a, ">=", z),), "part (1)"),
                 Goal(Rel(a * L / (2 * z), ">=", L), free, (Rel(a, ">=", 2 * z),), "part (2)"))


@claim("them-R-Bayes-SubR/leading", where=f"{HERE}, proof, display after the tails", kind="step",
       depends_on=("regret-decom-upper1",),
       says=r"\sum_t c_{I_t,t}\le\beta\sqrt{aL\sigma_0^2Kn\log n}")
def leading():
    """Theorem 1's chain has sqrt(beta) here, and beta >= 1: right (for rounds t > K), and looser than the chain it
    refers to."""
    b = sp.Symbol("b")  # sqrt(beta)
    return proof(Goal(Rel(b, "<=", b**2), {b: at_least(1)}, name="sqrt(beta) <= beta"),
                 Goal(Rel(price, ">=", 1), SIZES, name="beta >= 1"))


@claim("them-R-Bayes-SubR/leading/sharp", where=f"{HERE}, proof, display after the tails", kind="step",
       depends_on=("regret-decom-upper1/repaired",), says=r"\sum_{t>K} c_{I_t,t}\le\sqrt{\beta aL\sigma_0^2Kn\log n}")
def leading_sharp():
    """Nothing in the chain uses the law of the rewards: Theorem 1's repaired display holds as it is, with
    sqrt(beta)."""
    ell = sp.Symbol("ell")
    gamma = s0 / ell  # ell = log(1 + sigma_0^2/sigma^2)
    big, nn = sp.symbols("big nn")  # log(1 + n sigma_0^2/sigma^2), n
    free = {**SIZES, ell: positive(), big: positive(), nn: positive(), a: positive(), L: positive()}
    return proof(Goal(Rel(a * price * nn * L * gamma * k * big, "=", a * (big / ell) * price * s0 * k * nn * L), free,
                      name="radicand"))


@claim("them-R-Bayes-SubR/statement-1", where=f"{HERE}, statement against proof", kind="step",
       depends_on=("them-R-Bayes-SubR/delta-power",),
       says=r"4K\sqrt n\ \text{(derived)}\le(K+\rho)\sqrt{8n\sigma_0^2\sigma^2/(\pi(\sigma_0^2+\sigma^2))}\ "
            r"\text{(stated)}")
def statement_one():
    """The statement carries over the Gaussian tail; the proof derives 4 K sqrt(n), which is larger for ordinary
    variances."""
    return gap(Goal(Rel(4 * k, "<=", tail), SIZES, name="derived tail against stated tail, both divided by sqrt(n)"),
               fails_when="(K + rho)^2 sigma_0^2 sigma^2 / (sigma_0^2 + sigma^2) < 2 pi K^2")


@claim("them-R-Bayes-SubR/statement-1/repaired", where=f"{HERE}, end of the proof", kind="step",
       repairs="them-R-Bayes-SubR/statement-1",
       says=r"2K\sqrt n+2K\sqrt n=4K\sqrt n\ \text{is what the proof adds up to}")
def derived_one():
    """Two tails of 2 K sqrt(n) each; they rest on the gaps above, so this is arithmetic, not a bound on the
    regret."""
    return proof(Goal(Rel(k * 2 * x + k * 2 * x, "=", 4 * k * x), {k: positive(), x: positive()}))


@claim("them-R-Bayes-SubR/statement-2", where=f"{HERE}, statement against proof", kind="step",
       depends_on=("them-R-Bayes-SubR/delta-power",),
       says=r"4K(1+\log n)\ \text{(end of the proof)}\le2K(1+\log n)\ \text{(statement)}")
def statement_two():
    """The proof ends with twice the last term of the statement, so from its last display the statement does not
    follow."""
    return gap(Goal(Rel(4 * k * (1 + L), "<=", 2 * k * (1 + L)), {k: at_least(1, integer=True), L: at_least(0)}),
               fails_when="always")


@claim("them-R-Bayes-SubR/statement-2/repaired", where=f"{HERE}, end of the proof", kind="step",
       repairs="them-R-Bayes-SubR/statement-2", depends_on=("sec:proof/harmonic",),
       says=r"K\sum_t t^{-1}+K\sum_t t^{-1}\le2K(1+\log n):\ \text{the statement's constant is the method's}")
def derived_two():
    """Each of the two events costs K times the harmonic sum. The statement has the right constant, the last display a
    loose one."""
    h = sp.Symbol("h")  # the harmonic sum
    return proof(Goal(Rel(k * h + k * h, "<=", 2 * k * (1 + L)), {k: positive(), L: at_least(0), h: positive()},
                      (Rel(h, "<=", 1 + L),), "two events"))


@claim("them-R-Bayes-SubR/expectation-twice", where=f"{HERE}, end of the proof", kind="notation",
       says=r"E[R_n]=R_n")
def expectation_twice():
    """R_n is defined as an expectation, so the expectation around it changes nothing; the regret before averaging is
    meant."""
    p = sp.Symbol("p")
    return proof(Goal(Rel(p * x + (1 - p) * x, "=", x), {p: real(), x: real()}, name="average of a constant"))


@claim("sec:extensions/bernoulli", where=f"{HERE}, end", kind="prose", depends_on=("sec:fact/3/sharp",),
       says=r"r\sim\text{Bern}(\mu) \Rightarrow r-\mu\sim\text{subG}(1/4)\ \text{for every}\ \mu")
def bernoulli_proxy():
    """The logarithm of the moment generating function vanishes to first order at 0 and its second derivative is v(1 -
    v) <= 1/4, v the success probability after tilting."""
    lam, mu = sp.symbols("lam mu")
    unit = Var(sp.Integer(0), strict=True, high=sp.Rational(99, 100))
    cumulant = sp.log(1 - mu + mu * sp.exp(lam)) - mu * lam
    v = mu * sp.exp(lam) / (1 - mu + mu * sp.exp(lam))
    x = sp.Symbol("x")
    return proof(
        Goal(Rel(cumulant.subs(lam, 0), "=", 0), {mu: unit}, name="value at 0"),
        Goal(Rel(sp.diff(cumulant, lam).subs(lam, 0), "=", 0), {mu: unit}, name="slope at 0"),
        Goal(Rel(sp.diff(cumulant, lam, 2), "=", v * (1 - v)), {mu: unit, lam: real()}, name="second derivative"),
        Goal(Rel(x * (1 - x), "<=", sp.Rational(1, 4)), {x: real()}, name="at most 1/4",
             squares=(x - sp.Rational(1, 2),)),
    )


@claim("sec:extensions/arm-dependent", where=f"{HERE}, end", kind="prose",
       says=r"\sigma_k^2\le\sigma^2:\ \text{subG}(\sigma_k^2)\subseteq\text{subG}(\sigma^2)")
def larger_proxy():
    """A larger proxy is a weaker statement, so one constant covers noise that differs from arm to arm."""
    lam, v = sp.symbols("lam v")
    return proof(Goal(Rel(lam**2 * v / 2, "<=", lam**2 * s / 2), {lam: positive(), v: positive(), s: positive()},
                      (Rel(v, "<=", s),)))


@claim("sec:extensions/same-order", where=f"{HERE}, end", kind="prose",
       depends_on=("them-R-Bayes", "them-R-Bayes-SubR"),
       says=r"\text{both theorems' bounds have the same order in}\ K\ \text{and}\ n:\ \text{leading terms in the "
            r"ratio}\ \sqrt\beta\le\sqrt{1+\rho}")
def same_order():
    """The leading terms differ by a factor sqrt(beta), at most sqrt(1 + rho) whatever K and n; it is unbounded in
    rho."""
    common, k = sp.symbols("common k")
    free = {common: positive(), k: at_least(1, integer=True), s: positive(), s0: positive()}
    price = 1 + s / (k * s0)
    return proof(Goal(Rel((price**2 * common) / (price * common), "=", price), free,
                      name="squared ratio of leading terms"),
                 Goal(Rel(price, "<=", 1 + s / s0), free, name="bounded in K and n"))
