"""Appendix G (`sec:extensions`): the steps of the proof of Theorem them-R-Bayes-SubR, and where it ends."""

import sympy as sp

from theory.kernel.argument import Argument, gap, misprint, proof, refuted, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, Var, at_least, positive, real
from theory.kernel.region import Region, everywhere, exactly
from theory.kernel.rules import Expectation, Follows, Monotone, follows, instance, specialised, uses
from theory.kernel.terms import Event, Mean
from theory.model import bound_formulas as bounds
from theory.model import sums
from theory.model.arms import ARMS_LETTER, DOMAIN, HORIZON, LETTERS, PROXIES, J, Wo, n, proxy_goal, s, s0, tau_sq, w
from theory.model.functions import quantity
from theory.model.quantities import TAU_SQ
from theory.model.subgaussian import error, o
from theory.model.two_arms import ErrorAfterOneAndZero
from theory.model.width_ratio import M, m, q
from theory.ours.classical import variables

a, L, k, x = sp.symbols("a L k x")
price = bounds.learning_price(k, s0, s)
tail = bounds.gaussian_tail(k, sp.Integer(1), s0, s, 1)  # last term of part (1) at n = 1
LOG = {L: Letter(sp.log(sp.Symbol("t", positive=True)), "logarithm of the round")}
SIZES = {k: at_least(1, integer=True), s: positive(), s0: positive()}


def pointwise(of: str, first: str, second: str, event: str) -> Expectation:
    """E[(x - y) 1{event}] <= P(event) for two numbers x, y in [0, 1]; given the history, as everything else is."""
    t, o = sp.symbols("t o")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    one, two = quantity(f"{of} higher", first)(t, o), quantity(f"{of} lower", second)(t, o)
    fails = quantity(f"{of} fails", rf"\mathbf{{{{1}}}}\{{{{{event}\}}}}")(t, o)
    free = {one: unit, two: unit, fails: unit, t: at_least(1, integer=True), o: real()}
    letters = {
        t: LETTERS[t],
        one: Letter(one, "a number in [0, 1]"),
        two: Letter(two, "a number in [0, 1]"),
        fails: Letter(fails, "1 if the event occurs, else 0"),
    }
    every = Goal(Rel((one - two) * fails, "<=", fails), free, name="pointwise", letters=letters)
    return Expectation(every, (o,), name="in the mean")


@claim(
    "decom1-result2",
    by="paper",
    kind="step",
    cites=("them-R-Bayes-SubR/support/repaired",),
)
def tail_by_probability() -> Argument:
    """Both numbers lie in [0, 1], so their difference is at most 1; times an indicator, at most the indicator."""
    return proof(pointwise("pulled", r"\hat\mu_{{I_{{{}}}}}", r"\mu_{{I_{{{}}}}}", r"\bar E_{{R;{}}}"))


@claim(
    "decom1-result2/range",
    by="paper",
    line=801,
    kind="step",
    severity="argument",
    cause="wrong-reason",
    says=r"\hat\mu_{I_t}-\mu_{I_t}\in[0,1]\ \text{on}\ \bar E_{R}",
)
def printed_range() -> Argument:
    """Another arm may be the one whose interval fails. Two arms, rewards (1, 0) equal to the means, sigma^2 =
    sigma_0^2 = 1/64 and a = 5/2, above m = 2.33: arm 2 violates its interval (1/4 above its mean, width 0.179), arm
    1 is pulled, and its error is -1/4."""
    one, spread, width = sp.Integer(1), sp.Rational(1, 64), sp.Rational(5, 2)
    interval = sp.sqrt(width * sp.log(3) * TAU_SQ.xreplace({n: one, Wo: one / 2, s: spread, s0: spread}))
    first, second = (ErrorAfterOneAndZero(arm, spread, spread) for arm in (1, 2))
    return refuted(
        Goal(
            Rel(first, ">=", 0),
            DOMAIN,
            (Rel(second, ">", interval), Rel(width, ">=", M(sp.Integer(2), one))),
            "error of the pulled arm",
            letters={**LETTERS, **PROXIES},
        ),
        at=Point(
            {},
            {
                "K": "2",
                "n": ["1", "1"],
                "t": "3",
                "rewards": ["1", "0"],
                "mu": ["1", "0"],
                "sigma_sq": "1/64",
                "sigma0_sq": "1/64",
                "a": "5/2",
            },
        ),
        region=range_region(),
        fails_when="two arms pulled once, rewards 1 and 0 equal to the means, before round 3: iff sigma^2 > "
        "2 a log(3) (sigma_0^2 + sigma^2) (2 sigma_0^2 + sigma^2), where arm 2 violates its "
        "interval; the error of arm 1, which is pulled, is then -(1 - w_1)/2",
    )


