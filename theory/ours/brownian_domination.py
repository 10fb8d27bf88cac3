"""The law of S in the counting bound: Brownian motions and lines, and one step of the other arms.

That the other arms are below a Brownian motion is in `remaining_arms`, `first_rewards` and `rival_noise`.
"""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import REFLECTION
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import cited, instance, uses
from theory.kernel.terms import Event, Mean
from theory.model import round_kinds as kinds
from theory.model.normal import upper
from theory.model.round_kinds import o

UNIT = Var(sp.Integer(0), high=sp.Integer(1))


@claim("ours/counting/truncation", by="us", kind="inequality")
def truncation() -> Argument:
    """Conditioning on mu <= y lowers every P(mu > x): with F the distribution function, (F(y) - F(x))/F(y) is at most
    1 - F(x). A sum with independent noise keeps the order."""
    low, high = sp.symbols("F_x F_y")
    free = {low: UNIT, high: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    letters = {low: Letter(low, "P(mu <= x)"), high: Letter(high, "P(mu <= y) for a number y >= x")}
    return proof(
        Goal(Rel((high - low) / high, "<=", 1 - low), free, (Rel(low, "<=", high),), "P(mu > x) falls"), letters=letters
    )


@claim("ours/counting/steps-of-the-others", by="us", kind="identity", cites=("ours/counting/truncation",))
def steps_of_the_others() -> Argument:
    """The posterior mean of an arm after j rewards is w(j) rbar_j; its next step has variance w(j+1) - w(j), so that
    the steps of all other arms in the order of play are a Gaussian walk whose clock is the sum of their weights."""
    j, r, x, m = sp.symbols("j r x m")  # x = next reward, m = w(j) rbar_j; r = rho, units sigma_0 = 1
    free = {j: at_least(0), r: positive(), x: real(), m: real()}
    total = m * (j + r)  # sum of the first j rewards
    variance = r / (j + r) + r  # of the next reward: posterior variance plus noise
    slope = 1 / (j + 1 + r)
    return proof(
        Goal(Rel((total + x) / (j + 1 + r) - m, "=", slope * (x - m)), free, name="one step"),
        Goal(Rel(slope**2 * variance, "=", (j + 1) / (j + 1 + r) - j / (j + r)), free, name="its variance"),
        letters={
            j: Letter(j, "number of rewards of the arm"),
            r: Letter(sp.Symbol("rho"), "sigma^2/sigma_0^2"),
            x: Letter(x, "the next reward"),
            m: Letter(m, "weight of the arm times the mean of its rewards"),
        },
    )


level, slope, time = sp.symbols("c m T")
LINE = {level: positive(), slope: positive(), o: real()}
BARRIER = {level: positive(), slope: real(), time: positive(), o: real()}
BARRIER_WORDS = {
    level: Letter(level, "height of the line at time 0"),
    slope: Letter(slope, "slope of the line"),
    time: Letter(time, "time up to which the path may reach the line"),
}


@claim("ours/counting/reflection", by="us", kind="identity")
def reflection() -> Argument:
    """A Brownian motion and a line: the chances that it ever reaches it, and that it does so until a time T. As it
    must, the chance to stay below solves the backward equation, and is 0 if the line starts where the motion does."""
    root = sp.sqrt(time)
    meets = upper((level + slope * time) / root) + sp.exp(-2 * slope * level) * upper((level - slope * time) / root)
    stays = 1 - meets
    reached = Event(kinds.ever_above(slope, o) - level, 0)
    in_time = Event(kinds.above_line(slope, time, o) - level, 0)
    line = {"level": level, "slope": slope, "outcome": o}
    ever = Goal(Rel(Mean(reached, o), "=", sp.exp(-2 * level * slope)), LINE, name="ever at a line")
    until = Goal(Rel(Mean(in_time, o), "=", meets), BARRIER, name="at a line in time")
    starts, rises = (Goal(Rel(x, ">", 0), LINE, name=f"{x} > 0") for x in (level, slope))
    lasts = Goal(Rel(time, ">", 0), BARRIER, name=f"{time} > 0")
    forms = {**line, "highest": kinds.ever_above}, {**line, "highest": kinds.above_line, "time": time}
    found = (
        cited(REFLECTION, hypotheses=(starts, rises), gives=ever, name=ever.name, at=forms[0]),
        cited(REFLECTION, hypotheses=(starts, lasts), gives=until, name=until.name, at=forms[1]),
    )
    change = sp.Derivative(stays, (level, 2)) / 2 + slope * sp.Derivative(stays, level)
    free = {x: v for x, v in BARRIER.items() if x != o}
    checks = (
        Goal(Rel(sp.Derivative(stays, time), "=", change), free, name="backward equation"),
        Goal(Rel(stays.subs(level, 0), "=", 0), free, name="at the line"),
    )
    return proof(*map(step, checks), *found, letters=BARRIER_WORDS)


@claim("ours/counting/best-arm-noise", by="us", kind="identity")
def best_arm_noise() -> Argument:
    """w_l times the error of the best arm's average is a walk over n_l + rho, at most E = sup_u sigma B(u)/(u + rho).
    E >= e says that B reaches the line e (u + rho)/sigma: level c = e rho/sigma, slope m = e/sigma, which a Brownian
    motion ever does with probability exp(-2cm) = exp(-2 e^2), as rho = sigma^2."""
    sigma, size = sp.symbols("sigma e")
    known = uses("ours/counting/reflection", item="ever at a line")
    letters = {sigma: Letter(sigma, "standard deviation of the rewards of an arm"), size: Letter(size, "level of E")}
    at = {level: size * sigma**2 / sigma, slope: size / sigma}
    return proof(
        instance(known, at, {size: positive(), sigma: positive(), o: real()}, name="P(E >= e)"), letters=letters
    )


@claim("ours/counting/law-of-S", by="us", kind="identity")
def law_of_S() -> Argument:
    """Given E = e and B(v0) = b, S >= s says that a Brownian motion from v0 on reaches a line in the time T = K - 2 -
    v0: the level is c = s (2 + v0) - e - b, the slope m = s + zeta."""
    s, v0, u, e_, b, zeta = sp.symbols("s v_0 u e b zeta")
    free = {s: real(), v0: at_least(0), u: at_least(0), e_: at_least(0), b: real(), zeta: at_least(0)}
    boundary = Goal(
        Rel(s * (2 + v0 + u) - e_ + zeta * u - b, "=", (s * (2 + v0) - e_ - b) + (s + zeta) * u),
        free,
        name="the boundary for B(v0 + u) - B(v0)",
    )
    known = uses("ours/counting/reflection", item="at a line in time")
    at = {level: s * (2 + v0) - e_ - b, slope: s + zeta}
    rest = {x_: v for x_, v in free.items() if x_ != u}
    given = (Rel(at[level], ">", 0),)
    return proof(
        step(boundary), instance(known, at, {**rest, time: positive(), o: real()}, given, name="P(S >= s | e, b)")
    )
