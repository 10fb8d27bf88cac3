"""The other arms of a good pull, as a walk: what the counting bound uses of the Gaussian model.

Units sigma_0 = 1, sigma^2 = rho, mu_0 = 0. The rival of an arm k is the best of the other arms, with the mean Y_k. The
remaining K - 2 arms have the clock v, the sum of their weights w = n/(n + rho), and the walk M, the sum of w times the
average. Given arm k and its rival, their means and all their rewards, the remaining arms are independent with means
N(0, 1) cut at Y_k. The choices are factors of the likelihood that contain no mean (claim ours/adaptive-likelihood), so
that after n rewards the mean of an arm is N(w rbar, rho/(n + rho)), cut at Y_k, and its next reward is this mean and
N(0, rho) noise.

S_k is the largest value of (M + w_l ebar_l - zeta (v - v_0))/(2 + v) over the rounds K < t <= n, l the rival and ebar_l
the average of its noise; E_k is the largest value of w_l ebar_l over all its counts up to n.
"""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.integrable import require_mean
from theory.kernel.rules import Definition, equals
from theory.kernel.sources import fix
from theory.kernel.terms import Event, Mean
from theory.model.arguments import put, require_decided, require_unbound
from theory.model.counts import NOW, j
from theory.model.functions import function, of_arm, quantity, random
from theory.model.good_pulls import (
    FIRST,
    LEAST,
    LETTERS,
    PULL,
    RISE,
    SLOPE,
    UNITS,
    average,
    bracket,
    reach,
    rho,
    root,
    share,
    supremum,
    zeta,
)
from theory.model.past_rounds import require_rounds
from theory.model.play import COUNT, GAUSSIAN, LATER, PULLED, K, N, count, i, k, t
from theory.model.round_errors import BEST, BY_DIFFERENCES, CHOSEN, d, e
from theory.model.round_kinds import BROWNIAN, Lam, above_line, mean, o, pair
from theory.model.standard_normals import NORMALS, z1, z2, z3
from theory.model.standard_normals import WORDS as NORMAL_WORDS

