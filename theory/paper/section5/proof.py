"""Section 5.2 (`sec:proof`): the proof of Theorem them-R-Bayes: widths, decomposition of a round, sum over the
rounds."""

import sympy as sp

from theory.kernel.argument import Argument, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Point, Rel, at_least, positive, real
from theory.kernel.region import unequal
from theory.model.arms import s, s0

a, t, x, y, c = sp.symbols("a t x y c")
BEST, PULLED, U_BEST, U_PULLED = sp.symbols("best pulled U_best U_pulled")


@claim(
    "confidence-C",
    by="paper",
    kind="identity",
)
def width() -> Argument:
    """log(1/delta_t) is a log(t)/2. At t = 1 the width is 0; for t <= K tau is not yet defined (see alg:arm-ucb)."""
    free = {a: positive(), t: at_least(1)}
    return proof(Goal(Rel(2 * sp.log(1 / t ** (-a / 2)), "=", a * sp.log(t)), free, name="radicands, divided by tau^2"))


@claim(
    "regret-decom/reason",
    by="paper",
    line=347,
    kind="step",
    severity="wording",
    cause="wrong-reason",
    says=r"\text{second equality:}\ \hat\mu_{I_*,t}+c_{I_*,t}\ \text{is determined by}\ H_t",
)
def printed_reason() -> Argument:
    """Each arm's index is determined by the history, the best arm's is not, as the history leaves open which arm is
    best: two arms, rewards x and -x, sigma = sigma_0: the estimates are x/2 and -x/2, the widths equal. The equality
    does not need it."""
    first, second = rewards = sp.symbols("r_1 r_2")
    weight, centre, one = s0 / (s0 + s), (first + second) / 2, sp.Integer(1)
    estimates = [weight * r + (1 - weight) * centre for r in rewards]
    printed = Goal(
        Rel(estimates[0], "=", estimates[1]),
        {s: positive(), s0: positive(), first: real(), second: real()},
        name="estimates of two arms, each may be best",
    )
    return misprint(
        printed,
        region=unequal(printed, first - second),
        at=Point(
            {s: one, s0: one, first: one, second: -one},
            {"K": "2", "n": ["1", "1"], "rewards": ["1", "-1"], "sigma_sq": "1", "sigma0_sq": "1"},
        ),
        fails_when="two arms have different indices: with one pull each, their rewards differ",
    )


@claim(
    "regret-decom/equalities",
    by="us",
    kind="step",
    says=r"E[\mu_*-\mu_{I_t}]=E[E[\mu_*-\mu_{I_t}\mid H_t]],\quad\mu_*-\mu_{I_t}=(\mu_*-U_*)+(U_*-\mu_{I_t})",
    cites=("confidence-C",),
    repairs="regret-decom/reason",
)
def equalities() -> Argument:
    """The tower rule, then U_* is added and subtracted, whatever it is known from. Conditions are on the history with
    mu_0 a fixed number, so the inner law of mu_k is not the one of Lemma sec:mu0Dist (see sec:proof/posterior)."""
    # outcomes x, y in one cell of the history with probabilities p, q; z in another, r
    p, q, r, z = sp.symbols("p q r z")
    cells = {p: positive(), q: positive(), r: positive(), x: real(), y: real(), z: real()}
    return proof(
        Goal(
            Rel((p + q) * (x * p / (p + q) + y * q / (p + q)) + r * z, "=", p * x + q * y + r * z),
            cells,
            name="averages over cells, averaged",
        ),
        Goal(
            Rel(BEST - PULLED, "=", (BEST - U_BEST) + (U_BEST - PULLED)),
            dict.fromkeys((BEST, PULLED, U_BEST), real()),
            name="added and subtracted",
        ),
    )


@claim(
    "regret-decom/repaired",
    by="us",
    kind="step",
    says=r"t>K:\ \mu_*-\mu_{I_t}\le(\mu_*-U_{*,t})+(U_{I_t,t}-\mu_{I_t});\quad\text{rounds}\ t\le K\ \text{cost}"
    r"\ \min(n,K)\sigma_0e_K",
    uses=("sec:analysis/round-robin",),
    repairs="regret-decom",
)
def decomposition() -> Argument:
    """For t > K the pulled arm maximises U. What the first K rounds cost is known exactly and is added apart."""
    free = dict.fromkeys((BEST, PULLED, U_BEST, U_PULLED), real())
    return proof(
        Goal(Rel(BEST - PULLED, "<=", (BEST - U_BEST) + (U_PULLED - PULLED)), free, (Rel(U_BEST, "<=", U_PULLED),))
    )


@claim(
    "regret-decom/events",
    by="paper",
    line=349,
    kind="step",
    says=r"\mu_*-U_*\le(\mu_*-\hat\mu_*)1\{\bar E_L\},\quad U_{I_t}-\mu_{I_t}"
    r"\le2c_{I_t}+(\hat\mu_{I_t}-\mu_{I_t})1\{\bar E_R\}",
    uses=("confidence-C",),
)
def events() -> Argument:
    """On the events an error is at most its width; off them a width, nonnegative, is dropped or added."""
    free = {x: real(), c: at_least(0)}
    return proof(
        Goal(Rel(x - c, "<=", 0), free, (Rel(x, "<=", c),), "best arm, intervals hold"),
        Goal(Rel(x - c, "<=", x), free, name="best arm, some interval fails"),
        Goal(Rel(x + c, "<=", 2 * c), free, (Rel(x, "<=", c),), "pulled arm, intervals hold"),
        Goal(Rel(x + c, "<=", 2 * c + x), free, name="pulled arm, some interval fails"),
    )


@claim(
    "regret-decom-upper/repaired",
    by="us",
    kind="step",
    says=r"R_n\le K\sigma_0e_K+\sum_{t=K+1}^n\left(2E c_{I_t,t}+\text{two tails}\right)",
    uses=("regret-decom/repaired", "regret-decom/events", "sec:analysis/round-robin"),
    repairs="regret-decom-upper",
)
def sum_of_rounds() -> Argument:
    """One round after the first K: add the two displays for the best and the pulled arm."""
    i, j = sp.symbols("i j")  # the two errors on the failing events
    free = {**dict.fromkeys((BEST, PULLED, U_BEST, U_PULLED, i, j), real()), c: at_least(0)}
    return proof(
        Goal(
            Rel(BEST - PULLED, "<=", 2 * c + i + j),
            free,
            (Rel(U_BEST, "<=", U_PULLED), Rel(BEST - U_BEST, "<=", j), Rel(U_PULLED - PULLED, "<=", 2 * c + i)),
            "one round",
        )
    )
