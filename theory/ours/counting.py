"""Counting pulls: how much width any sequence of pulls can meet, whatever the choices were."""

from collections.abc import Callable

import sympy as sp

from theory.kernel.argument import Argument, Computation, Words, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive
from theory.model import bound_formulas as bounds
from theory.model.arms import J, K

x, y, z, al, k, M, N, d = sp.symbols("x y z al k M N d")


@claim(
    "ours/width/shape",
    by="us",
    kind="inequality",
    says=r"g(j)=\sigma(j+\alpha)^{-1/2}\ \text{falls and is "
    r"convex}",
)
def shape() -> Argument:
    """First and second derivative, written with the root z = sqrt(j + alpha)."""
    g = (x + al) ** sp.Rational(-1, 2)
    free = {x: positive(), al: at_least(0)}
    return proof(
        Goal(Rel(sp.Derivative(g, x), "=", -((x + al) ** sp.Rational(-3, 2)) / 2), free, name="slope"),
        Goal(Rel(sp.Derivative(g, x, 2), "=", 3 * (x + al) ** sp.Rational(-5, 2) / 4), free, name="second derivative"),
        Goal(Rel(1 / y, "<=", 1 / z), {y: positive(), z: positive()}, (Rel(z, "<=", y),), "it falls: 1/root"),
    )


@claim(
    "ours/jensen",
    by="us",
    kind="inequality",
    says=r"\sum_kS(N_k)\le KS(N/K),\quad\sum_kN_k=N,\ S(M)=\sum_{j\le M}g(j)\ \text{linear in between}",
    uses=("ours/width/shape",),
)
def jensen() -> Argument:
    """Partial sums of a falling sequence lie below the line with slope g(M+1) through (M, S(M)): pulls beyond M add
    at most that each, pulls short of M take away at least that. Sum the lines over the arms at M = floor(N/K)."""
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(
            Rel(SM + (N - M) * z, "<=", SM + (N - M) * g),
            {SM: positive(), M: at_least(0), N: at_least(0), z: positive(), g: positive()},
            (Rel(N, ">=", M), Rel(z, "<=", g)),
            "beyond M: the added terms average z <= g(M+1)",
        ),
        Goal(
            Rel(SM - (M - N) * z, "<=", SM + (N - M) * g),
            {SM: positive(), M: at_least(0), N: at_least(0), z: positive(), g: positive()},
            (Rel(N, "<=", M), Rel(z, ">=", g)),
            "short of M: the missing terms average z >= g(M) >= g(M+1)",
        ),
        Goal(
            Rel(k * SM + g * (N - k * M), "=", k * (SM + (N / k - M) * g)),
            {SM: positive(), M: at_least(0), N: positive(), k: positive(), g: positive()},
            name="lines summed over K arms: K times the interpolated S at N/K",
        ),
    )


