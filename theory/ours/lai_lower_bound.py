"""What no algorithm can beat for long horizons, beside ours/logarithmic: Lai's asymptotic lower bound."""

import sympy as sp

from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.classical import LAI
from theory.kernel.goal import Goal, Letter, Rel, positive, real
from theory.kernel.rules import cited
from theory.model.arms import s, s0
from theory.model.functions import quantity
from theory.model.normal import phi, upper
from theory.model.play import COUNT, WORDS, K, o
from theory.model.regret import E_K

least = quantity("liminf of R_n/(log n)^2", r"\liminf_{{n\to\infty}}\frac{{R_n}}{{(\log n)^2}}")(o)


@claim("ours/logarithmic/lai", by="us", kind="limit", cites=("ours/logarithmic", "ours/logarithmic/order"))
def lai() -> Argument:
    """Lai's constant is half of sigma^2 times the density at 0 of the gap between an arm and the best of the others,
    summed over the arms. For K normal means this sum is K (K-1) times the integral of phi^2 Phi^(K-2), divided by
    sigma_0, which by parts is e_K/sigma_0. The sum over gaps of ours/logarithmic has the same leading term times
    (sqrt(a) + sqrt(b))^2, so that its order log^2 n is right and its constant is too large by this factor."""
    x = sp.Symbol("x")
    below = 1 - upper(x)
    by_parts = Goal(
        Rel(
            sp.Derivative(-phi(x) * below ** (K - 1), x),
            "=",
            x * phi(x) * below ** (K - 1) - (K - 1) * phi(x) ** 2 * below ** (K - 2),
        ),
        {x: real(), K: COUNT},
        name="the mean of the largest of K, by parts",
    )
    domain = {K: COUNT, s: positive(), s0: positive(), o: real()}
    gives = Goal(Rel(least, ">=", s * E_K / (2 * sp.sqrt(s0))), domain, name="every algorithm", letters=WORDS)
    letters = {least: Letter(least, "of any algorithm, also of one that knows mu_0 and the variances")}
    return proof(cited(LAI, hypotheses=(by_parts,), gives=gives, name="normal means and rewards"), letters=letters)