LIKELIHOOD = "ours/adaptive-likelihood"
AN_ARM = Rel(k, "<=", K)
ONE, WHOLE = sp.Integer(1), at_least(0, integer=True)
UNIT, BIT = Var(sp.Integer(0), high=ONE), Var(sp.Integer(0), integer=True, high=ONE)
g, h, m, r, x, y, S, v = sp.symbols("g h m r x y S v")  # g: rounds after round K + 1; m: rewards of the rival
E, Y = random("E Y")
RIVAL = of_arm("rival", r"*_{{{}}}", meaning="k: the best of the other arms than k")(k, d, e)
TOP, OWN = mean(RIVAL, d, e), mean(k, d, e)  # Y_k and mu_k
walk, clock = of_arm("M", "M_{{{},{}}}"), of_arm("clock", "v_{{{},{}}}")
# the walk of the first rewards of those of the arms 1, ..., m that are remaining ones; how many come after them
first, ahead = of_arm("first M", "M^1_{{{},{}}}"), of_arm("ahead", "a_{{{},{}}}")
move = of_arm(
    "moves",
    r"\mathbf{{1}}\{{I_{{{1}}}\ne {0},*_{{{0}}}\}}",
    meaning="k t: 1 if round t pulls neither arm k nor its rival",
)(k, t, d, e)
dev = quantity(
    "deviation",
    r"s_{{{}}}",
    meaning="t: standard deviation of the mean of the pulled arm given its rewards, if it were not cut",
)(t, d)  # of the mean of the pulled arm, if it were not cut
kept = of_arm(
    "kept", r"F_{{{},{}}}", meaning="k t: the chance that this mean is at most Y_k, the mean of the rival of arm k"
)(k, t, d, e)  # the chance that it is at most Y_k, then
kept_first = of_arm("kept first", r"\Phi(Y_{{{}}})")(k, d, e)
crest = of_arm("crest", r"T_{{{}}}", meaning="k: a round in which S_k, the supremum over the rounds, is reached")(
    k, d, e
)
noise, luck = of_arm("noise", r"\varepsilon_{{{},{}}}"), of_arm("luck", "E_{{{}}}")(k, d, e)
lucky = of_arm("lucky count", r"J_{{{}}}")(k, d, e)
needed = function("needed", r"f_{{{0}}}^{{-1}}({1},{2})")
place, steep = function("place", r"v_{{{0}}}({1},{2})"), function("steep", r"\chi_{{{0}}}({1},{2})")
worth = of_arm(
    "worth",
    r"(Y_{{{0}}}-\mu_{{{0}}}+\Lambda({1}))\mathbf{{1}}\{{\mu_{{{0}}}\le Y_{{{0}}}\}}",
    meaning="k j: Y_k - mu_k plus the price of a pull at count j if mu_k <= Y_k, else 0; Y_k is the best other mean",
)(k, j, d, e)
chance = of_arm(
    "chance",
    r"h_{{{},{},{}}}",
    meaning="k j t: chance that a Brownian motion from the walk in round t on ever reaches what f_j needs",
)
hurdle = of_arm("hurdle", r"e_{{{0},{1}}}")(k, j, z3, o, d, e)  # from which E_k on S_k >= s, given a Brownian motion
fix(N, scope=(needed, place, steep, crest.func, luck.func, lucky.func, chance, hurdle.func))
fix(zeta, scope=(needed, place, steep, crest.func, chance, hurdle.func))
BAR = needed(j, TOP, j * (TOP - average(k, j, d, e)))  # the value of S_k from which on arm k is close at count j
ROOM = K - 2 - LEAST
PULLS = count(CHOSEN, t, d)
MIDDLE = share(PULLS) * average(CHOSEN, PULLS, d, e)  # mean of the law of the pulled arm's mean, if it were not cut
GROWTH = share(PULLS + 1) - share(PULLS)
CUT = Event(TOP - MIDDLE - dev * z1, 0)
CUT_FIRST = Event(TOP - z1, 0)
WALK: dict[sp.Expr, Var] = {
    **{x_: range_ for x_, range_ in PULL.items() if x_ != PULLED},  # that of the pulled arm is stated at d
    **{**NORMALS, k: COUNT, j: COUNT, g: WHOLE, m: WHOLE, E: real(), Y: real()},
    **{
        RIVAL: COUNT,
        move: BIT,
        dev: positive(),
        kept: positive(),
        kept_first: positive(),
        crest: COUNT,
        ahead(k, m, d, e): WHOLE,
    },
    **{lucky: WHOLE, worth: at_least(0), chance(k, j, t, d, e): UNIT, **BROWNIAN},
}
FREE = {
    **WALK,
    i: COUNT,
    x: real(),
    y: real(),
    S: real(),
    v: at_least(0),
    steep(j, y, S): UNIT,
    place(j, y, S): at_least(0),
}
WORDS = {
    **LETTERS,
    **NORMAL_WORDS,
    k: Letter(k, "arm, one of 1, ..., K"),
    j: Letter(j, "number of rewards of arm k"),
    o: Letter(o, "the path of a Brownian motion B"),
    S: Letter(S, "any number"),
    TOP: Letter(TOP, "mean of the best of the other arms than k, the rival of arm k"),
    walk(k, t, d, e): Letter(
        walk(k, t, d, e), "sum of w times average over the arms but arm k and its rival, before round t"
    ),
    clock(k, t, d, e): Letter(clock(k, t, d, e), "sum of the weights w of these arms"),
    hurdle: Letter(hurdle, "from which E_k on S_k is at least what f_j needs, if the walk is a Brownian motion"),
    needed(j, y, x): Letter(needed(j, y, x), "the S at which f_j(y, S) is this number"),
    luck: Letter(luck, "the largest w times average noise of the rival, over all its counts up to n"),
    E: Letter(E, "P(E >= x) = exp(-2 x^2) for x >= 0"),
    Y: Letter(Y, "the largest of K - 1 independent N(0, 1)"),
}


def _defined(of: str, rel: Rel, *given: Rel, by: tuple[str, ...] = (BY_DIFFERENCES,), law: bool = False) -> Definition:
    return Definition(of, Goal(rel, FREE, given, of, letters=WORDS), by, GAUSSIAN if law else "")


def mask(arm: sp.Expr) -> sp.Expr:
    """1 for the arms but arm k and its rival."""
    return (1 - equals(k, arm)) * (1 - equals(RIVAL, arm))


def line(level: sp.Expr, clock_: sp.Expr) -> sp.Expr:
    """S (2 + v) + zeta (v - v_0), for S = level."""
    return level * (2 + clock_) + zeta * (clock_ - LEAST)


