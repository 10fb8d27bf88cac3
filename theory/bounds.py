"""Every bound of the ledger as an exact expression: what the claims state and what reucb.bounds computes in
floats.

K arms, n rounds, s0 = sigma_0^2, s = sigma^2, width a. Sums over rounds are written out, so their n and K are
integers.
"""

from __future__ import annotations

import sympy as sp

from theory.gaussian import excess

Expr = sp.Expr


def log_ratio(odds: Expr, n: Expr) -> Expr:
    """log(1 + n m)/log(1 + m), m = sigma_0^2/sigma^2."""
    return sp.log(1 + n * odds) / sp.log(1 + odds)


def learning_price(K: Expr, s0: Expr, s: Expr) -> Expr:
    """beta = 1 + sigma^2/(K sigma_0^2)."""
    return 1 + s / (K * s0)


def root_term(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """2 sqrt(a log_ratio sigma_0^2 K n log n): the leading terms but for their power of beta."""
    return 2 * sp.sqrt(a * log_ratio(s0 / s, n) * s0 * K * n * sp.log(n))


def gaussian_tail(K: Expr, n: Expr, s0: Expr, s: Expr, part: int) -> Expr:
    """The last term of Theorem them-R-Bayes (1) or (2)."""
    spread = s0 * s / (sp.pi * (s0 + s))
    root = sp.sqrt(8 * n * spread) if part == 1 else (1 + sp.log(n)) * sp.sqrt(2 * spread)
    return (K + s / s0) * root


def theorem1(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr, part: int) -> tuple[Expr, Expr]:
    """Theorem them-R-Bayes as printed: (leading, tail)."""
    return sp.sqrt(learning_price(K, s0, s)) * root_term(K, n, s0, s, a), gaussian_tail(K, n, s0, s, part)


def m_constant(K: Expr, s0: Expr, s: Expr) -> Expr:
    """The constant m of Theorem them-R-Bayes-SubR."""
    return (1 + sp.sqrt(s / (K * s0))) ** 2 / (1 + s0 / (K * (s0 + s)))


def theorem2(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr, part: int) -> tuple[Expr, Expr]:
    """Theorem them-R-Bayes-SubR as printed: (leading, tail)."""
    tail = gaussian_tail(K, n, s0, s, 1) if part == 1 else 2 * K * (1 + sp.log(n))
    return learning_price(K, s0, s) * root_term(K, n, s0, s, a), tail


def alpha(K: Expr, s0: Expr, s: Expr) -> Expr:
    """(K - 1) rho/(K + rho): the pulls that one reward of each other arm is worth."""
    return (K - 1) * s / (K * s0 + s)


def g(j: Expr, K: Expr, s0: Expr, s: Expr) -> Expr:
    """The widest tau after j pulls, every arm pulled once: sigma/sqrt(j + alpha)."""
    return sp.sqrt(s / (j + alpha(K, s0, s)))


def widths(K: int, n: int, s0: Expr, s: Expr, a: Expr) -> Expr:
    """sum_{j=1}^{n-K} sqrt(a log(n+1-j)) g(ceil(j/K))."""
    return sum((sp.sqrt(a * sp.log(n + 1 - j)) * g(sp.Integer(-(-j // K)), sp.Integer(K), s0,
                                                   s) for j in range(1, n - K + 1)),
               sp.Integer(0))


def optimism(K: int, n: int, s0: Expr, s: Expr, a: Expr) -> Expr:
    """sum_{t=K+1}^n Psi(sqrt(a log t)) ((K-1) g(1) + g(t-K))."""
    arms = sp.Integer(K)
    return sum((excess(sp.sqrt(a * sp.log(t))) * ((K - 1) * g(sp.Integer(1), arms, s0, s) + g(sp.Integer(t - K), arms,
                                                                                              s0, s))
                for t in range(K + 1, n + 1)), sp.Integer(0))


def deviations(K: int, n: int, s0: Expr, s: Expr, a: Expr, b: Expr) -> Expr:
    """sum_{t=K+1}^n q_t g(ceil((t-K)/K)), q_t = ((K-1) t^(-a/2) + (1 + sqrt(a/b)) t^(-b/2))/sqrt(2 pi)."""
    def q(t: sp.Integer) -> Expr:
        return ((K - 1) * t ** (-a / 2) + (1 + sp.sqrt(a / b)) * t ** (-b / 2)) / sp.sqrt(2 * sp.pi)

    return sum((q(sp.Integer(t)) * g(sp.Integer(-(-(t - K) // K)), sp.Integer(K), s0, s) for t in range(K + 1, n + 1)),
               sp.Integer(0))


def kappa(K: Expr, s0: Expr, s: Expr) -> Expr:
    """What takes the place of m in the repaired Theorem 2: (1 + sqrt(rho))^2/(1 + rho/K), or K + 1 when rho > K^2."""
    rho = s / s0
    return K + 1 if rho > K**2 else (1 + sp.sqrt(rho)) ** 2 / (1 + rho / K)


def failure(t: int, K: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """min(1, 4 K t^(1 - a/(2 kappa)), 2 K e^(1/(2 sigma_0^2)) t^(1 - a/2)), written as minus a maximum."""
    by_prior = 4 * K * sp.exp((1 - a / (2 * kappa(K, s0, s))) * sp.log(t))
    by_range = 2 * K * sp.exp(1 / (2 * s0) + (1 - a / 2) * sp.log(t))
    return -sp.Max(-1, -by_prior, -by_range, evaluate=False)
