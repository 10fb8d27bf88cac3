"""The sharpened Theorem 1, for every a > 0: exact first rounds, widths summed as they are, one tail.

g(j) = sigma/sqrt(j + alpha) with alpha = (K-1) rho/(K+rho): the pulls that K - 1 single rewards of other arms
are worth.
"""

import sympy as sp

from theory.kernel.argument import Words, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.vocabulary import J, K, arm_goal, n, rho, s, s0, tau_sq

HERE = "Beyond the paper"
x, y, z, al, k, M, N, d = sp.symbols("x y z al k M N d")
alpha = J * rho / (K + rho)


@claim("ours/width", where=HERE, kind="inequality", depends_on=("MSE", "w-def/bounds/repaired"),
       says=r"n_i\ge1:\quad\tau_k^2\le\frac{\sigma^2}{n_k+\alpha},\quad\alpha=\frac{(K-1)\rho}{K+\rho};\ "
            r"\text{equality when the others were pulled once}")
def width():
    """W is least when every other arm has one reward; then tau^2 is the posterior variance after n_k + alpha rewards
    and no prior. It lies below Lemma sec:tau and meets it at one pull."""
    w1 = n * s0 / (n * s0 + s)
    least = w1 + J * s0 / (s0 + s)
    return proof(
        arm_goal(tau_sq, "<=", s / (n + alpha), name="bound"),
        arm_goal(s0 * s / (n * s0 + s) + (1 - w1) ** 2 * s0 / least, "=", s / (n + alpha),
                 name="equality: others pulled once"),
        arm_goal(s / (n + alpha), "<=", (1 + rho / K) * s / (n + rho), name="below Lemma sec:tau"),
        arm_goal(s / (1 + alpha), "=", (1 + rho / K) * s / (1 + rho), name="the same at one pull"),
    )


@claim("ours/width/separate", where=HERE, kind="inequality", depends_on=("ours/width",),
       says=r"\frac{\sigma^2}{n_k+\alpha}\le\frac{\sigma^2}{n_k+\rho}\left(1+\frac{\rho(1+\rho)}{K(n_k+\rho)}\right)")
def width_separate():
    """The simpler bound that takes (1 - w_k)/W at W >= K/(1+rho) is above it, and equal at one pull."""
    simple = s / (n + rho) * (1 + rho * (1 + rho) / (K * (n + rho)))
    return proof(arm_goal(s / (n + alpha), "<=", simple, name="below"),
                 arm_goal(simple.subs(n, 1), "=", s / (1 + alpha), name="equal at one pull"))


@claim("ours/width/shape", where=HERE, kind="inequality", says=r"g(j)=\sigma(j+\alpha)^{-1/2}\ \text{falls and is "
                                                               r"convex}")
def shape():
    """First and second derivative, written with the root z = sqrt(j + alpha)."""
    g = (x + al) ** sp.Rational(-1, 2)
    free = {x: positive(), al: at_least(0)}
    return proof(
        Goal(Rel(sp.diff(g, x), "=", -(x + al) ** sp.Rational(-3, 2) / 2), free, name="slope"),
        Goal(Rel(sp.diff(g, x, 2), "=", 3 * (x + al) ** sp.Rational(-5, 2) / 4), free, name="second derivative"),
        Goal(Rel(1 / y, "<=", 1 / z), {y: positive(), z: positive()}, (Rel(z, "<=", y),), "it falls: 1/root"),
    )


@claim("ours/jensen", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"\sum_kS(N_k)\le KS(N/K),\quad\sum_kN_k=N,\ S(M)=\sum_{j\le M}g(j)\ \text{linear in between}")
def jensen():
    """Partial sums of a falling sequence lie below the line with slope g(M+1) through (M, S(M)): pulls beyond M add
    at most that each, pulls short of M take away at least that. Sum the lines over the arms at M = floor(N/K)."""
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(Rel(SM + (N - M) * z, "<=", SM + (N - M) * g), {SM: positive(), M: at_least(0), N: at_least(0),
                                                             z: positive(), g: positive()},
             (Rel(N, ">=", M), Rel(z, "<=", g)), "beyond M: the added terms average z <= g(M+1)"),
        Goal(Rel(SM - (M - N) * z, "<=", SM + (N - M) * g), {SM: positive(), M: at_least(0), N: at_least(0),
                                                             z: positive(), g: positive()},
             (Rel(N, "<=", M), Rel(z, ">=", g)), "short of M: the missing terms average z >= g(M) >= g(M+1)"),
        Goal(Rel(k * SM + g * (N - k * M), "=", k * (SM + (N / k - M) * g)),
             {SM: positive(), M: at_least(0), N: positive(), k: positive(), g: positive()},
             name="lines summed over K arms: K times the interpolated S at N/K"),
    )


@claim("ours/widest-last", where=HERE, kind="inequality", depends_on=("ours/jensen",),
       says=r"\sum_{t=K+1}^n\sqrt{a\log t}\,g_t\le\sum_{j=1}^{n-K}\sqrt{a\log(n+1-j)}\,g(\lceil j/K\rceil)")
def widest_last():
    """Partial summation: the last j of the rounds meet at most K S(j/K) of width, and sqrt(log t) grows. Likewise
    with a falling factor and the first j rounds."""
    f1, f2, T1, T2, B1, B2 = sp.symbols("f1 f2 T1 T2 B1 B2")
    free = dict.fromkeys((f1, f2, T1, T2, B1, B2), at_least(0))
    return proof(
        Goal(Rel(f1 * (T1 - T2) + f2 * T2, "=", f1 * T1 + (f2 - f1) * T2), free,
             name="Abel's summation, one step: T_i the widths met from round i on"),
        Goal(Rel(f1 * T1 + (f2 - f1) * T2, "<=", f1 * B1 + (f2 - f1) * B2), free,
             (Rel(f1, "<=", f2), Rel(T1, "<=", B1), Rel(T2, "<=", B2)),
             "larger tails, larger sum: B_i the most they can be"),
        Goal(Rel(k * (z + d) - k * z, "=", k * d), {k: positive(), z: positive(), d: positive()},
             name="K S(j/K) grows by g(ceil(j/K)) per round, K rounds long"),
    )


