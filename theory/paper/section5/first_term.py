"""Section 5.2 (`sec:proof`): the first term of the proof, that is the sum of the widths."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, Item, gap, misprint, proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import Region, TypedRegion, everywhere, exactly
from theory.kernel.rules import (
    Cases,
    Follows,
    Monotone,
    Rises,
    SumOver,
    Telescoping,
    applied,
    chain,
    follows,
    instance,
    restated,
    uses,
)
from theory.model.any_choices import Choices
from theory.model.arms import ARMS_LETTER, HORIZON, LETTERS, arm_goal, beta, n, s, s0, tau_sq, tau_tilde_sq
from theory.model.play import COUNT, K, N, k, t
from theory.model.pull_order import ALL_ROUNDS, AT_MOST_ALL, CHOICES, SIZES, WHOLE, WORDS, j, total
from theory.model.regret_bounds import Bound
from theory.model.sums import N as N_
from theory.model.sums import square_of_sum
from theory.ours.bad_rounds import times
from theory.ours.pulls_in_order import by_arms

a, x, y, L = sp.symbols("a x y L")
m, big, ell = sp.symbols("m big ell")  # sigma_0^2/sigma^2, log(1 + m n), log(1 + m)


@claim(
    "sec:proof/use-of-tau",
    by="paper",
    line=365,
    kind="step",
    severity="argument",
    cause="unpulled-arms",
    says=r"\tau_{I_t,t}^2\le\beta\tilde\tau_{I_t,t}^2\ \text{in every round}",
    cites=("sec:tau", "sec:tau/unpulled-arm"),
)
def printed_use_of_tau() -> Argument:
    """The lemma needs every arm pulled. In a round 2 <= t <= K the pulled arm has no reward and W has t - 1 terms,
    not K: tau^2 = sigma_0^2 (1 + 1/W), always above beta sigma_0^2."""
    fresh = s0 * (1 + (1 + s / s0) / N)  # N = t - 1 arms pulled once
    goal = Goal(
        Rel(fresh, "<=", (1 + s / (k * s0)) * s0),
        {N: at_least(1, integer=True), k: at_least(2, integer=True), s: positive(), s0: positive()},
        (Rel(N, "<", k),),
        "unpulled arm, N others pulled once",
        letters={**LETTERS, N: Letter(t - 1, "number of arms pulled before round t"), k: ARMS_LETTER[K]},
    )
    one = sp.Integer(1)
    rounds, arms = sp.symbols("t K")
    by_how_much = everywhere(goal, (s0 + s) / (rounds - 1) - s / arms, {rounds: N + 1, arms: k})
    return refuted(
        goal,
        region=by_how_much,
        fails_when="every round 2 <= t <= K; at t = 1 tau is not defined",
        at=Point(
            {N: one, k: 2 * one, s: one, s0: one},
            {"K": "2", "n": ["0", "1"], "t": "2", "sigma_sq": "1", "sigma0_sq": "1"},
        ),
    )


@claim(
    "sec:proof/use-of-tau/repaired",
    by="us",
    kind="step",
    cites=("sec:tau",),
    repairs="sec:proof/use-of-tau",
)
def use_of_tau() -> Argument:
    """After the first K rounds every count is at least 1; the printed form of tilde-tau^2 is the same number."""
    return proof(
        arm_goal(tau_sq, "<=", beta * tau_tilde_sq, name="Lemma sec:tau"),
        arm_goal(tau_tilde_sq, "=", 1 / (1 / s0 + n / s), name="printed form"),
    )


@claim(
    "sec:proof/log-n",
    by="paper",
    line=372,
    kind="step",
)
def log_rises() -> Argument:
    """The logarithm rises."""
    rounds = Goal(Rel(t, "<=", N), {t: at_least(1), N: at_least(1)}, (Rel(t, "<=", N),), "t <= n")
    return proof(
        Monotone(rounds, sp.log(x), x, {x: positive()}, name="logarithms"), letters={N: HORIZON, t: LETTERS[t]}
    )


@claim("sec:proof/cauchy-schwarz", by="paper", line=373, kind="step")
def cauchy_schwarz() -> Argument:
    """The sum of the squared deviations from the mean is not negative."""
    term = sp.Function("y")(t)
    total = square_of_sum(term, sp.Integer(1), N_, {N_: COUNT, term: real()}, name="square of a sum")
    return proof(total, letters={N_: HORIZON, term: Letter(term, "any number for each round")})


@claim(
    "sec:proof/x-over-log",
    by="paper",
    line=378,
    kind="inequality",
)
def ratio_rises() -> Argument:
    """The derivative of x/log(1+x) has the sign of log(1+x) - x/(1+x), which is 0 at 0 and rises. At x = 0 the
    printed ratio is 0/0; it is applied to positive x."""
    log, free = sp.log(1 + x), {x: positive(), m: positive()}
    rises = Rises(log - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) - x/(1+x)")
    order = Goal(Rel(x, "<=", m), free, (Rel(x, "<=", m),), "x <= m")
    ratio, sign = y / sp.log(1 + y), instance(rises, {x: y}, {y: positive()}, name="sign of the slope")
    return proof(
        Monotone(order, ratio, y, {y: positive()}, name="the ratio rises", slope=(sign,)),
        Goal(Rel(sp.Derivative(x / log, x) * log**2, "=", log - x / (1 + x)), {x: positive()}, name="derivative"),
        letters={m: Letter(m, "any number; sigma_0^2/sigma^2 in the proof of the theorem")},
    )


@claim(
    "sec:proof/x-over-log/at-zero",
    by="paper",
    line=378,
    kind="step",
    severity="wording",
    cause="misprinted-formula",
    says=r"x\in[0,m]:\quad x/\log(1+x)\ \text{is defined, that is}\ \log(1+x)>0",
)
def printed_interval() -> Argument:
    """The interval includes 0, where the ratio is 0/0. It is applied to positive x only."""
    return misprint(
        Goal(Rel(sp.log(1 + x), ">", 0), {x: at_least(0)}, name="the denominator"),
        fails_when="x = 0",
        region=TypedRegion(
            "x <= 0", ("x",), (*positive_log(), Goal(Rel(sp.log(1 + x).subs(x, 0), "=", 0), {}, name="at x = 0"))
        ),
    )


def positive_log() -> tuple[Item, ...]:
    """log(1+x) >= x/(1+x) > 0 for x > 0: the difference is 0 at 0 and rises."""
    return (
        *rises_from(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) - x/(1+x)"),
        Goal(Rel(x / (1 + x), ">", 0), {x: positive()}, name="positive"),
    )


@claim(
    "sec:proof/x-over-log/at-zero/repaired",
    by="us",
    kind="step",
    repairs="sec:proof/x-over-log/at-zero",
)
def interval() -> Argument:
    """log(1+x) - x/(1+x) is 0 at 0 and rises, and x/(1+x) is positive for x > 0."""
    return proof(*positive_log())


@claim(
    "sec:proof/x-over-log/reason",
    by="paper",
    line=378,
    kind="step",
    severity="argument",
    cause="wrong-reason",
    says=r"f(0)=g(0),\ f'\ge g'\ \text{on}\ [0,m]\ \Rightarrow\ f(x)/g(x)\le f(m)/g(m)",
)
def printed_reason() -> Argument:
    """Growing faster from the same start makes the difference grow, not the ratio: f = 2x - x^2/2 and g = x on [0, 1]
    have f' >= g' and a falling ratio."""
    f = 2 * x - x**2 / 2
    given = (Rel(x, "<=", 1), Rel(sp.Derivative(f, x), ">=", 1))
    printed = Goal(Rel(f / x, "<=", (f / x).subs(x, 1)), {x: positive()}, given, "ratio on [0, 1]")
    return gap(
        printed,
        region=exactly(printed, Rel(x, "<", 1)),
        fails_when="f'/g' falls, as for f = 2x - x^2/2 and g = x: for every x below m = 1",
    )


@claim(
    "sec:proof/x-over-log/reason/repaired",
    by="us",
    kind="step",
    repairs="sec:proof/x-over-log/reason",
)
def monotone_rule() -> Argument:
    """The slopes' ratio is 1 + x, which rises; then x/log(1+x), a mean of that ratio over [0, x], rises with it."""
    return proof(
        Goal(Rel(1 / sp.Derivative(sp.log(1 + x), x), "=", 1 + x), {x: positive()}, name="ratio of slopes"),
        Goal(Rel(1 + x, "<=", 1 + y), {x: positive(), y: positive()}, (Rel(x, "<=", y),), "it rises"),
        *rises_from(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log(1+x) >= x/(1+x)"),
        Goal(
            Rel(sp.Derivative(x / sp.log(1 + x), x), "=", (sp.log(1 + x) - x / (1 + x)) / sp.log(1 + x) ** 2),
            {x: positive()},
            name="so the slope of x/log(1+x) is nonnegative",
        ),
    )


@claim("sec:proof/gamma", by="paper", line=380, kind="step")
def gamma_step() -> Argument:
    """x = 1/(rho + n_k) is at most m = 1/rho, with equality at n_k = 0; multiply the ratio inequality by sigma^2
    log(1+x)."""
    pair, free = dict.fromkeys((x, m, s), positive()), {s: positive(), s0: positive(), n: WHOLE}
    scaled = Rel(s * x, "<=", s * m / sp.log(1 + m) * sp.log(1 + x))
    ratio = uses("sec:proof/x-over-log", item="the ratio rises")
    product = follows(scaled, ratio, domain=pair, given=(Rel(x, "<=", m),), name="times sigma^2 log(1+x)")
    step_ = instance(product, {x: 1 / (s / s0 + n), m: s0 / s}, free, name="at x = 1/(rho + n_k)")
    printed = restated(step_, Rel(precision(n), "<=", GAMMA * growth(n)), name="one pull")
    return proof(printed, letters=LETTERS)


GAMMA = Bound("gamma", s0, s)


def precision(pulls: sp.Expr) -> sp.Expr:
    """tilde-tau^2 after so many pulls, as printed in the proof."""
    return 1 / (1 / s0 + pulls / s)


def growth(pulls: sp.Expr) -> sp.Expr:
    return sp.log((1 / s0 + (pulls + 1) / s) / (1 / s0 + pulls / s))


@claim("sec:proof/telescoping", by="paper", line=388, kind="step")
def telescoping() -> Argument:
    """The pulls of one arm meet the counts 0, 1, ..., N_k - 1, so its logarithms add up to log(1 + m N_k), and N_k <=
    n."""
    return proof(telescoped(CHOICES, AT_MOST_ALL), letters=WORDS)


def telescoped(choices: Choices, at_most_all: Item) -> Follows:
    """The sum over all rounds, for the choices of any agent."""
    sizes, total = dict(choices.sizes), choices.total.concludes.rel.left
    arm = {**sizes, k: COUNT}
    logs = GAMMA * sp.log(1 + s0 * N / s)
    pull = uses("sec:proof/gamma", {n: j - 1}, domain={**sizes, j: COUNT})
    rises = GAMMA * sp.log(1 / s0 + (j - 1) / s)
    pulls = Telescoping(pull, rises, j, sp.Integer(1), N, {**sizes, N: WHOLE}, name="pulls of one arm")
    closed = restated(pulls, Rel(pulls.concludes.rel.stated[0], "<=", logs), "pulls of one arm")
    one = instance(closed, {N: total}, arm, name="one arm")
    most = Monotone(at_most_all, logs.xreplace({N: x}), x, {**sizes, x: at_least(0)}, name="at most n pulls")
    arms = SumOver(chain(one, most, domain=arm), k, sp.Integer(1), K, sizes, name="all arms")
    bound = Rel(sp.Sum(precision(choices.before.concludes.rel.left), (t, 1, N)), "<=", K * logs)
    return follows(bound, by_arms(precision(j), choices), arms, domain=sizes, name="all rounds")


@claim("sec:proof/telescoping/sharp", by="us", kind="inequality", cites=("sec:proof/telescoping",))
def telescoping_sharp() -> Argument:
    """K arms cannot all be pulled n times: log(1 + mN) lies below its tangent at the mean count n/K (log z <= z - 1),
    and the tangents' slopes add up to 0."""
    above = Rises(x - sp.log(1 + x), x, sp.Integer(0), {x: at_least(0)}, "log z <= z - 1, z >= 1")
    below = Rises(sp.log(1 + x) - x / (1 + x), x, sp.Integer(0), {x: at_least(0)}, "log z <= z - 1, z = 1/(1+x)")
    z, odds = sp.Symbol("z"), s0 / s
    low = {z: positive()}
    larger = instance(above, {x: z - 1}, low, (Rel(z, ">=", 1),), name="z >= 1")
    smaller = instance(below, {x: 1 / z - 1}, low, (Rel(z, "<", 1),), name="z < 1")
    tangent = Rel(sp.log(z), "<=", z - 1)
    high, small = [
        follows(tangent, side, domain=low, given=side.given, name="log z <= z - 1") for side in (larger, smaller)
    ]
    line = Cases(Rel(z, ">=", 1), high, small, "log z <= z - 1")
    mean = 1 + odds * N / K
    one = instance(line, {z: (1 + odds * total) / mean}, {**SIZES, k: COUNT}, name="one arm")
    straight = Rel(sp.log(1 + odds * total), "<=", sp.log(mean) + odds / mean * (total - N / K))
    arms = SumOver(restated(one, straight, "one arm"), k, sp.Integer(1), K, SIZES, name="all arms")
    level = times(ALL_ROUNDS.concludes.rel, odds / mean, SIZES, "slope of the tangent times all pulls")
    flat = Goal(
        Rel(x, "<=", y), dict.fromkeys((x, y, z, m), real()), (Rel(x, "<=", y + z - m), Rel(z, "=", m)), "no slope"
    )
    met, rounds = level.concludes.rel.stated
    at = {x: sp.Sum(straight.left, (k, 1, K)), y: K * sp.log(mean), z: met, m: rounds}
    return proof(applied(flat, at, arms, ALL_ROUNDS, level, domain=SIZES, name="equal shares"), letters=WORDS)


@claim(
    "regret-decom-upper1",
    by="paper",
    kind="step",
    severity="wording",
    cause="misprinted-formula",
    says=r"\sum_{t=1}^nc_{I_t,t}\le\sqrt{\frac{a\log(1+\sigma_0^2n)}{\log(1+\sigma_0^2/\sigma^2)}"
    r"\beta\frac{\sigma_0^2}{\sigma^2}Kn\log n}",
    cites=("sec:proof/telescoping", "sec:proof/cauchy-schwarz", "sec:proof/use-of-tau"),
)
def printed_first_term() -> Argument:
    """log(1 + sigma_0^2 n) is a logarithm of a number with a dimension, and sigma_0^2/sigma^2 stands for sigma_0^2;
    with rewards in other units the display is false. The theorem's statement has both right."""
    right = 2 * sp.log(1 + 2 * s0) / sp.log(1 + s0 / s) * (1 + s / s0) * (s0 / s)
    return misprint(
        Goal(
            Rel(s, "<=", right),
            {s: positive(), s0: positive()},
            name="K = 1, n = 2: squared, divided by a log 2",
            letters=LETTERS,
        ),
        at=Point(
            {s: sp.Integer(100), s0: sp.Integer(10)}, {"K": "1", "horizon": "2", "sigma_sq": "100", "sigma0_sq": "10"}
        ),
        region=one_arm_two_rounds(),
        fails_when="K = 1, n = 2: sigma^4 log(1 + sigma_0^2/sigma^2) > 2 (sigma_0^2 + sigma^2) "
        "log(1 + 2 sigma_0^2), so at every ratio of the two for large sigma",
    )


def one_arm_two_rounds() -> Region:
    """Where the printed display fails for one arm and two rounds, the logarithms big and ell as symbols."""
    free = {s: positive(), s0: positive(), big: positive(), ell: positive()}
    squared = Goal(Rel(s, "<=", 2 * big / ell * (1 + s / s0) * (s0 / s)), free)
    meaning = {big: sp.log(1 + 2 * s0), ell: sp.log(1 + s0 / s)}
    return exactly(squared, Rel(s**2 * ell, ">", 2 * (s0 + s) * big), meaning)