def reached(walk_: sp.Expr, clock_: sp.Expr) -> sp.Expr:
    """1 if a Brownian motion from the walk on, with E_k, is ever at the line while the clock is at most K - 2."""
    return Event(above_line(BAR + zeta, K - 2 - clock_, o) - (line(BAR, clock_) - luck - walk_), 0)


def luck_needed(level: sp.Expr) -> sp.Expr:
    """From which E on S >= level, given a Brownian motion: its place sqrt(v_0) z_3 at v_0, and the path from there."""
    return level * (2 + LEAST) - sp.sqrt(LEAST) * z3 - above_line(level + zeta, ROOM, o)


REWARD = (PULLS + 1) * average(CHOSEN, PULLS + 1, d, e) - PULLS * average(CHOSEN, PULLS, d, e)  # of the pulled arm
# the step of the walk has these deviations, of the mean of the pulled arm and of the noise of its reward
OWN_STEP, NOISE_STEP = dev / (PULLS + 1 + rho), sp.sqrt(rho) / (PULLS + 1 + rho)
LEVEL = line(BAR, clock(k, t, d, e)) - luck - walk(k, t, d, e)  # of the line above the walk
NOW_REACHED = reached(walk(k, t, d, e), clock(k, t, d, e))
_ROUND = (LATER, NOW)
RIVAL_IS_AN_ARM = _defined("the rival is one of K arms", Rel(RIVAL, "<=", K), AN_ARM)
RIVAL_IS_OTHER = _defined("the rival of an arm is another arm", Rel(equals(RIVAL, k), "=", 0), AN_ARM)
RIVAL_IS_BEST = _defined(
    "the rival is the best of the other arms: the best arm, unless this is arm k",
    Rel(RIVAL, "=", BEST),
    *(AN_ARM, Rel(equals(k, BEST), "=", 0)),
).for_every(k)
WORTH = _defined("gap and price, if it is no star", Rel(worth, "=", (TOP - OWN + Lam(j)) * Event(TOP - OWN, 0)))
WALKED = _defined(
    "the remaining arms",
    Rel(
        walk(k, t, d, e),
        "=",
        sp.Sum(mask(i) * share(count(i, t, d)) * average(i, count(i, t, d), d, e), (i, 1, K)),
    ),
    LATER,
)
CLOCK = _defined(
    "the weights of the remaining arms",
    Rel(clock(k, t, d, e), "=", sp.Sum(mask(i) * share(count(i, t, d)), (i, 1, K))),
    LATER,
)
MOVES = _defined("whether a remaining arm is pulled", Rel(move, "=", mask(CHOSEN)), LATER)
DEVIATION = _defined("its deviation, after n rewards", Rel(dev**2, "=", rho / (PULLS + rho)), LATER)
KEPT = _defined("the chance that a normal number is at most Y_k", Rel(kept, "=", Mean(CUT, z1)), LATER)
KEPT_FIRST = _defined("the same before the first reward", Rel(kept_first, "=", Mean(CUT_FIRST, z1)))
_NOISE = noise(k, m, d, e)
NOISE = _defined(
    "the sum of the noise of the rival", Rel(_NOISE, "=", m * (average(RIVAL, m, d, e) - TOP)), Rel(m, ">=", 1)
)
NO_NOISE = _defined("no noise before the first reward", Rel(noise(k, sp.S.Zero, d, e), "=", 0))
LUCK = _defined("the largest over all counts", Rel(_NOISE / (m + rho), "<=", luck), Rel(m, "<=", N)).for_every(m)
LUCKY = _defined("it is attained", Rel(luck * (lucky + rho), "=", noise(k, lucky, d, e)))
LUCKY_WITHIN = _defined("at a count up to n", Rel(lucky, "<=", N))
_S = supremum(k, d, e)


def sum_of(at: sp.Expr) -> sp.Expr:
    """M + w_l ebar_l in a round."""
    n_l = count(RIVAL, at, d)
    return walk(k, at, d, e) + share(n_l) * (average(RIVAL, n_l, d, e) - TOP)