def by_parts(factors: list[sp.Expr], arms: int, width: Callable[[sp.Integer], sp.Expr], rising: bool) -> sp.Expr:
    """Abel's summation of factor times width, any m rounds in a row meeting at most B_m = g(ceil(1/K)) + ... +
    g(ceil(m/K)): the last m for a rising factor, the first m for a falling one."""
    most = [sp.Integer(0)]
    for j in range(1, len(factors) + 1):
        most.append(most[-1] + width(sp.Integer(-(-j // arms))))
    ordered = factors if rising else factors[::-1]
    steps = [f - before for f, before in zip(ordered, [sp.Integer(0), *ordered], strict=False)]
    return sum((step * most[len(factors) - i] for i, step in enumerate(steps)), sp.Integer(0))


def adds_up(stated: Callable[[int, int], sp.Expr], factor: Callable[[int, int], sp.Expr], rising: bool) -> list[Rel]:
    """The stated sum is the one by parts, for one to three arms and up to five rounds after the first pulls."""
    one = sp.Integer(1)

    def parts(arms: int, rounds: int) -> sp.Expr:
        factors = [factor(arms, t) for t in range(arms + 1, rounds + 1)]
        return by_parts(factors, arms, lambda j: bounds.g(j, sp.Integer(arms), one, one), rising)

    return [
        Rel(sp.expand(parts(arms, rounds) - stated(arms, rounds)), "=", 0)
        for arms in (1, 2, 3)
        for rounds in range(arms + 1, arms + 6)
    ]


@claim(
    "ours/widest-last",
    by="us",
    kind="inequality",
    says=r"\sum_{t=K+1}^n\sqrt{a\log t}\,g_t\le\sum_{j=1}^{n-K}\sqrt{a\log(n+1-j)}\,g(\lceil j/K\rceil),\quad"
    r" q_t\ \text{falling}:\ \sum_{t=K+1}^nq_tg_t\le\sum_{t=K+1}^nq_t\,g(\lceil(t-K)/K\rceil);"
    r"\quad g_t=g(n_{I_t,t})",
    uses=("ours/jensen",),
)
def widest_last() -> Argument:
    """Partial summation: any m rounds in a row after the K-th meet at most K S(m/K) of width. The last m count for
    the rising sqrt(log t), the first m for a falling factor."""
    f1, f2, T1, T2, B1, B2, SM = sp.symbols("f1 f2 T1 T2 B1 B2 SM")
    free = {
        **dict.fromkeys((f1, f2, T1, T2, B1, B2), at_least(0)),
        k: positive(),
        M: at_least(0),
        N: positive(),
        SM: positive(),
        z: positive(),
    }
    one = sp.Integer(1)

    def logs(arms: int, t: int) -> sp.Expr:
        return sp.sqrt(sp.log(t))

    def falling(arms: int, t: int) -> sp.Expr:
        return bounds.deviation_factor(sp.Integer(t), sp.Integer(arms), sp.Integer(2), one)

    def widths(arms: int, rounds: int) -> sp.Expr:
        return bounds.widths(arms, rounds, one, one, one)

    def deviations(arms: int, rounds: int) -> sp.Expr:
        return bounds.deviations(arms, rounds, one, one, sp.Integer(2), one)

    return proof(
        Goal(
            Rel(1 / (x + d + al), "<=", 1 / (x + al)),
            {x: positive(), d: at_least(0), al: at_least(0)},
            name="g^2: the i-th pull of an arm among these rounds meets a count i + d, at least i",
        ),
        Goal(
            Rel(k * (SM + (N / k - M) * z) - k * (SM + ((N - 1) / k - M) * z), "=", z),
            free,
            name="K S(j/K) grows by z = g(M+1) from j = N - 1 to N, M + 1 = ceil(N/K)",
        ),
        Goal(
            Rel(f1 * (T1 - T2) + f2 * T2, "=", f1 * T1 + (f2 - f1) * T2),
            free,
            name="Abel's summation, one step: T_i the widths met from round i on",
        ),
        Goal(
            Rel(f1 * T1 + (f2 - f1) * T2, "<=", f1 * B1 + (f2 - f1) * B2),
            free,
            (Rel(f1, "<=", f2), Rel(T1, "<=", B1), Rel(T2, "<=", B2)),
            "rising factor: B_i the most they can be",
        ),
        Goal(
            Rel((f1 - f2) * T1 + f2 * T2, "<=", (f1 - f2) * B1 + f2 * B2),
            free,
            (Rel(f1, ">=", f2), Rel(T1, "<=", B1), Rel(T2, "<=", B2)),
            "falling factor: T_i the widths met up to round i",
        ),
        Computation(
            "sympy",
            "the stated sum of widths is the one by parts, K <= 3, n <= K + 5",
            lambda stated: adds_up(stated, logs, rising=True),
            (widths,),
            {
                "constant: twice the sum": (lambda K, n: 2 * widths(K, n),),
                "index: one round less": (lambda K, n: widths(K, n - 1),),
            },
        ),
        Computation(
            "sympy",
            "the stated sum of deviations is the one by parts, K <= 3, n <= K + 5",
            lambda stated: adds_up(stated, falling, rising=False),
            (deviations,),
            {"constant: half of the sum": (lambda K, n: deviations(K, n) / 2,)},
        ),
        Words(
            "The whole sum is this step repeated from the last round back to the first; the step is what can go wrong."
        ),
    )


@claim(
    "ours/worst-spread",
    by="us",
    kind="inequality",
    says=r"n_k\ge1,\ \sum_kn_k=t-1:\quad\sum_kg(n_k)\le(K-1)g(1)+g(t-K)",
    uses=("ours/width/shape",),
)
def worst_spread() -> Argument:
    """Moving a pull from a less to a more pulled arm raises the sum, as the steps of g shrink; so the worst is all
    extra pulls on one arm. With roots p, q of j + alpha and j + 1 + alpha a step of g is 1/p - 1/q = 1/(pq(p+q))."""
    p, q, r, u = sp.symbols("p q r u")  # roots of i - 1 + alpha, i + alpha, j + alpha, j + 1 + alpha with i <= j
    free = dict.fromkeys((p, q, r, u), positive())
    return proof(
        Goal(Rel(1 / p - 1 / q, "=", (q**2 - p**2) / (p * q * (p + q))), free, name="a step of g; q^2 - p^2 = 1"),
        Goal(
            Rel(1 / (p * q * (p + q)), ">=", 1 / (r * u * (r + u))),
            free,
            (Rel(p, "<=", r), Rel(q, "<=", u)),
            "steps shrink",
        ),
        Goal(
            Rel(1 / q + 1 / r, "<=", 1 / p + 1 / u),
            free,
            (Rel(1 / p - 1 / q, ">=", 1 / r - 1 / u),),
            "one pull moved from i to j",
        ),
        Goal(
            Rel((K - 1) + (N - K + 1), "=", N),
            {J: at_least(0), N: positive()},
            name="K - 1 arms at 1, one at t - K: in all t - 1, N = t - 1",
        ),
    )


@claim(
    "ours/midpoint",
    by="us",
    kind="inequality",
    says=r"\frac1{\sqrt{x}}\le\int_{x-1/2}^{x+1/2}\frac{du}{\sqrt u}=2\sqrt{x+1/2}-2\sqrt{x-1/2}",
    cites=("ours/width/shape",),
)
def midpoint() -> Argument:
    """With the roots y, z of x + 1/2 and x - 1/2 the integral is 2/(y+z), and (y+z)^2 <= 2(y^2+z^2) = 4x."""
    free = {y: positive(), z: positive()}
    return proof(
        Goal(Rel((y + z) ** 2, "<=", 2 * (y**2 + z**2)), free, name="squared", squares=(y - z,)),
        Goal(Rel(2 * (y - z), "=", 2 * (y**2 - z**2) / (y + z)), free, name="difference of roots, y^2 - z^2 = 1"),
    )


@claim(
    "ours/duality",
    by="us",
    kind="inequality",
    says=r"\eta\ge0,\ \sum_kN_k=N:\quad\sum_k\sum_{j\le N_k}(h_k(j)-\eta)+\eta N\le\eta "
    r"N+\sum_k\sum_{j}(h_k(j)-\eta)^+",
    cites=("ours/jensen",),
)
def duality() -> Argument:
    """A price eta per pull turns the constraint on the number of pulls into a sum of positive parts; at the best
    price this is the sum of the N largest terms, K S(N/K) when all arms have the same falling terms."""
    up, down, other, eta = sp.symbols("up down other eta")  # positive and negative part of a made pull, another pull's
    free = {**dict.fromkeys((up, down, other, eta), at_least(0)), N: positive(), k: positive(), M: at_least(0)}
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(
            Rel((up - down) + eta, "<=", up + other + eta),
            free,
            name="a pull that was made costs at most its positive part; those not made only add",
        ),
        Goal(
            Rel(k * (SM - M * g) + g * N, "=", k * SM + g * (N - k * M)),
            {**free, SM: positive(), g: positive()},
            name="best price eta = g(M+1), M = floor(N/K): the value is K S(N/K)",
        ),
    )
