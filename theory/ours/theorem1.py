"""Theorem 1 repaired: the printed bound holds for every n >= 2, by the conditioning instead of the printed posterior.

Notation of the steps: A = a beta log n, G = log(1+mn)/log(1+m) >= 1 with m = sigma_0^2/sigma^2; roots are symbols.
"""

from collections.abc import Callable

import sympy as sp

from theory.kernel.argument import Argument, Proof, Words, proof, step
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.kernel.rules import Monotone, follows
from theory.model import bound_formulas as bounds
from theory.model.arms import arm_goal, beta, rho, s, s0, tau_sq
from theory.ours.rounds import SIZES as ROUNDS
from theory.ours.rounds import TOTAL, hypotheses, over_rounds, regret, start
from theory.ours.rounds import part as part_of_round

# K, horizon, the ratio of logarithms, A above, a, beta, e_K, a logarithm
k, n, G, A, a, b, e, L = sp.symbols("k n G A a b e L")
x, y, z = sp.symbols("x y z")
SIZES = {
    k: at_least(1),
    n: at_least(1),
    G: at_least(1),
    A: positive(),
    a: at_least(1),
    b: at_least(1),
    e: at_least(0),
    L: at_least(0),
}


@claim(
    "them-R-Bayes/repaired/short-horizons",
    by="us",
    kind="step",
    says=r"2\le n\le K:\quad R_n=n\sigma_0e_K\le2\sqrt{aG\beta\sigma_0^2Kn\log n}",
    uses=("sec:analysis/round-robin", "ours/e_K", "ours/e_K/steps"),
)
def short_horizons() -> Argument:
    """Squared and divided by sigma_0^2: n^2 e_K^2 <= n^2 2 log K <= 4 n K log n, and the factors a, G and beta are at
    least 1."""
    M = sp.Symbol("M")  # log K; L = log n
    free = {**SIZES, M: at_least(0)}
    return proof(
        Goal(Rel(n**2 * (2 * M), "<=", 4 * n * k * L), free, (Rel(n * M, "<=", 2 * k * L),), "n log K <= 2 K log n"),
        Goal(Rel(4 * n * k * L, "<=", 4 * a * G * b * n * k * L), free, name="a, G, beta >= 1"),
    )


@claim("them-R-Bayes/repaired/logarithms", by="us", kind="step")
def ratio_at_least_one() -> Argument:
    """1 + mn >= 1 + m, and the logarithm keeps the order: the ratio G of the logarithms is at least 1."""
    m = sp.Symbol("m")
    free = {m: positive(), n: at_least(1)}
    arguments = Goal(Rel(1 + m, "<=", 1 + m * n), free, name="arguments")
    logs = Monotone(arguments, sp.log(x), x, {x: positive()}, name="logarithms")
    above = Monotone(Goal(Rel(1, "<=", 1 + m), free, name="1 + m"), sp.log(x), x, {x: positive()}, name="log(1+m) >= 0")
    return proof(logs, step(above))


@claim(
    "them-R-Bayes/repaired/widths",
    by="us",
    kind="step",
    says=r"n>K:\quad\sum_{t=K+1}^nc_{I_t,t}\le\sigma_0\sqrt{A(n-K)K(G-1)}",
    uses=("sec:proof/use-of-tau/repaired", "sec:proof/gamma", "sec:proof/telescoping", "sec:proof/cauchy-schwarz"),
)
def widths() -> Argument:
    """The telescoped sum without the first pull of each arm: K gamma (log(1+mn) - log(1+m)) = K sigma_0^2 (G - 1);
    then Cauchy-Schwarz over n - K rounds."""
    big, ell, S1, S2 = sp.symbols("big ell S1 S2")
    free = {
        big: positive(),
        ell: positive(),
        k: positive(),
        s0: positive(),
        S1: positive(),
        S2: positive(),
        x: positive(),
        y: positive(),
    }
    return proof(
        Goal(
            Rel(k * (s0 / ell) * (big - ell), "=", k * s0 * (big / ell - 1)),
            free,
            name="telescoped from the second pull on",
        ),
        Goal(
            Rel(S1**2, "<=", x * y),
            free,
            (Rel(S1**2, "<=", x * S2), Rel(S2, "<=", y)),
            "Cauchy-Schwarz over x = n - K rounds",
        ),
    )