def range_region() -> Region:
    """The example at all variances: arm 2 lies outside its interval iff (1-w)/2 > c, and arm 1 is always too low."""
    log3, excess, square = sp.Symbol("log(3)"), s / (2 * (s0 + s)), s * (2 * s0 + s) / (2 * (s0 + s))
    free = {s: positive(), s0: positive(), a: positive(), log3: positive()}
    within = Goal(Rel(excess**2, "<=", a * square * log3), free, name="squared: error of arm 2 against its width")
    found = exactly(within, Rel(s, ">", 2 * a * log3 * (s0 + s) * (2 * s0 + s)), numbers={log3: sp.log(3)})
    at_one_pull = {n: sp.Integer(1), J: sp.Integer(1), Wo: s0 / (s0 + s)}
    return found.with_items(
        proxy_goal(tau_sq.subs(at_one_pull), "=", square, name="tau^2 of both arms"),
        proxy_goal(((1 - w) / 2).subs(at_one_pull), "=", excess, name="error of arm 2; of arm 1 with a minus sign"),
        Goal(Rel(-excess, "<", 0), free, name="the error of arm 1 is negative"),
    )


@claim(
    "decom1-result2/range/repaired",
    by="us",
    kind="step",
    repairs="decom1-result2/range",
)
def range_of_error() -> Argument:
    """Two numbers in [0, 1]. Only the upper half is used."""
    y = sp.Symbol("y")
    unit = Var(sp.Integer(0), high=sp.Integer(1))
    return proof(
        Goal(Rel(x - y, "<=", 1), {x: unit, y: unit}, name="above"),
        Goal(Rel(x - y, ">=", -1), {x: unit, y: unit}, name="below"),
    )


ROOT_OF_RHO = {q: Letter(sp.sqrt(sp.Symbol("rho")), "rho = sigma^2/sigma_0^2")}  # of one arm


@claim(
    "them-R-Bayes-SubR/delta-power",
    by="paper",
    line=807,
    kind="step",
    severity="argument",
    cause="reversed-inequality",
    says=r"a\ge m:\quad P(\bar E_{R;t})\le K\delta_t^{1/m}",
    cites=("lemma:tauTotau", "sec:tau_star"),
)
def printed_power() -> Argument:
    """A sub-Gaussian tail gives exp(-c^2/(2 tau*^2)) = delta^(tau^2/tau*^2), and the exponent is then taken from a
    false lemma. One arm, one pull, noise +-sigma fair: the estimate is the reward, its width sqrt(a log 2) sigma is
    below sigma for a < 1/log 2, so the interval fails with chance 1/2; the bound is 2^(-a/(2m)), less than 1/2 for a >
    2m."""
    arm, log2 = m.subs(J, 0), sp.Symbol("log(2)")
    printed = Goal(
        Rel(sp.Rational(1, 2), "<=", sp.exp(-a / (2 * arm) * sp.log(2))),
        {a: positive(), q: positive()},
        (Rel(a * sp.log(2), "<", 1), Rel(a, ">=", arm)),
        "K = 1, t = 2: chance that the interval fails",
        letters={a: LETTERS[a], **ROOT_OF_RHO},
    )
    return refuted(
        printed,
        at=Point(
            {a: sp.Rational(4, 3), q: sp.Rational(1, 8)},
            {
                "K": "1",
                "n": ["1"],
                "t": "2",
                "sigma_sq": "1/1024",
                "sigma0_sq": "1/16",
                "a": "4/3",
            },
            {q: sp.sqrt(sp.Symbol("sigma_sq") / sp.Symbol("sigma0_sq"))},
            {"noise": "1/32 or -1/32, fair", "mu_k": "1/4 or 3/4, fair"},
        ),
        region=power_region(arm, log2),
        fails_when="K = 1, t = 2, noise +-sigma: iff 2m < a < 1/log 2, which leaves room as m < 1/(2 log 2)",
    )


