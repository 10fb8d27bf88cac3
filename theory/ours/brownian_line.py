"""The law of S in the counting bound: a Brownian motion and a line.

That the other arms are below a Brownian motion is in `remaining_arms`, `first_rewards` and `rival_noise`.
"""

import sympy as sp

from theory.kernel.argument import Argument, Item, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import REFLECTION
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import Cited, cited, instance
from theory.kernel.terms import Event, Mean
from theory.model import round_kinds as kinds
from theory.model.normal import upper
from theory.model.round_kinds import o

level, slope, time = sp.symbols("c m T")
BARRIER = {level: positive(), slope: real(), time: positive(), o: real()}
ROOT = sp.sqrt(time)
MEETS = upper((level + slope * time) / ROOT) + sp.exp(-2 * slope * level) * upper((level - slope * time) / ROOT)
BARRIER_WORDS = {
    level: Letter(level, "height of the line at time 0"),
    slope: Letter(slope, "slope of the line"),
    time: Letter(time, "time up to which the path may reach the line"),
}


def in_time() -> Cited:
    """The chance that a Brownian motion reaches a line in a time."""
    reached = Event(kinds.above_line(slope, time, o) - level, 0)
    gives = Goal(Rel(Mean(reached, o), "=", MEETS), BARRIER, name="at a line in time")
    hypotheses = tuple(Goal(Rel(x, ">", 0), BARRIER, name=f"{x} > 0") for x in (level, time))
    at = {"highest": kinds.above_line, "level": level, "slope": slope, "time": time, "outcome": o}
    return cited(REFLECTION, hypotheses=hypotheses, gives=gives, name=gives.name, at=at)


def law_of_S() -> tuple[Item, Item]:
    """Given E = e_0 and B(v0) = b, S >= s says that a Brownian motion from v0 on reaches a line in the time T: its
    level is c = s (2 + v0) - e_0 - b, its slope m = s + zeta."""
    s, v0, u, e_, b, zeta = sp.symbols("s v_0 u e_0 b zeta")
    free = {s: real(), v0: at_least(0), u: at_least(0), e_: at_least(0), b: real(), zeta: at_least(0)}
    boundary = Goal(
        Rel(s * (2 + v0 + u) - e_ + zeta * u - b, "=", (s * (2 + v0) - e_ - b) + (s + zeta) * u),
        free,
        name="the boundary for B(v0 + u) - B(v0)",
    )
    at = {level: s * (2 + v0) - e_ - b, slope: s + zeta}
    rest = {x: v for x, v in free.items() if x != u}
    given = (Rel(at[level], ">", 0),)
    return boundary, instance(
        in_time(), at, {**rest, time: positive(), o: real()}, given, name="P(S >= s | e_0, b), T = K - 2 - v_0"
    )


@claim("ours/counting/reflection", by="us", kind="identity")
def reflection() -> Argument:
    """A Brownian motion and a line: the chance that it reaches it until a time T. As it must, the chance to stay below
    solves the backward equation, and is 0 if the line starts where the motion does. It gives the law of S of the
    counting bound, given E = e_0 and B(v_0) = b: the boundary for B(v_0 + u) - B(v_0) is a line."""
    stays = 1 - MEETS
    change = sp.Derivative(stays, (level, 2)) / 2 + slope * sp.Derivative(stays, level)
    free = {x: v for x, v in BARRIER.items() if x != o}
    checks = (
        Goal(Rel(sp.Derivative(stays, time), "=", change), free, name="backward equation"),
        Goal(Rel(stays.subs(level, 0), "=", 0), free, name="at the line"),
    )
    boundary, law = law_of_S()
    return proof(*map(step, (*checks, boundary)), in_time(), law, letters=BARRIER_WORDS)
