"""An explicit lock-out in which every variance equals its proxy: the printed bound of Theorem 5 (1) is exceeded."""

import sympy as sp

from theory.kernel.analysis import number
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Rel
from theory.model import bound_formulas as bounds

ARMS, WIDTH, SIGMA, SPREAD = sp.Integer(2), sp.Rational(69, 100), sp.Rational(1, 160), sp.Rational(1, 8)
ROUNDS = sp.Integer(10) ** 170
ADVANTAGE = SIGMA / 200  # D
HEAD_START, REWARDS, EXCESS = 25, 1076, 566  # r, s, z


def chance_of_sum(signs: int, least: int) -> sp.Rational:
    """P(S_s >= z), exactly: the ways of s signs to add up to each value, counted one sign after the other."""
    ways = {0: 1}
    for _ in range(signs):
        ways = {x: ways.get(x - 1, 0) + ways.get(x + 1, 0) for x in {y + e for y in ways for e in (-1, 1)}}
    return sp.Rational(sum(n for value, n in ways.items() if value >= least), 2**signs)


@claim(
    "them-R-Bayes-SubR/lock-out/exact-variances/case",
    by="us",
    kind="number",
    cites=("them-R-Bayes-SubR/lock-out/exact-variances", "them-R-Bayes-SubR/lock-out"),
)
def case() -> Argument:
    """Probability of a lock-out times (n - s) D. eta = 1/(2r) = 1/50; the lock needs
    (d w_H)^2 s > a sigma^2 log n with d = sigma z/s - D - eta sigma; the means stay in [0, 1] because
    sigma_0 + D/2 + sigma <= 1/2; the theorem's hypothesis a >= m holds."""
    rho = SIGMA**2 / SPREAD
    eta = sp.Rational(1, 2 * HEAD_START)
    gap = SIGMA * EXCESS / REWARDS - ADVANTAGE - eta * SIGMA
    weight = REWARDS / (REWARDS + rho)
    chance = 2 * ARMS / 4**ARMS / 2 ** ((HEAD_START + 1) * (ARMS - 1)) * chance_of_sum(REWARDS, EXCESS)
    lost = chance * (ROUNDS - REWARDS) * ADVANTAGE
    printed = sum(bounds.theorem2(ARMS, ROUNDS, SPREAD, SIGMA**2, WIDTH, 1))
    m = (1 + sp.sqrt(rho / ARMS)) ** 2 / (1 + 1 / (ARMS * (1 + rho)))
    condition = (gap * weight) ** 2 * REWARDS
    needed = WIDTH * SIGMA**2 * sp.log(ROUNDS)
    return proof(
        number(
            "the lock holds for all 10^170 rounds",
            Rel(condition, ">", needed),
            ("horizon: 10^180 rounds", Rel(condition, ">", needed * sp.Rational(180, 170))),
            engine="arb",
        ),
        number(
            "regret at least 3.9 times the printed bound",
            Rel(lost, ">=", sp.Rational(39, 10) * printed),
            ("constant: 4.1 times", Rel(lost, ">=", sp.Rational(41, 10) * printed)),
            engine="arb",
        ),
        number(
            "the hypothesis m <= a",
            Rel(m, "<=", WIDTH),
            ("constant: m <= 0.6", Rel(m, "<=", sp.Rational(6, 10))),
            engine="arb",
        ),
        number(
            "means and rewards stay in [0, 1]: sigma_0 + D/2 + sigma <= 1/2",
            Rel(sp.sqrt(SPREAD) + ADVANTAGE / 2 + SIGMA, "<=", sp.Rational(1, 2)),
            ("constant: 1/3", Rel(sp.sqrt(SPREAD) + ADVANTAGE / 2 + SIGMA, "<=", sp.Rational(1, 3))),
            engine="arb",
        ),
    )