@claim(
    "them-R-Bayes/repaired/am-gm",
    by="us",
    kind="step",
    says=r"n\ge K:\quad\sqrt{(n-K)K(G-1)}\le\sqrt{nKG}-K",
)
def am_gm() -> Argument:
    """(n-K)(G-1) <= (sqrt(nG) - sqrt(K))^2, which is n + KG >= 2 sqrt(n K G)."""
    p, q, r = sp.symbols("p q r")  # sqrt(n), sqrt(G), sqrt(K)
    roots = {p: positive(), q: at_least(1), r: positive()}
    return proof(
        Goal(
            Rel((p * q - r) ** 2 - (p**2 - r**2) * (q**2 - 1), "=", (p - q * r) ** 2),
            roots,
            name="the difference is a square",
        ),
        Goal(Rel(p * q - r, ">=", 0), roots, (Rel(p, ">=", r),), "sqrt(nG) >= sqrt(K)"),
        Goal(Rel(r * (p * q - r), "=", p * r * q - r**2), roots, name="times sqrt(K)"),
    )


@claim(
    "them-R-Bayes/repaired/first-pulls",
    by="us",
    kind="step",
    says=r"n>K:\quad Ke_K+\sqrt A(\sqrt{nKG}-K)\le2\sqrt{AnKG}",
    uses=("ours/e_K", "ours/e_K/steps", "them-R-Bayes/repaired/am-gm"),
)
def first_pulls() -> Argument:
    """What the first pulls cost fits into the slack: e_K <= 2 sqrt(log(K+1)) <= 2 sqrt(A), and sqrt(nKG) >= K."""
    h, big = sp.symbols("h big")  # sqrt(A), sqrt(nKG)
    free = {
        h: positive(),
        big: positive(),
        k: at_least(1),
        e: at_least(0),
        a: at_least(1),
        b: at_least(1),
        L: at_least(0),
    }
    return proof(
        Goal(
            Rel(k * e + h * (big - k), "<=", 2 * h * big), free, (Rel(e, "<=", 2 * h), Rel(big, ">=", k)), "the slack"
        ),
        Goal(Rel(a * b * L, ">=", L), free, name="A = a beta log n >= log n >= log(K+1)"),
        Goal(Rel(n * k * G, ">=", k**2), SIZES, (Rel(n, ">=", k),), "nKG >= K^2"),
    )


@claim(
    "them-R-Bayes/repaired/tail",
    by="us",
    kind="step",
    says=r"\sum_{t>K}\Psi(\sqrt{a\log t})\sum_k\tau_{k,t}\le\frac{K\sqrt{\beta v}}{\sqrt{2\pi}}\sum_tt^{-a/2}"
    r"\le\frac12\cdot\text{printed tail},\ v=\sigma^2/(1+\rho)",
    uses=(
        "ours/optimism",
        "ours/psi",
        "ours/psi/round",
        "sec:proof/tau-at-one-pull",
        "sec:proof/sum-root",
        "sec:proof/harmonic",
    ),
)
def tail() -> Argument:
    """One tail instead of two, and sqrt(beta) instead of beta: at most half of the printed last term, in both
    parts."""
    # sqrt(n), sum over rounds, sqrt(sigma^2/(1+rho)); b = sqrt(beta)
    root, total, spread = sp.symbols("root total spread")
    free = {root: positive(), total: positive(), spread: positive(), k: positive(), b: at_least(1), L: at_least(0)}
    one, two = sp.sqrt(2 * sp.pi), sp.sqrt(8 / sp.pi)
    return proof(
        arm_goal(tau_sq, "<=", beta * s / (1 + rho), name="tau at one pull"),
        Goal(
            Rel(k * b * spread * total, "<=", b**2 * k * spread * 2 * root),
            free,
            (Rel(total, "<=", 2 * root),),
            "part (1)",
        ),
        Goal(Rel(2 / one, "=", two / 2), name="constants of part (1): (2 sqrt n)/sqrt(2 pi) is half of sqrt(8n/pi)"),
        Goal(
            Rel(k * b * spread * total, "<=", b**2 * k * spread * (1 + L)), free, (Rel(total, "<=", 1 + L),), "part (2)"
        ),
        Goal(Rel(1 / one, "=", sp.sqrt(2 / sp.pi) / 2), name="constants of part (2)"),
    )


# roots as symbols: h = sigma_0 sqrt(A), big = sqrt(nKG), first = sigma_0 e_K, spread^2 = sigma^2/(1+rho),
# root = sqrt(n), q = sqrt(beta), p = sqrt(2 pi); total is a sum over rounds
h, big, first, spread, root, q, p, total, K, log_n = sp.symbols(
    "h big first spread root q p total K log_n", positive=True
)
ROOTS = {
    **dict.fromkeys((h, big, first, spread, root, p, total, log_n), positive()),
    K: at_least(1),
    q: Var(sp.Integer(1), strict=True),
}


