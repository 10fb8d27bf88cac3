"""What the lemmas of Appendix G have in common: two roots and the three quantities they make rational.

With u = (1 - w_k)/W, tau^2 = tilde-tau^2 (1 + u) and tau*^2 = tilde-tau^2 (1 + sqrt(u))^2. Roots are symbols: r
stands for sqrt(u), q for sqrt(rho/K); so u = r^2 and rho = K q^2.
"""

from collections.abc import Iterator

import sympy as sp

from theory.kernel.goal import Point, at_least, positive
from theory.model.arms import J, K, W, s, s0, w

r, q = sp.symbols("r q")
ROOTS = {r: positive(), q: positive(), J: at_least(0, integer=True)}
u = (1 - w) / W
ratio = (1 + r**2) / (1 + r) ** 2  # tau^2 / tau*^2
claimed_ratio = (1 + 1 / (K * (1 + K * q**2))) / (1 + q) ** 2  # what Lemma lemma:tauTotau puts below it
ROOT = {q: sp.sqrt(s / (K * s0))}  # what q stands for, for a reader
m = 1 / claimed_ratio  # the constant of Theorem them-R-Bayes-SubR


def one_pull_each() -> Iterator[Point]:
    """Bandits with sigma_0^2 = 1 and every arm pulled once, where u = rho/K: few arms and simple q first."""
    roots = sorted(
        (sp.Rational(i, j) for i in range(1, 6) for j in range(1, 6) if sp.gcd(i, j) == 1),
        key=lambda x: (x.p + x.q, x.p),
    )
    for arms in range(1, 6):
        yield from (one_pull(arms, value) for value in roots)


def one_pull(arms: int, root: sp.Rational) -> Point:
    """The bandit with sigma_0^2 = 1, sigma^2 = K q^2 and one pull of every arm."""
    shown = {"K": str(arms), "n": ["1"] * arms, "sigma_sq": str(arms * root**2), "sigma0_sq": "1"}
    return Point({J: sp.Integer(arms - 1), q: root}, shown)
