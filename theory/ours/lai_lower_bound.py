"""What no algorithm can beat for long horizons, beside ours/logarithmic: Lai's asymptotic lower bound."""

import sympy as sp

from theory.kernel.argument import Argument, proof, step
from theory.kernel.claim import claim
from theory.kernel.classical import LAI
from theory.kernel.goal import Goal, Letter, Rel, at_least, positive, real
from theory.kernel.rules import Limit, cited
from theory.model.arms import s
from theory.model.normal import phi, upper
from theory.model.play import WORDS, K
from theory.model.regret import rate, sigma0

x = sp.Symbol("x")
DENSITY, DISTRIBUTION = phi(x / sigma0) / sigma0, upper(-x / sigma0)  # of N(0, sigma_0^2)


@claim("ours/logarithmic/lai", by="us", kind="limit", cites=("ours/logarithmic", "ours/logarithmic/order"))
def lai() -> Argument:
    """Lai's constant is half of sigma^2 times the density at 0 of the gap between an arm and the best of the others,
    summed over the arms. For K normal means this sum is K (K-1) times the integral of the squared density times
    Phi^(K-2); by parts it is e_K/sigma_0. The sum over gaps of ours/logarithmic has the same leading term times
    (sqrt(a) + sqrt(b))^2, so that its order log^2 n is right and its constant is too large by this factor."""
    line = {x: real(), sigma0: positive()}
    hypotheses = (
        Goal(Rel(sp.Derivative(DISTRIBUTION, x), "=", DENSITY), line, name="density of a mean"),
        Goal(Rel(DENSITY, ">=", 0), line, name="a density is nonnegative"),
        Limit(DISTRIBUTION, x, sp.S.One, line, "distribution function at infinity"),
        Limit(DISTRIBUTION.xreplace({x: -x}), x, sp.S.Zero, line, "distribution function at minus infinity"),
    )
    by_parts = Goal(
        Rel(
            sp.Derivative(-phi(x) * upper(-x) ** (K - 1), x),
            "=",
            x * phi(x) * upper(-x) ** (K - 1) - (K - 1) * phi(x) ** 2 * upper(-x) ** (K - 2),
        ),
        {x: real(), K: at_least(2, integer=True)},
        name="the mean of the largest of K, by parts",
    )
    at = {"rate": rate, "noise": s, "density": DENSITY, "distribution": DISTRIBUTION, "arms": K, "x": x}
    bound = s * K * (K - 1) * sp.Integral(DENSITY**2 * DISTRIBUTION ** (K - 2), (x, -sp.oo, sp.oo)) / 2
    domain = {K: at_least(2, integer=True), s: positive(), sigma0: positive()}
    gives = Goal(Rel(rate, ">=", bound), domain, name="every algorithm", letters=WORDS)
    letters = {
        rate: Letter(rate, "Bayes regret of any algorithm, also of one that knows mu_0 = 0 and the variances"),
        sigma0: Letter(sigma0, "standard deviation of the arm means"),
    }
    found = cited(LAI, hypotheses=hypotheses, gives=gives, name="normal means and rewards", at=at)
    return proof(step(by_parts), found, letters=letters)
