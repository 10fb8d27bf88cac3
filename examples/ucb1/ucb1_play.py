"""The play of UCB1 and its notation. The arms that are not best are i = 1, ..., K - 1, with mean best - D(i); one best
arm is compared with them, and if there are more, they cost nothing.

UCB1 pulls every arm once. In round t + 1, after t pulls in all, it pulls an arm whose sample mean plus sqrt(2 log(t)/s)
is largest, s being its own number of pulls. Everything random is a function of the outcome w: X(s, w) is the mean of
the best arm's first s rewards, Y(r, i, w) that of arm i's first r rewards, u(t, i, w) is 1 if arm i is pulled in round
t and 0 otherwise.
"""

import sympy as sp

from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.kernel.rules import Definition, event
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean

PAPER = {"by": "paper", "where": "Theorem 1"}
K, N, t, s, r, i, j, q, w, k, S, M = sp.symbols("K N t s r i j q w k S M")
D, L, log_t, best, x, y, wide, narrow, c = sp.symbols("D L l best x y wide narrow c")
X, Y, u, A, B = map(sp.Function, ("X", "Y", "u", "A", "B"))
gap, ell = sp.Function("D")(i), sp.Function("ell")(i)  # of arm i; ell is 8 log(N)/D^2, rounded up
fix(best, scope=(X, Y))  # on which the sample means depend without showing it
fix(N, scope=ell.func)
COUNT, EXTRA, ROUND = at_least(1, integer=True), at_least(0, integer=True), at_least(2, integer=True)
UNIT = Var(sp.Integer(0), integer=True, high=sp.Integer(1))
ARM = {i: COUNT, gap: positive(), ell: COUNT, best: real(), L: positive(), w: real()}
# Of the first t pulls A are of the best arm and ell + B of arm i, or A = 1 and B = 0 if there are fewer.
PLAY = {u(t, i, w): UNIT, A(t, i, w): COUNT, B(t, i, w): EXTRA}


def width(count: sp.Expr) -> sp.Expr:
    """The half-width of the confidence interval after t pulls in all."""
    return sp.sqrt(2 * sp.log(t) / count)


def wrong(count: sp.Expr, own: sp.Expr) -> sp.Expr:
    """In round t + 1 arm i, after `own` pulls, has no smaller index than the best arm after `count` pulls."""
    return event(Rel(Y(own, i, w) + width(own), ">=", X(count, w) + width(count)))


def again(round_: sp.Expr) -> sp.Expr:
    """Arm i is pulled in this round and had ell pulls or more before."""
    return u(round_, i, w) * Event(sp.Sum(u(q, i, w), (q, 1, round_ - 1)) - ell, 0)


SEEN = (Rel(sp.log(t), "<=", L), Rel(ell, ">=", 8 * L / gap**2))


def averages() -> tuple[Definition, Definition]:
    """What the sample means are: averages of independent rewards in [0, 1], whose mean is that of the arm."""
    domain = {**ARM, s: COUNT, r: COUNT}
    first = Goal(Rel(Mean(X(s, w), w), "=", best), domain, name="mean of the best arm's average")
    second = Goal(Rel(Mean(Y(r, i, w), w), "=", best - gap), domain, name="mean of arm i's average")
    what = "the average of independent rewards in [0, 1]"
    return Definition(f"X(s, w): {what} with mean best", first), Definition(f"Y(r, i, w): {what} of arm i", second)