SUPREMUM = _defined(
    "S_k is the largest value over all rounds", Rel(sum_of(t), "<=", line(_S, clock(k, t, d, e))), *_ROUND
).for_every(t)
CREST = _defined("it is attained", Rel(sum_of(crest), "=", line(_S, clock(k, crest, d, e))), Rel(K, "<", N))
CREST_LATER = _defined("after the first K rounds", Rel(crest, ">", K), Rel(K, "<", N))
CREST_WITHIN = _defined("up to round n", Rel(crest, "<=", N), Rel(K, "<", N))
_PLACE, _STEEP = place(j, y, S), steep(j, y, S)
ATTAINED = _defined(
    "f is attained at some v, for a nonpositive or a positive drift",
    Rel(
        reach(j, y, S),
        "=",
        SLOPE * root(_PLACE, j) + rho * (1 + _STEEP * (RISE - 1)) * bracket(_PLACE, y, S),
    ),
)
PLACE_LEAST = _defined("this v is at least v_0", Rel(LEAST, "<=", _PLACE))
PLACE_MOST = _defined("and at most K - 2", Rel(_PLACE, "<=", K - 2))
NEEDED = _defined("the S at which f has a value", Rel(reach(j, y, needed(j, y, x)), "=", x))
CHANCE = _defined(
    "the chance that a Brownian motion from here on is ever at the line",
    Rel(
        chance(k, j, t, d, e),
        "=",
        Mean(reached(walk(k, t, d, e), clock(k, t, d, e)), o),
    ),
    LATER,
)

HURDLE = _defined("the luck that is needed", Rel(hurdle, "=", luck_needed(BAR)))
# decided by arm k and its rival; all but the last one are bounded, or normal, or sums or maxima of normals
_OF_ARMS = (OWN, TOP, RIVAL, average(k, j, d, e), luck, worth, hurdle)
_LAW = {d, e, k, j, t, g, m, r, K, N, rho, zeta, z1, z2, Y}  # the symbols of the laws


def _require(expr: sp.Expr, *known: sp.Expr) -> None:
    """Refuse what depends on the outcome through anything but arm k, its rival, and the quantities `known`."""
    require_unbound(expr, _LAW)
    require_decided(expr, (*_OF_ARMS, *known), (d, e))


def _require_mean(expr: sp.Expr, *known: sp.Expr) -> None:
    """Refuse what may have no mean; the quantities `known` have light tails."""
    require_mean(expr, (*_OF_ARMS[:-1], r, z1, z2, z3, Y, E, *known), (d, e, r))


def next_reward(past: sp.Expr, f: sp.Expr) -> Definition:
    """E[worth past f(r)], where a remaining arm is pulled in round t = K + 1 + g, by the law of its reward r.

    `past` is a product of indicators of the chances in rounds K + 1, ..., t; f is an expression in r that arm k, its
    rival and the play before the round decide.
    """
    require_rounds(past, g, lambda at: (*_OF_ARMS, chance(k, j, K + 1 + at, d, e)), (d, e), _LAW)
    seen = walk(k, t, d, e), clock(k, t, d, e), CHOSEN, PULLS, average(CHOSEN, PULLS, d, e)
    _require(f, *seen)
    _require_mean(f, *seen)
    if f.has(z1, z2):
        raise ValueError(f"f={f}: it must depend on the reward only through {r}")
    at = {t: K + 1 + g}
    left = move * f.xreplace({r: REWARD})
    right = move * Mean(f.xreplace({r: MIDDLE + dev * z1 + sp.sqrt(rho) * z2}) * CUT, z1, z2) / kept
    return _defined(
        "given arm k, its rival and the past, the mean of the pulled arm is normal and cut, its reward normal about it",
        Rel(Mean(worth * past * left.xreplace(at), d, e), "=", Mean(worth * past * right.xreplace(at), d, e)),
        UNITS,
        by=(BY_DIFFERENCES, LIKELIHOOD),
        law=True,
    )


def start_reached(walk_: sp.Expr, late: sp.Expr) -> sp.Expr:
    """1 if a Brownian motion is ever at the line, that starts at v_0 in the place walk + late z_3."""
    return Event(above_line(BAR + zeta, ROOM, o) - (BAR * (2 + LEAST) - luck - walk_ - late * z3), 0)


MASK = mask(m + 1)
FIRST_REWARD = average(m + 1, ONE, d, e)
_EARLY = (Rel(m + 1, "<=", K),)
NO_STEP = _defined("no arm yet", Rel(first(k, sp.S.Zero, d, e), "=", 0))
NEXT_STEP = _defined(
    "one arm more, in the order of their numbers",
    Rel(first(k, m + 1, d, e), "=", first(k, m, d, e) + MASK * FIRST * FIRST_REWARD),
    *_EARLY,
)
ALL_AHEAD = _defined("no arm yet", Rel(ahead(k, sp.S.Zero, d, e), "=", K - 2), AN_ARM)
NEXT_AHEAD = _defined("one arm more", Rel(ahead(k, m + 1, d, e), "=", ahead(k, m, d, e) - MASK), *_EARLY, AN_ARM)