def power_region(arm: sp.Expr, log2: sp.Symbol) -> Region:
    """The example at every rho and a < 1/log 2, by logarithms; the width is that of a sample mean."""
    free = {a: positive(), q: positive(), log2: positive()}
    logs = Goal(
        Rel(-log2, "<=", -a / (2 * arm) * log2),
        free,
        (Rel(a * log2, "<", 1),),
        "logarithms of both sides",
        letters=ROOT_OF_RHO,
    )
    found = exactly(logs, Rel(a, ">", 2 * arm), also=logs.given, numbers={log2: sp.log(2)})
    alone = {J: sp.Integer(0), Wo: sp.Integer(0)}
    return found.with_items(
        proxy_goal(tau_sq.subs(alone), "=", s / n, name="one arm: tau^2 is that of its sample mean"),
        Goal(
            Rel(a * log2 * s, "<", s),
            {**free, s: positive()},
            (Rel(a * log2, "<", 1),),
            "width below sigma",
            letters={s: LETTERS[s]},
        ),
    )


v = sp.Symbol("v")
TAIL_LETTERS = {v: Letter(sp.Symbol("tau_k", positive=True) ** 2, "Eq. MSE, a proxy of the error"), **LOG}


def fixed_counts_tail() -> Follows:
    """P(error > sqrt(a v log t)) <= t^(-a/2), v a proxy of the error: Chernoff's bound at this width."""
    sizes = {x: positive(), v: positive(), o: real()}
    proxy = Rel(Mean(sp.exp(x * error / v), o), "<=", sp.exp(x**2 / (2 * v)))
    any_variable = uses("ours/classical/chernoff", item="Chernoff's bound")
    chernoff = specialised(any_variable, {variables.X: error}, sizes, (proxy,), "beyond x")
    width = sp.sqrt(a * v * L)
    free = {a: positive(), v: positive(), L: positive(), o: real()}
    at = Rel(Mean(sp.exp(width * error / v), o), "<=", sp.exp(a * L / 2))
    beyond = instance(chernoff, {x: width}, free, (at,), "beyond the width")
    chance = Rel(Mean(Event(error - width, 1), o), "<=", sp.exp(-a * L / 2))
    return follows(chance, beyond, domain=free, given=(at,), name="chance")


@claim(
    "them-R-Bayes-SubR/delta-power/repaired",
    by="us",
    kind="step",
    cites=("sec:tau_star/repaired",),
    repairs="them-R-Bayes-SubR/delta-power",
)
def power() -> Argument:
    """With proxy tau^2 the width cancels it: the exponent is a log t / 2 and no constant m appears."""
    return proof(fixed_counts_tail(), letters={**TAIL_LETTERS, a: LETTERS[a]})


@claim(
    "them-R-Bayes-SubR/delta-sum",
    by="paper",
    line=807,
    kind="step",
    cites=("sec:proof/sum-root", "sec:proof/harmonic"),
)
def power_of_t() -> Argument:
    """delta_t^(1/m) = t^(-a/(2m)); powers of t >= 1 rise with the exponent."""
    x, z = sp.symbols("x m")
    free = {a: positive(), z: positive(), L: at_least(0)}
    first = Goal(Rel(-a / (2 * z), "<=", -sp.Rational(1, 2)), free, (Rel(a, ">=", z),), "exponent, part (1)")
    second = Goal(Rel(-a / (2 * z), "<=", -1), free, (Rel(a, ">=", 2 * z),), "exponent, part (2)")
    power = {x: real(), L: at_least(0)}
    return proof(
        Monotone(first, sp.exp(L * x), x, power, name="part (1)"),
        Monotone(second, sp.exp(L * x), x, power, name="part (2)"),
        letters={**LOG, a: LETTERS[a], z: Letter(z, "constant m of the theorem")},
    )