def stated(bound: Callable[..., tuple[sp.Expr, sp.Expr]], part: int, price: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """The two terms of a bound of `bound_formulas`, written with the roots above: rational. A = a price^2 log n."""
    rounds, ell, width = sp.symbols("rounds ell width", positive=True)
    odds = K * (q**2 - 1)  # rho
    noise = spread**2 * (1 + odds)  # sigma^2
    lead, last = bound(K, rounds, noise / odds, noise, width, part)
    logarithms = {sp.log(1 + rounds / odds): ell * big**2 / (root**2 * K), sp.log(1 + 1 / odds): ell}
    lead = lead.xreplace(logarithms).subs(sp.log(rounds), h**2 * odds / (width * price**2 * noise))
    last = last.subs({sp.log(rounds): log_n, sp.pi: p**2 / 2})
    return sp.simplify(lead.subs(rounds, root**2)), sp.simplify(last.subs(rounds, root**2))


def assembly(part: int, bound: Callable[..., tuple[sp.Expr, sp.Expr]] = bounds.theorem1, price: sp.Expr = q) -> Proof:
    """The statement: first rounds and widths below its leading term, one tail below half of its last term. price is
    sqrt(beta), or 1 for an agent that knows mu_0."""
    lead, last = stated(bound, part, price)
    rounds = 2 * root if part == 1 else 1 + log_n  # what bounds the sum over rounds of t^(-1/2) or 1/t
    cost = K * first + h * (big - K) + K * price * spread * total / p
    below = Goal(
        Rel(cost, "<=", lead + last),
        ROOTS,
        (Rel(first, "<=", 2 * h), Rel(big, ">=", K), Rel(total, "<=", rounds)),
        "n > K: the stated bound",
    )
    widths, tails = (over_rounds(part_of_round(name), K) for name in ("width", "tail"))
    steps = (  # the steps named in `uses`: first rounds, widths and tails
        Rel(start, "<=", K * first),
        Rel(widths, "<=", h * (big - K)),
        Rel(tails, "<=", K * price * spread * total / p),
    )
    summed = follows(
        Rel(TOTAL, "<=", cost),
        regret(K, ROOTS[K], "width", "tail"),
        domain={**ROOTS, **ROUNDS},
        given=(*hypotheses(K, "width", "tail"), *steps),
        name="first rounds, widths and tails",
    )
    return proof(
        summed,
        below,
        Goal(Rel(lead, "=", 2 * h * big), ROOTS, name="stated leading term: 2 sigma_0 sqrt(A n K G)"),
        Goal(
            Rel(last, "=", 2 * price * (K * price * spread * rounds / p)),
            ROOTS,
            name="stated last term: 2 sqrt(beta) times what bounds the tails",
        ),
        Goal(Rel(first, "<=", lead + last), ROOTS, (Rel(first, "<=", 2 * h * big),), "n <= K, where first = R_n"),
        Words("that the three sums are as supposed is shown by the steps that this claim uses"),
    )


STEPS = (
    "ours/round",
    "sec:analysis/round-robin",
    "them-R-Bayes/repaired/short-horizons",
    "them-R-Bayes/repaired/logarithms",
    "them-R-Bayes/repaired/widths",
    "them-R-Bayes/repaired/first-pulls",
    "them-R-Bayes/repaired/tail",
)


@claim(
    "them-R-Bayes/repaired",
    by="us",
    kind="bound",
    says=r"\text{Gaussian model, fixed}\ \mu_0,\ \text{known variances},\ a\ge1,\ n\ge2:\quad "
    r"R_n\le 2\sqrt{aG\beta\sigma_0^2Kn\log n}+(K+\rho)"
    r"\sqrt{\frac{8n\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}};"
    r"\quad\rho=\sigma^2/\sigma_0^2,\ \beta=1+\rho/K,\ G=\log(1+n/\rho)/\log(1+1/\rho)",
    uses=STEPS,
    repairs="them-R-Bayes",
)
def part_one() -> Argument:
    """The printed bound, with the hypothesis n >= 2 it lacks, for every fixed mu_0 and under adaptive sampling. The
    last term could be halved."""
    return assembly(1)


@claim(
    "them-R-Bayes/part-2/repaired",
    by="us",
    kind="bound",
    says=r"\text{Gaussian model, fixed}\ \mu_0,\ \text{known variances},\ a\ge2,\ n\ge2:\quad "
    r"R_n\le 2\sqrt{aG\beta\sigma_0^2Kn\log n}+(1+\log n)(K+\rho)"
    r"\sqrt{\frac{2\sigma_0^2\sigma^2}{\pi(\sigma_0^2+\sigma^2)}};"
    r"\quad\rho=\sigma^2/\sigma_0^2,\ \beta=1+\rho/K,\ G=\log(1+n/\rho)/\log(1+1/\rho)",
    uses=STEPS,
    repairs="them-R-Bayes/part-2",
)
def part_two() -> Argument:
    """The same for the second part."""
    return assembly(2)
