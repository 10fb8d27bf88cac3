"""What the printed bound of Theorem 2 does not show: the gain from structure that abstract and conclusion name."""

import sympy as sp

from theory.kernel.analysis import rises_from
from theory.kernel.argument import Argument, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, positive, real
from theory.kernel.rules import Rises, applied, congruent, follows, instance, uses
from theory.model.play import BEST, COUNT, K, o
from theory.model.regret import E_K
from theory.model.regret_bounds import Bound

y, x, z, k, n, c = sp.symbols("y x z k n c")
SQUARED = "the squared leading term of Theorem 2 is 4 a sigma_0^2 K n log n times the left side"
UNIT = Var(sp.Integer(0), strict=True, high=sp.Integer(1))


@claim(
    "ours/logarithm-bounds",
    by="us",
    kind="inequality",
)
def logarithm_bounds() -> Argument:
    """Both differences are 0 at y = 0 and have nonnegative derivatives."""
    free = {y: at_least(0)}
    return proof(
        *rises_from(y - sp.log(1 + y), y, sp.Integer(0), free, "log(1+y) <= y"),
        *rises_from(sp.log(1 + y) - y / (1 + y), y, sp.Integer(0), free, "y/(1+y) <= log(1+y)"),
    )


@claim("ours/printed/no-gain", by="us", kind="inequality")
def no_gain() -> Argument:
    """For n >= K the squared leading term of Theorem 2 is never below 4 a sigma^2 K n log n (1 + log(n/K)), which the
    same proof gives from the classical width sigma^2/n_k alone. Divided by 4 a sigma_0^2 K n log n and times log(1 +
    1/rho) this is (1+rho/K) log(1+n/rho) >= rho log(1+1/rho) (1+log(n/K)). At n = K it is log(1+y) >= y/(1+y) at y =
    K/rho, as rho log(1+1/rho) <= 1; from there on the left side rises faster."""
    grows = (1 + x / k) * (sp.log(1 + (k + z) / x) - sp.log(1 + k / x)) - c * sp.log((k + z) / k)
    free = {x: positive(), k: at_least(1), z: at_least(0)}
    rising = Rises(grows, z, sp.Integer(0), {**free, c: UNIT}, "from n = K on")
    at_most = Rel(c, "<=", 1)
    later = follows(Rel(grows, ">=", 0), rising, domain={**free, c: positive()}, given=(at_most,), name="from n = K on")
    sizes, long = {x: positive(), k: at_least(1), n: at_least(1)}, Rel(n, ">=", k)
    below, above = (uses("ours/logarithm-bounds", item=item) for item in ("log(1+y) <= y", "y/(1+y) <= log(1+y)"))
    one = x * sp.log(1 + 1 / x)
    small = follows(Rel(one, "<=", 1), instance(below, {y: 1 / x}, sizes), domain=sizes, name="rho log(1+1/rho) <= 1")
    at_K = (1 + x / k) * sp.log(1 + k / x)
    first = follows(Rel(at_K, ">=", 1), instance(above, {y: k / x}, sizes), domain=sizes, name="at n = K")
    rest = applied(later, {c: one, z: n - k}, small, domain=sizes, given=(long,), name="from K to n")
    total = Rel((1 + x / k) * sp.log(1 + n / x), ">=", one * (1 + sp.log(n / k)))
    whole = follows(total, first, small, rest, domain=sizes, given=(long,), name="all n >= K")
    p, q, m = sp.symbols("p q m")
    numbers = {p: real(), m: real(), q: positive(), x: positive()}
    divide = Goal(Rel(p / q, ">=", x * m), numbers, (Rel(p, ">=", x * q * m),), "divided")
    at = {p: total.stated[0], q: sp.log(1 + 1 / x), m: 1 + sp.log(n / k)}
    gain = applied(divide, at, whole, domain=sizes, given=(long,), name="beta G against rho (1 + log(n/K))")
    letters = {
        x: Letter(sp.Symbol("rho"), f"sigma^2/sigma_0^2; {SQUARED}"),
        k: Letter(sp.Symbol("K"), "number of arms"),
        n: Letter(n, "number of rounds"),
    }
    return proof(gain, letters=letters)


@claim("ours/printed/figure-1a", by="us", kind="number")
def vacuous_in_figure_1a() -> Argument:
    """In the setting of Figure 1a (K = 50, n = 10^4, sigma_0 = 0.2, sigma = 0.5, a = 1) the bound of Theorem 2 is 8086,
    above the regret n sigma_0 e_K of random play, 4498, which the last line bounds by e_K <= sqrt(2 log K)."""
    setting = (sp.Integer(50), sp.Integer(10**4), sp.Rational(1, 25), sp.Rational(1, 4), sp.Integer(1))
    arms, rounds, spread, *_ = setting
    play = rounds * sp.sqrt(spread)
    domain, given = {o: real(), BEST: COUNT, K: at_least(2, integer=True)}, (Rel(K, "=", arms),)
    equal = follows(given[0], domain=domain, given=given, name="50 arms")
    levels = congruent(sp.sqrt(2 * sp.log(x)), x, equal, domain, given, name="sqrt(2 log K)")
    most = uses("ours/e_K/steps", item="K >= 2")
    at_most = Goal(Rel(play * sp.sqrt(2 * sp.log(arms)), "<", 5595), name="n sigma_0 sqrt(2 log K)")
    return proof(
        Goal(Rel(Bound("B_1", *setting), ">", 8086), name="Theorem 2, part (1)"),
        follows(Rel(play * E_K, "<", 5595), most, levels, at_most, domain=domain, given=given, name="random play"),
    )
