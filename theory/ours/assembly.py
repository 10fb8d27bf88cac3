"""Theorem 1 put together from sums over rounds: for an agent that knows mu_0."""

from collections.abc import Callable

import sympy as sp

from theory.kernel.argument import Proof, Words, proof
from theory.kernel.goal import Goal, Rel, Var, at_least, positive
from theory.kernel.rules import follows
from theory.model import bound_formulas as bounds
from theory.ours.rounds import SIZES as ROUNDS
from theory.ours.rounds import TOTAL, hypotheses, over_rounds, regret, start
from theory.ours.rounds import part as part_of_round

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
