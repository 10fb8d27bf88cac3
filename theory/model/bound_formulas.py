"""Every bound of the ledger as an exact expression: what the claims state and what reucb.bounds computes in
floats.

K arms, n rounds, s0 = sigma_0^2, s = sigma^2, width a. Sums over rounds are written out, so their n and K are
integers.
"""

from __future__ import annotations

import sympy as sp
from sympy import Expr

from theory.model.normal import excess


def log_ratio(odds: Expr, n: Expr) -> Expr:
    """log(1 + n m)/log(1 + m), m = sigma_0^2/sigma^2."""
    return sp.log(1 + n * odds) / sp.log(1 + odds)


def learning_price(K: Expr, s0: Expr, s: Expr) -> Expr:
    """beta = 1 + sigma^2/(K sigma_0^2)."""
    return 1 + s / (K * s0)


def root_term(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """2 sqrt(a log_ratio sigma_0^2 K n log n): the leading terms but for their power of beta."""
    return 2 * sp.sqrt(a * log_ratio(s0 / s, n) * s0 * K * n * sp.log(n))


def tail_unit(K: Expr, s0: Expr, s: Expr) -> Expr:
    """(K + sigma^2/sigma_0^2) sqrt(2 sigma_0^2 sigma^2/(pi (sigma_0^2 + sigma^2))): the last terms but for n."""
    return (K + s / s0) * sp.sqrt(2 * s0 * s / (sp.pi * (s0 + s)))


def gaussian_tail(K: Expr, n: Expr, s0: Expr, s: Expr, part: int) -> Expr:
    """The last term of Theorem them-R-Bayes (1) or (2)."""
    return (2 * sp.sqrt(n) if part == 1 else 1 + sp.log(n)) * tail_unit(K, s0, s)


def theorem1(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr, part: int) -> tuple[Expr, Expr]:
    """Theorem them-R-Bayes as printed: (leading, tail)."""
    return sp.sqrt(learning_price(K, s0, s)) * root_term(K, n, s0, s, a), gaussian_tail(K, n, s0, s, part)


def known_mean(K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr, part: int) -> tuple[Expr, Expr]:
    """Theorem them-R-Bayes for an agent that knows mu_0, beta replaced by 1: (leading, tail)."""
    return root_term(K, n, s0, s, a), gaussian_tail(K, n, s0, s, part) / learning_price(K, s0, s)


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


def width_term(j: Expr, share: Expr, K: Expr, n: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """sqrt(a log(n+1-j)) g(share), share = ceil(j/K): the j-th largest width with the j-th last logarithm."""
    return sp.sqrt(a * sp.log(n + 1 - j)) * g(share, K, s0, s)


def widths(K: int, n: int, s0: Expr, s: Expr, a: Expr) -> Expr:
    """sum_{j=1}^{n-K} sqrt(a log(n+1-j)) g(ceil(j/K))."""
    terms = (
        width_term(sp.Integer(j), sp.Integer(-(-j // K)), sp.Integer(K), sp.Integer(n), s0, s, a)
        for j in range(1, n - K + 1)
    )
    return sum(terms, sp.Integer(0))


def optimism_term(t: Expr, K: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """Psi(sqrt(a log t)) ((K-1) g(1) + g(t-K)): what the best arm's index may fall short in round t."""
    return excess(sp.sqrt(a * sp.log(t))) * ((K - 1) * g(sp.Integer(1), K, s0, s) + g(t - K, K, s0, s))


def optimism(K: int, n: int, s0: Expr, s: Expr, a: Expr) -> Expr:
    """sum_{t=K+1}^n Psi(sqrt(a log t)) ((K-1) g(1) + g(t-K))."""
    terms = (optimism_term(sp.Integer(t), sp.Integer(K), s0, s, a) for t in range(K + 1, n + 1))
    return sum(terms, sp.Integer(0))


def deviation_factor(t: Expr, K: Expr, a: Expr, b: Expr) -> Expr:
    """q_t = ((K-1) t^(-a/2) + (1 + sqrt(a/b)) t^(-b/2))/sqrt(2 pi)."""
    return ((K - 1) * t ** (-a / 2) + (1 + sp.sqrt(a / b)) * t ** (-b / 2)) / sp.sqrt(2 * sp.pi)


def deviations(K: int, n: int, s0: Expr, s: Expr, a: Expr, b: Expr) -> Expr:
    """sum_{t=K+1}^n q_t g(ceil((t-K)/K))."""
    arms = sp.Integer(K)
    terms = (
        deviation_factor(sp.Integer(t), arms, a, b) * g(sp.Integer(-(-(t - K) // K)), arms, s0, s)
        for t in range(K + 1, n + 1)
    )
    return sum(terms, sp.Integer(0))


def inflation(K: Expr, rho: Expr) -> Expr:
    """(1 + sqrt(rho))^2/(1 + rho/K): kappa for rho <= K^2."""
    return (1 + sp.sqrt(rho)) ** 2 / (1 + rho / K)


def kappa(K: Expr, s0: Expr, s: Expr) -> Expr:
    """What takes the place of m in the repaired Theorem 5: (1 + sqrt(rho))^2/(1 + rho/K), or K + 1 when rho > K^2."""
    return K + 1 if s / s0 > K**2 else inflation(K, s / s0)


def failure_by_prior(t: Expr, K: Expr, kappa: Expr, a: Expr) -> Expr:
    """4 K t^(1 - a/(2 kappa))."""
    return 4 * K * sp.exp((1 - a / (2 * kappa)) * sp.log(t))


def pieces(t: Expr, a: Expr) -> Expr:
    """1 + log(t) sqrt(a log t)/4: into how many pieces the counts up to t are cut, at most."""
    return 1 + sp.log(t) * sp.sqrt(a * sp.log(t)) / 4


def failure_by_range(t: Expr, K: Expr, s0: Expr, a: Expr) -> Expr:
    """2 K pieces e^((1 + 1/sigma_0^2)/2) t^(-a/2)."""
    return 2 * K * pieces(t, a) * sp.exp((1 + 1 / s0 - a * sp.log(t)) / 2)


def failure(t: int, K: Expr, s0: Expr, s: Expr, a: Expr) -> Expr:
    """min(1, 4 K t^(1 - a/(2 kappa)), 2 K pieces e^((1 + 1/sigma_0^2)/2) t^(-a/2)), written as minus a maximum."""
    by_prior = failure_by_prior(sp.Integer(t), K, kappa(K, s0, s), a)
    return -sp.Max(-1, -by_prior, -failure_by_range(sp.Integer(t), K, s0, a), evaluate=False)


def theorem2_repaired(K: int, n: int, s0: Expr, s: Expr, a: Expr) -> Expr:
    """The repaired Theorem 5 for n > K: first rounds, twice the widths, the failures."""
    start = K * -sp.Max(-1, -sp.sqrt(2 * s0 * sp.log(K)), evaluate=False)
    failures = (failure(t, sp.Integer(K), s0, s, a) for t in range(K + 1, n + 1))
    return start + 2 * widths(K, n, s0, s, a) + sum(failures, sp.Integer(0))
