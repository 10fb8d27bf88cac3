"""The (restricted) likelihood of the one-way model in the ratio lam = sigma0^2/sigma^2, written once.

An arm mean has the variance phi (lam + 1/n_k). From rewards, n_k counts them and phi = sigma^2 is unknown; with
sampling variances v_k known, n_k = 1/v_k, phi = 1 and lam = sigma0^2. With h_k = n_k / (1 + lam n_k), mu0 and phi have
closed forms, and minus twice the log-likelihood is, up to a constant,

    f(lam) = M log Q + sum_k log(1 + lam n_k) + [log sum_k h_k],    Q = SSW + S,    S = sum_k h_k (mean_k - mu(lam))^2,

M = N for ml, M = N - 1 with the bracket for reml; S stands for M log Q where phi = 1. Let P be the inverse of
diag(lam + 1/n_k) with the common mean projected out, and y the vector of means. Then S = y'Py, and with B = y'P^2 y,
C = y'P^3 y, A = tr P and T = tr P^2 (reml) or A = sum_k h_k and T = sum_k h_k^2 (ml)

    f' = A - M B / Q,    S' = -B,    A' = -T,    B' = -2 C.

The functions take numbers and arrays alike. `one_way` evaluates f with NumPy for batches of vectors with any positive
n_k; it compiles nothing. `reucb._engine.likelihood` compiles the same functions and evaluates f over groups of arms, in
every round.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Profile(NamedTuple):
    """The derivatives of f at a ratio lam."""

    ratio: Any
    a: Any
    t: Any
    b: Any
    c: Any
    q: Any
    mu: Any = None


def falls(freedom: Any, at: Profile) -> Any:
    """Whether f falls: R = M B / (A Q) > 1."""
    return freedom * at.b > at.a * at.q


def newton_terms(freedom: Any, at: Profile, loss: Any) -> tuple[Any, Any]:
    """Numerator and denominator of Newton's step for 1/R = 1; loss = -Q'. No step where the denominator is <= 0.

    1/R is linear in lam where all counts are equal.
    """
    a, b, q = at.a, at.b, at.q
    return b * (freedom * b - a * q), (2.0 * at.c * a - at.t * b) * q - a * b * loss


def deviance(fit: Any, log_growth: Any, log_total: Any, restricted: bool) -> Any:
    """f from M log Q (or S), sum_k log(1 + lam n_k) and log sum_k h_k."""
    return fit + log_growth + log_total if restricted else fit + log_growth