@claim(
    "them-R-Bayes-SubR/leading",
    by="paper",
    line=816,
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"\sum_{t=1}^nc_{I_t,t}\le\beta\sqrt{aG\sigma_0^2Kn\log n},\quad G=\log(1+n/\rho)/\log(1+1/\rho)",
    cites=("regret-decom-upper1", "sec:proof/use-of-tau"),
)
def leading() -> Argument:
    """The sum starts at round 1, and the chain it refers to needs tau^2 <= beta^2 tilde-tau^2, which an unpulled arm
    need not satisfy: before round 2 of two arms the second has tau^2 = sigma_0^2 (2 + rho)."""
    one = sp.Integer(1)
    return gap(
        Goal(
            Rel(s0 * (2 + s / s0), "<=", bounds.learning_price(sp.Integer(2), s0, s) ** 2 * s0),
            {s: positive(), s0: positive()},
            name="K = 2, t = 2, arm 2 unpulled: tau^2 <= beta^2 tilde-tau^2",
            letters=PROXIES,
        ),
        premises=(
            Goal(
                Rel(s, "<=", bounds.learning_price(sp.Integer(2), s0, s) ** 2 * s0 * s / (s0 + s)),
                {s: positive(), s0: positive()},
                name="the pulled arm, of tau^2 = sigma^2, satisfies it",
            ),
        ),
        at=Point({s: one, s0: one}, {"K": "2", "n": ["0", "1"], "t": "2", "sigma_sq": "1", "sigma0_sq": "1"}),
        fails_iff=Rel(s, "<", 2 * s0),
        fails_when="rounds t <= K; in this example iff rho < 2",
    )


@claim(
    "them-R-Bayes-SubR/leading/repaired",
    by="us",
    kind="step",
    repairs="them-R-Bayes-SubR/leading",
)
def leading_sharp() -> Argument:
    """Nothing in the chain uses the law of the rewards: Theorem 2's repaired display holds as it is, with
    sqrt(beta)."""
    sum_of_widths = uses("regret-decom-upper1/repaired")
    found = sum_of_widths.concludes
    root, lead = sp.symbols("root lead")  # sqrt(beta), the rest of the leading term
    sizes = {root: at_least(1), lead: positive()}
    larger = Goal(Rel(root * lead, "<=", root**2 * lead), sizes, name="sqrt(beta) in place of beta")
    printed = Goal(Rel(price, ">=", 1), SIZES, name="beta >= 1")
    stated = follows(found.rel, sum_of_widths, domain=found.domain, given=found.given, name="sum of the widths")
    return proof(stated, step(larger), step(printed), letters={**found.letters, **PROXIES})


@claim(
    "them-R-Bayes-SubR/statement-1",
    by="paper",
    line=823,
    kind="step",
    severity="argument",
    cause="statement-against-proof",
    says=r"4K\sqrt n\ \text{(derived)}\le(K+\rho)\sqrt{8n\sigma_0^2\sigma^2/(\pi(\sigma_0^2+\sigma^2))}\ "
    r"\text{(stated)}",
    cites=("them-R-Bayes-SubR/delta-power",),
)
def statement_one() -> Argument:
    """The statement carries over the Gaussian tail; the proof derives 4 K sqrt(n), which is larger for ordinary
    variances."""
    return gap(
        Goal(
            Rel(4 * k, "<=", tail),
            SIZES,
            name="derived tail against stated tail, both divided by sqrt(n)",
            letters={**PROXIES, k: ARMS_LETTER[sp.Symbol("K")]},
        ),
        premises=(uses("them-R-Bayes-SubR/statement-1/repaired", {sp.Symbol("K"): k}, domain=SIZES),),
        letters={k: ARMS_LETTER[sp.Symbol("K")]},
        at=Point(dict.fromkeys((k, s, s0), sp.Integer(1)), {"K": "1", "sigma_sq": "1", "sigma0_sq": "1"}),
        region=stated_below_derived(),
        fails_when="(K + rho)^2 sigma_0^2 sigma^2 / (sigma_0^2 + sigma^2) < 2 pi K^2",
    )


