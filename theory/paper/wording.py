"""Remarks on words and brackets that a reader has to supply: what R_n sums, what an interval is, which effects are
independent."""

import sympy as sp

from theory.kernel.argument import Argument, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.kernel.rules import Expectation, follows
from theory.kernel.terms import Mean
from theory.model.arms import HORIZON
from theory.model.play import BEST, PLAY, PULLED, WORDS, N, mu, o, t
from theory.model.regret import R_N

rounds, best, pulled = sp.symbols("horizon mu_best mu_pulled")


@claim(
    "sec:analysis/brackets",
    by="paper",
    line=286,
    kind="notation",
    severity="wording",
    cause="misprinted-formula",
    says=r"R_n=E\left[\textstyle\sum_{t=1}^n\mu_{I_*}-\mu_{I_t}\right],\ \text{the sum taken of what follows it}",
)
def brackets_of_the_regret() -> Argument:
    """A sum binds the next term only, so that brackets are missing: as printed one mean is subtracted once, and t is
    not bound in it. The two readings differ as soon as there are two rounds."""
    printed = Goal(
        Rel(rounds * best - pulled, "=", rounds * (best - pulled)),
        {rounds: at_least(1, integer=True), best: real(), pulled: real()},
        name="every round pulls the same arm",
        letters={
            rounds: HORIZON,
            best: Letter(sp.Symbol("mu_*"), "mean of the best arm"),
            pulled: Letter(sp.Symbol("mu_I"), "mean of the arm that is pulled in every round"),
        },
    )
    two = {rounds: sp.Integer(2), best: sp.Integer(1), pulled: sp.Integer(1)}
    return misprint(
        printed,
        at=Point(two, {"horizon": "2", "mu_best": "1", "mu_pulled": "1"}),
        region=unequal(printed, (rounds - 1) * pulled),
        fails_when="n >= 2 and mu_{I_t} is not 0, where every round pulls the same arm",
    )


@claim("sec:analysis/brackets/repaired", by="us", kind="notation", repairs="sec:analysis/brackets")
def regret_with_brackets() -> Argument:
    """The regret is the sum of the differences: n times the mean of the best arm less what the pulled arms give."""
    earned = sp.Sum(Mean(mu(PULLED, o), o), (t, 1, N))
    whole = Rel(R_N, "=", N * Mean(mu(BEST, o), o) - earned)
    return proof(follows(whole, domain={**PLAY, N: at_least(1, integer=True)}, name="regret"), letters=WORDS)


@claim("confidence-C/half-width", by="us", kind="notation", cites=("confidence-C",))
def half_of_an_interval() -> Argument:
    """What is called the confidence interval, c_{k,t}, is half its length; and mu_k being random it is an interval that
    contains mu_k with some probability given the rewards, as for predictions. Both events together say that mu_k lies
    between mu-hat - c and mu-hat + c."""
    centre, mean, c = sp.symbols("muhat mu c")
    letters = {
        centre: Letter(sp.Symbol(r"\hat\mu_{k,t}"), "prediction of mu_k"),
        mean: Letter(sp.Symbol("mu_k"), "mean of arm k"),
        c: Letter(sp.Symbol("c_{k,t}"), "what Eq. confidence-C calls the confidence interval"),
    }
    domain = {centre: real(), mean: real(), c: positive()}
    events = Rel(centre - mean, "<=", c), Rel(mean - centre, "<=", c)
    inside = Goal(Rel((centre - mean) ** 2, "<=", c**2), domain, events, "both events: within c of the prediction")
    return proof(inside, letters=letters)


@claim("payoff-M1/independence", by="us", kind="definition", cites=("payoff-M1", "payoff-M1/differences"))
def independence_of_the_offsets() -> Argument:
    """That the offsets are independent is said in the introduction only; Section 2 gives the law of each. It is needed
    wherever variances are added: the mean squared difference of two arms is 2 sigma_0^2 just when the offsets are
    uncorrelated."""
    x, y = sp.symbols("x y")
    letters = {x: Letter(sp.Symbol("delta_k"), "offset of arm k"), y: Letter(sp.Symbol("delta_i"), "offset of arm i")}
    squares = Mean(x**2, x, y) + Mean(y**2, x, y) - 2 * Mean(x * y, x, y)
    reals = {x: real(), y: real()}
    pointwise = Goal(Rel((x - y) ** 2, "=", x**2 + y**2 - 2 * x * y), reals, name="one outcome")
    squared = Rel(Mean((x - y) ** 2, x, y), "=", squares)
    averaged = Expectation(pointwise, (x, y))
    return proof(follows(squared, averaged, domain=reals, name="mean squared difference"), letters=letters)