def first_reward(f: sp.Expr) -> Definition:
    """E[worth f(r)] where arm m + 1 is a remaining one, by the law of its first reward r.

    f is an expression in r that arm k, its rival and the first rewards of the arms 1, ..., m decide.
    """
    seen = first(k, m, d, e), ahead(k, m + 1, d, e)
    _require(f, *seen)
    _require_mean(f, *seen)
    if f.has(z1, z2):
        raise ValueError(f"f={f}: it must depend on the reward only through {r}")
    left = Mean(worth * MASK * f.xreplace({r: FIRST_REWARD}), d, e)
    drawn = Mean(f.xreplace({r: z1 + sp.sqrt(rho) * z2}) * CUT_FIRST, z1, z2)
    right = Mean(worth * MASK * drawn / kept_first, d, e)
    return _defined(
        "given arm k and its rival, the mean of a remaining arm is N(0, 1) and cut, its first reward normal about it",
        Rel(left, "=", right),
        *(*_EARLY, UNITS),
        by=(BY_DIFFERENCES, LIKELIHOOD),
        law=True,
    )


def next_noise(gate: sp.Expr, past: sp.Expr, factor: sp.Expr, number: sp.Expr) -> Definition:
    """E[worth gate past e^{f S_{m+1} + number}] with the noise S of the rival, by the law of its next noise.

    gate, f and number are decided by Y_k, arm k and numbers, and `past` by S_0, ..., S_m: a product of indicators.
    """
    for expr in (gate, factor, number):
        _require(expr)
        if expr.has(luck):
            raise ValueError(f"{expr} must not depend on the noise of the rival")
    if past.has(luck):
        raise ValueError(f"past={past}: it must not depend on all the noise of the rival")
    require_rounds(gate, m, lambda _: _OF_ARMS, (d, e), _LAW)
    require_rounds(past, m, lambda at: (*_OF_ARMS, noise(k, at, d, e)), (d, e), _LAW)
    _require_mean(sp.exp(number + (m + 1) * rho * factor**2 / 2))  # S_{m+1} is N(0, (m + 1) rho), given all else
    left = Mean(worth * gate * past * sp.exp(factor * noise(k, m + 1, d, e) + number), d, e)
    right = Mean(worth * gate * past * sp.exp(factor * _NOISE + factor**2 * rho / 2 + number), d, e)
    return _defined(
        "the next noise of the rival is N(0, rho), given its noise so far, arm k and all means",
        Rel(left, "=", right),
        by=(BY_DIFFERENCES,),
        law=True,
    )


def as_drawn(f: sp.Expr, over: tuple[sp.Symbol, ...]) -> Definition:
    """The mean of f over d, e and `over`: Y_k and arm k are Y, z_1 and the average z_1 + sqrt(rho/j) z_2."""
    _require(f)
    drawn = {TOP: Y, OWN: z1, average(k, j, d, e): z1 + sp.sqrt(rho / j) * z2}
    found = put(f, drawn)
    if found.has(d, e) or f.has(z1, z2, Y) or _LAW & set(over):
        raise ValueError(f"{f}: only the means of arm {k} and its rival and the average of arm {k} may occur")
    require_mean(f, (*drawn, z3, E), (d, e, *over))
    rel = Rel(Mean(f, d, e, *over), "=", Mean(found, Y, z1, z2, *over))
    of = "the best of the other means, the mean of an arm and its noise are independent"
    return _defined(of, rel, AN_ARM, UNITS, law=True).for_every(k)


EXPONENTIAL = _defined("the law of E", Rel(Mean(Event(E - x, 0), E), "=", sp.exp(-2 * x**2)), Rel(x, ">=", 0), by=())
POSITIVE = _defined("E is positive", Rel(Mean(Event(E - x, 0), E), "=", 1), Rel(x, "<=", 0), by=())
_AVERAGE = z1 + sp.sqrt(rho / j) * z2
_BAR = needed(j, Y, j * (Y - _AVERAGE))
PAIR = _defined(
    "the law of a pair: S is at least the value that f needs",
    Rel(
        Mean(pair, o),
        "=",
        Mean((Y - z1 + Lam(j)) * Event(Y - z1, 0) * Event(E - luck_needed(_BAR), 0), E, Y, o, z1, z2, z3),
    ),
    by=("ours/counting/reflection",),
)