@claim("ours/worst-spread", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"n_k\ge1,\ \sum_kn_k=t-1:\quad\sum_kg(n_k)\le(K-1)g(1)+g(t-K)")
def worst_spread():
    """Moving a pull from a less to a more pulled arm raises a sum of a convex function; so the worst is all extra
    pulls on one arm."""
    p, q, r, u = sp.symbols("p q r u")  # g at i-1, i, j, j+1 with i <= j
    return proof(Goal(Rel(q + r, "<=", p + u), dict.fromkeys((p, q, r, u), positive()), (Rel(p - q, ">=", r - u),),
                      "convex: g(i-1) - g(i) >= g(j) - g(j+1) for i <= j"),
                 Goal(Rel((K - 1) + (N - K + 1), "=", N), {J: at_least(0), N: positive()},
                      name="K - 1 arms at 1, one at t - K: in all t - 1, N = t - 1"))


@claim("ours/midpoint", where=HERE, kind="inequality", depends_on=("ours/width/shape",),
       says=r"\frac1{\sqrt{x}}\le\int_{x-1/2}^{x+1/2}\frac{du}{\sqrt u}=2\sqrt{x+1/2}-2\sqrt{x-1/2}")
def midpoint():
    """With the roots y, z of x + 1/2 and x - 1/2 the integral is 2/(y+z), and (y+z)^2 <= 2(y^2+z^2) = 4x."""
    free = {y: positive(), z: positive()}
    return proof(
        Goal(Rel((y + z) ** 2, "<=", 2 * (y**2 + z**2)), free, name="squared", squares=(y - z,)),
        Goal(Rel(2 * (y - z), "=", 2 * (y**2 - z**2) / (y + z)), free, name="difference of roots, y^2 - z^2 = 1"),
    )


@claim("ours/sharp", where=HERE, kind="bound", depends_on=("ours/round", "sec:analysis/round-robin", "ours/width",
                                                           "ours/jensen", "ours/widest-last", "ours/worst-spread"),
       says=r"n>K,\ a>0:\quad R_n\le K\sigma_0e_K+\sum_{j=1}^{n-K}\sqrt{a\log(n+1-j)}\,g(\lceil j/K\rceil)"
            r"+\sum_{t=K+1}^n\Psi(\sqrt{a\log t})\left((K-1)g(1)+g(t-K)\right);\quad n\le K:\ R_n=n\sigma_0e_K")
def sharp():
    """Sum ours/round over the rounds after the K-th; tau <= g; the two sums over rounds by the two counting steps."""
    initial, c, tails, widths, spread, R = sp.symbols("initial c tails widths spread R")
    free = dict.fromkeys((initial, c, tails, widths, spread, R), at_least(0))
    return proof(
        Goal(Rel(R, "<=", initial + widths + spread), free, (Rel(R, "<=", initial + c + tails), Rel(c, "<=", widths),
                                                             Rel(tails, "<=", spread)), "put together"),
        Words("R_n is the cost of the first K rounds plus the sum of E[mu_* - mu_{I_t}] over t > K, to which "
              "ours/round applies."),
    )


@claim("ours/sharp/simple", where=HERE, kind="bound", depends_on=("ours/sharp", "ours/width/separate"),
       says=r"n>K:\quad R_n\le K\sigma_0e_K+\sqrt{a\log n}\,KS((n-K)/K)+K\sqrt{\beta\sigma^2/(1+\rho)}"
            r"\sum_{t=K+1}^n\Psi(\sqrt{a\log t})")
def simple():
    """log t <= log n, g(t-K) <= g(1), and g(1)^2 = beta sigma^2/(1+rho)."""
    return proof(
        Goal(Rel((k - 1) * y + z, "<=", k * y), {k: at_least(1), y: positive(), z: positive()}, (Rel(z, "<=", y),),
             "K g(1)"),
        arm_goal(s / (1 + alpha), "=", (1 + rho / K) * s / (1 + rho), name="g(1)^2"),
        Goal(Rel(x * d, "<=", y * d), {x: positive(), y: positive(), d: positive()}, (Rel(x, "<=", y),),
             "sqrt(log t) <= sqrt(log n)"),
    )


@claim("ours/duality", where=HERE, kind="inequality", depends_on=("ours/jensen",),
       says=r"\eta\ge0,\ \sum_kN_k=N:\quad\sum_k\sum_{j\le N_k}(h_k(j)-\eta)+\eta N\le\eta "
            r"N+\sum_k\sum_{j}(h_k(j)-\eta)^+")
def duality():
    """A price eta per pull turns the constraint on the number of pulls into a sum of positive parts; at the best
    price this is the sum of the N largest terms, K S(N/K) when all arms have the same falling terms."""
    h, eta, pos = sp.symbols("h eta pos")
    free = {h: real(), eta: at_least(0), pos: at_least(0), N: positive(), k: positive(), M: at_least(0)}
    SM, g = sp.symbols("SM g")
    return proof(
        Goal(Rel(h - eta, "<=", pos), free, (Rel(pos, ">=", h - eta),), "a term is at most its positive part"),
        Goal(Rel(k * (SM - M * g) + g * N, "=", k * SM + g * (N - k * M)), {**free, SM: positive(), g: positive()},
             name="best price eta = g(M+1), M = floor(N/K): the value is K S(N/K)"),
    )
