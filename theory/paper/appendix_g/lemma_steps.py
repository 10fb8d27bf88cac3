"""Appendix G: the lines of the proofs of Lemmas sec:tau* and sec:tau2, sharp forms (see model/width_ratio.py)."""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, positive
from theory.kernel.rules import Monotone
from theory.model.arms import J, K, W, Wo, n, proxy_goal, rho, s, s0, tau_sq, tau_tilde_sq, w
from theory.model.width_ratio import proxy_below, q, star_sq, u

HERE = "Appendix, Section sec:extensions"
STAR, TWO = f"{HERE}, proof of Lemma sec:tau*", f"{HERE}, proof of Lemma sec:tau2"
first, x, y = sp.symbols("first x y")  # the first root, sqrt(sigma^2 w_k/n_k); two values of the second
ADDED = {first: positive(), x: positive(), y: positive()}
ROOTS = {
    first: Letter(sp.Symbol("f"), "first root of a line"),
    x: Letter(x, "second root of a line"),
    y: Letter(y, "second root of another line"),
    q: Letter(q, "root of rho/K, rho = sigma^2/sigma_0^2"),
}
ORDER = (
    Goal(Rel(x**2, ">", y**2), ADDED, (Rel(x, ">", y),), "a larger root has a larger square"),
    Goal(
        Rel((first + x) ** 2, "<=", (first + y) ** 2),
        ADDED,
        (Rel(x, "<=", y),),
        "a smaller second root gives a smaller square of the sum",
    ),
)
EQUAL = Goal(
    Rel((first + x) ** 2 - (first + y) ** 2, "=", (x - y) * (2 * first + x + y)),
    ADDED,
    name="equal second roots give equal squares of the sum",
)
highest_u = (1 - w) / (w + J * s0 / (s0 + s))  # u when every other arm was pulled once


@claim(
    "sec:tau*/second-line",
    by="paper",
    line=872,
    kind="step",
    cites=("tau_SG", "sec:tau/exchange"),
)
def star_second_line() -> Argument:
    """sigma is taken under both roots, and the sum of n_i (1-w_i) is W sigma^2/sigma_0^2."""
    return proof(
        proxy_goal(
            s * (1 - w) ** 2 / (n * (1 - w) + rho * Wo), "=", (1 - w) ** 2 * s0 / W, name="second root, squared"
        ),
        EQUAL,
        letters=ROOTS,
    )


@claim(
    "sec:tau*/third-line",
    by="paper",
    line=873,
    kind="step",
    cites=("sec:tau*/second-line", "w-def/bounds/repaired"),
)
def star_third_line() -> Argument:
    """Each of the K weights is at least that of one pull; needs every arm pulled."""
    return proof(
        proxy_goal((1 - w) ** 2 * s0 / W, "<=", (1 - w) ** 2 * (s0 + s) / K, name="second root, squared"),
        *ORDER,
        letters=ROOTS,
    )


@claim(
    "sec:tau*/fourth-line",
    by="paper",
    line=874,
    kind="step",
    cites=("sec:tau/exchange",),
)
def star_fourth_line() -> Argument:
    """One factor 1-w_k is exchanged for w_k sigma^2/(n_k sigma_0^2)."""
    return proof(
        proxy_goal(
            (1 - w) ** 2 * (s0 + s) / K, "=", (1 - w) * w * s / (n * s0) * (s0 + s) / K, name="second root, squared"
        ),
        EQUAL,
        letters=ROOTS,
    )


@claim(
    "sec:tau*/fifth-line",
    by="paper",
    line=875,
    kind="step",
    cites=("w-def/bounds/repaired",),
)
def star_fifth_line() -> Argument:
    """1 - w_k is at most sigma^2/(sigma_0^2+sigma^2) once the arm itself was pulled; then the first root is a common
    factor."""
    return proof(
        proxy_goal((1 - w) * w * s / (n * s0) * (s0 + s) / K, "<=", w * s / n * rho / K, name="second root, squared"),
        *ORDER,
        Goal(Rel(first + first * q, "=", first * (1 + q)), {**ADDED, q: positive()}, name="common factor"),
        letters=ROOTS,
    )


@claim(
    "sec:tau*/sixth-line",
    by="paper",
    line=876,
    kind="step",
    cites=("MSE-term1",),
)
def star_sixth_line() -> Argument:
    """The weight written out."""
    left, right = s0 / (s0 + s / n) * s / n, s0 * s / (n * s0 + s)
    return proof(proxy_goal(left * (1 + q) ** 2, "=", right * (1 + q) ** 2, extra={q: positive()}), letters=ROOTS)


@claim(
    "sec:tau2/first-line",
    by="paper",
    line=893,
    kind="step",
    cites=("MSE", "sec:tau/exchange"),
)
def two_first_line() -> Argument:
    """Eq. MSE with the sum of n_i (1-w_i) in the weights."""
    printed = w * s / n + (1 - w) ** 2 * s / (n * (1 - w) + rho * Wo)
    return proof(
        proxy_goal(printed, "=", w * s / n + (1 - w) ** 2 * s0 / W, name="from Eq. MSE"),
        proxy_goal(printed, "=", tau_sq, name="tau_k^2"),
    )


@claim(
    "sec:tau2/last-line",
    by="paper",
    line=897,
    kind="step",
    cites=("MSE-term1",),
)
def two_last_line() -> Argument:
    """The weight written out; the line is right, what it is applied to is not."""
    factor = 1 + s0 / (K * (s0 + s))
    return proof(proxy_goal(s0 / (s0 + s / n) * s / n * factor, "=", s0 * s / (n * s0 + s) * factor))


@claim(
    "sec:tau*/sharp",
    by="us",
    kind="inequality",
    cites=("tau_SG",),
)
def star_sharp() -> Argument:
    """For a given n_k nothing better holds for all counts of the others: u falls with their weights, which are least
    at one pull each, where this is an equality."""
    reached = proxy_goal(star_sq.subs(Wo, J * s0 / (s0 + s)), "=", star_sq.xreplace({u: highest_u}), name="reached")
    return proof(
        step(reached),
        step(proxy_goal(highest_u, "<=", rho / K, name="below the lemma's")),
        proxy_below(highest_u, "sharp"),
    )


@claim(
    "lemma:tauTotau/sharp",
    by="us",
    kind="inequality",
    cites=("lemma:tauTotau/repaired", "sec:tau*/sharp"),
)
def ratio_sharp() -> Argument:
    """tau*^2/tau^2 = (1+sqrt u)^2/(1+u), u = (1 - w_k)/W, rises on (0, 1], and u is at most its value at one pull of
    every other arm, where this is an equality."""
    x = sp.Symbol("x")
    free = {x: Var(sp.Integer(0), strict=True, high=sp.Integer(1))}
    premise = proxy_goal(u, "<=", highest_u, name="u <= v", given=(Rel(highest_u, "<=", 1),))
    return proof(
        step(proxy_goal(tau_sq, "=", tau_tilde_sq * (1 + u), name="tau^2")),
        Monotone(premise, (1 + sp.sqrt(x)) ** 2 / (1 + x), x, free, name="tau*^2 over tau^2"),
    )