def stated_below_derived() -> Region:
    """Where the stated tail is below the derived one: squared, and with a symbol for pi, the comparison is rational."""
    pi, square = sp.Symbol("pi"), 8 * (k + s / s0) ** 2 * s0 * s / (s0 + s)
    found = exactly(
        Goal(Rel(16 * k**2, "<=", square / pi), {**SIZES, pi: positive()}, letters={k: ARMS_LETTER[sp.Symbol("K")]}),
        Rel((k + s / s0) ** 2 * s0 * s, "<", 2 * pi * k**2 * (s0 + s)),
        numbers={pi: sp.pi},
    )
    squared = Goal(Rel(sp.pi * tail**2, "=", square), SIZES, name="stated tail, squared, times pi")
    return found.with_items(squared)


@claim(
    "them-R-Bayes-SubR/statement-1/repaired",
    by="us",
    kind="step",
    repairs="them-R-Bayes-SubR/statement-1",
)
def derived_one() -> Argument:
    """Two tails of K times the sum of t^(-1/2) each; they use the gaps above, so this is what the proof adds up to,
    not a bound on the regret."""
    t, rounds, arms = sp.symbols("t n K")
    tails = arms * sp.Sum(1 / sp.sqrt(t), (t, 1, rounds))
    free = {rounds: at_least(1, integer=True), arms: at_least(1, integer=True)}
    total = Rel(2 * tails, "<=", 4 * arms * sp.sqrt(rounds))
    return proof(follows(total, uses("sec:proof/sum-root"), domain=free, name="two events"), letters=sums.LETTERS)


@claim(
    "them-R-Bayes-SubR/statement-2",
    by="paper",
    line=829,
    kind="step",
    severity="wording",
    cause="statement-against-proof",
    says=r"4K(1+\log n)\ \text{(end of the proof)}\le2K(1+\log n)\ \text{(statement)}",
    cites=("them-R-Bayes-SubR/delta-power",),
)
def statement_two() -> Argument:
    """The proof ends with twice the last term of the statement. The steps before give the statement's constant; the 4
    is a misprint for 2."""
    arms, log = sp.Symbol("K"), sp.Symbol("log(n)")
    inference = Goal(
        Rel(4 * k * (1 + L), "<=", 2 * k * (1 + L)),
        {k: at_least(1, integer=True), L: at_least(0)},
        letters={k: ARMS_LETTER[arms], L: Letter(sp.log(HORIZON.shown), "logarithm of the number of rounds")},
    )
    return misprint(
        inference,
        premises=(Rel(k, ">=", 1), Rel(L, ">=", 0)),
        at=Point({k: sp.Integer(1), L: sp.Integer(0)}, {"K": "1", "horizon": "1"}, {L: sp.log(sp.Symbol("horizon"))}),
        region=everywhere(inference, 2 * arms * (1 + log), {arms: k, log: L}),
        fails_when="always",
    )


@claim(
    "them-R-Bayes-SubR/statement-2/repaired",
    by="us",
    kind="step",
    repairs="them-R-Bayes-SubR/statement-2",
)
def derived_two() -> Argument:
    """Each of the two events costs K times the harmonic sum. The statement has the right constant, the last display a
    loose one."""
    t, rounds, arms = sp.symbols("t n K")
    tails = arms * sp.Sum(1 / t, (t, 1, rounds))
    free = {rounds: at_least(1, integer=True), arms: at_least(1, integer=True)}
    total = Rel(2 * tails, "<=", 2 * arms * (1 + sp.log(rounds)))
    return proof(follows(total, uses("sec:proof/harmonic"), domain=free, name="two events"), letters=sums.LETTERS)


@claim(
    "them-R-Bayes-SubR/expectation-twice",
    by="paper",
    line=821,
    kind="notation",
)
def expectation_twice() -> Argument:
    """R_n is defined as an expectation, so the expectation around it changes nothing; the regret before averaging is
    meant."""
    regret, o = sp.symbols("R_n o")
    constant = Goal(Rel(Mean(regret, o), "=", regret), {regret: real(), o: real()}, name="mean of a constant")
    return proof(constant, letters={regret: Letter(regret, "Bayes regret of n rounds"), o: Letter(o, "outcome")})
