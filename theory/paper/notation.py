"""Symbols that the paper uses for two things: read as one, each leads to a false equation, found exactly.

`collision` enters a pair of claims: the equation that one symbol for two things asserts (a misprint), and the
two meanings under names of their own.
"""

import sympy as sp

from theory.effects import calculus, common, direct
from theory.kernel.argument import Item, misprint, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.vocabulary import V0, J, K, W, Wo, arm_goal, n, rho, s, s0, tau_sq, w

c, mu, mu0, prec, q, r0, t = sp.symbols("c mu mu0 prec q r0 t")


def collision(name: str, where: str, why: str, says: tuple[str, str], as_one: Goal, apart: tuple[Item, ...],
              when: str, depends_on: tuple[str, ...] = ()) -> None:
    """Enter `notation/name` and its repair."""

    def printed():
        return misprint(as_one, fails_when=when)

    def repaired():
        return proof(*apart)

    printed.__doc__, repaired.__doc__ = why, "With a name of its own for each, both meanings are right."
    claim(f"notation/{name}", where=where, kind="notation", says=says[0], depends_on=depends_on)(printed)
    claim(f"notation/{name}/repaired", where=where, kind="notation", says=says[1], depends_on=depends_on,
          repairs=f"notation/{name}")(repaired)


collision("a", "Section 3.1; Section 4",
          "a is the coefficient of Section 3.1, whose best value is w_k, and the tuning constant of the "
          "algorithm, for which bounds are proved when a >= 1: no value serves as both.",
          (r"w_k=a\ge 1", r"c=w_k<1 \text{ minimises Eq. mse-a};\quad a\ge 1 \text{ tunes the index}"),
          arm_goal(w, ">=", 1),
          (arm_goal(w, "<", 1, name="best coefficient"),
           arm_goal(sp.diff(c**2 * s / n + (1 - c) ** 2 * s0, c).subs(c, w), "=", 0, name="it is the best")),
          "always", ("w-def",))

M2 = (1 + q) ** 2 / (1 + s0 / (K * (s0 + s)))  # m of Theorem 2, q = sigma/(sigma_0 sqrt K), so s = K q^2 s0
collision("m", "Section 5.2; Appendix G",
          "m is sigma_0^2/sigma^2 in the bound on x/log(1+x) and another function of both variances and K "
          "in Theorem 2.",
          (r"\sigma_0^2/\sigma^2=\frac{(1+K^{-1/2}\sigma/\sigma_0)^2}{1+\sigma_0^2/(K(\sigma_0^2+\sigma^2))}",
           r"m_1=\sigma_0^2/\sigma^2 \text{ falls in } \sigma,\quad m_2\ge\tfrac{K}{K+1} \text{ does not}"),
          Goal(Rel((s0 / s).subs(s, K * q**2 * s0), "=", M2.subs(s, K * q**2 * s0)),
               {J: at_least(0, integer=True), q: positive(), s0: positive()}),
          (Goal(Rel((s0 / s).subs(s, K * q**2 * s0), "=", 1 / (K * q**2)),
                {J: at_least(0, integer=True), q: positive(), s0: positive()}, name="the first m"),
           Goal(Rel(M2.subs(s, K * q**2 * s0), ">=", K / (K + 1)),
                {J: at_least(0, integer=True), q: positive(), s0: positive()}, name="the second m")),
          "the two values differ, e.g. K = 1 and equal variances")

collision("delta", "Section 2; Section 5.2",
          "delta_k is the random offset of arm k, of mean 0, and delta_t = t^(-a/2) the confidence level of"
          " round t; an index is all that tells them apart.",
          (r"E\delta_k=\delta_t|_{a=2}", r"E\delta_k=0,\ E\delta_k^2=\sigma_0^2;\qquad \delta_t=t^{-a/2}>0"),
          Goal(Rel(0, "=", 1 / t), {t: at_least(1, integer=True)}),
          (Goal(Rel(1 / t, ">", 0), {t: at_least(1, integer=True)}, name="a confidence level is positive"),
           arm_goal(calculus.var(direct) - s / n, "=", s0, name="an offset has variance sigma_0^2")),
          "always", ("payoff-M1", "confidence-C"))

collision("sigma0", "Appendix F, Lemma sec:mu0Dist",
          "The proof calls the posterior variance of mu_0 sigma_0^2, the name of the variance of the arm "
          "means on which it depends.",
          (r"\sigma_0^2=\Big[\lambda^{-1}+\sigma^{-2}\sum_k(1-w_k)n_k\Big]^{-1}",
           r"\operatorname{Var}(\mu_0\mid H_t)=v=\Big[\lambda^{-1}+\sigma_0^{-2}W\Big]^{-1}\le\sigma_0^2/W"),
          arm_goal(s0, "=", 1 / (prec + rho * W / s), extra={prec: at_least(0)}),
          (arm_goal(1 / (prec + rho * W / s), "=", 1 / (prec + W / s0), extra={prec: at_least(0)},
                    name="in the weights"),
           arm_goal(1 / (prec + W / s0), "<=", V0, extra={prec: at_least(0)},
                    name="at most the variance of r0-bar")),
          "1/lambda + W/sigma_0^2 is not 1/sigma_0^2", ("sec:mu0Dist",))

collision("r0-bar", "Appendix F, Lemma sec:mu0Dist",
          "The posterior mean of mu_0 under a proper prior is called r0-bar, the name of the GLS mean, of "
          "which it is a shrunken version.",
          (r"\bar r_0=\frac{W/\sigma_0^2}{\lambda^{-1}+W/\sigma_0^2}\,\bar r_0",
           r"E[\mu_0\mid H_t]=\frac{\bar r_0}{1+\sigma_0^2/(\lambda W)}"),
          arm_goal(r0, "=", r0 * (W / s0) / (prec + W / s0), extra={prec: at_least(0), r0: real()}),
          (arm_goal(r0 * (W / s0) / (prec + W / s0), "=", r0 / (1 + prec * V0),
                    extra={prec: at_least(0), r0: real()},
                    name="posterior mean"),),
          "lambda is finite and r0-bar is not 0", ("sec:mu0Dist",))

collision("k", "Section 3.2, Eq. MSE",
          "k is the arm whose error is stated and the index of the sum in the same formula; read with one k"
          " the sum has K equal terms.",
          (r"\sum_{k=1}^Kn_k(1-w_k)=K\,n_k(1-w_k)",
           r"\sum_{i=1}^Kn_i(1-w_i)=n_k(1-w_k)+\sum_{i\ne k}n_i(1-w_i)=\tfrac{\sigma^2}{\sigma_0^2}W"),
          arm_goal(rho * W, "=", K * n * (1 - w)),
          (arm_goal(n * (1 - w) + rho * Wo, "=", rho * W, name="the sum over all arms"),),
          "the counts are not all equal", ("MSE",))

collision("tau", "Appendix H",
          "tau^2 is the proxy of the second of two variables in the facts, which are then applied with "
          "(1-w_k)^2 Var(r0-bar) in its place, and tau_k^2 the mean squared error, which is the whole.",
          (r"(1-w_k)^2\operatorname{Var}(\bar r_0)=\tau_k^2",
           r"\tau_k^2=\tilde\tau_k^2+(1-w_k)^2\operatorname{Var}(\bar r_0)"),
          arm_goal((1 - w) ** 2 * calculus.var(common), "=", tau_sq),
          (arm_goal(w * s / n + (1 - w) ** 2 * calculus.var(common), "=", tau_sq,
                    name="the whole and its parts"),),
          "always", ("sec:fact/2",))

collision("unbiased", "Section 3.1",
          "The predictor is called linear unbiased and, a few lines later, biased: the first averages over "
          "the arm mean, the second is given the arm mean.",
          (r"E[\tilde\mu_k-\mu_k\mid\mu_k]=E[\tilde\mu_k-\mu_k]",
           r"E[\tilde\mu_k-\mu_k]=0,\quad E[\tilde\mu_k-\mu_k\mid\mu_k]=(1-w_k)(\mu_0-\mu_k)"),
          arm_goal((1 - w) * (mu0 - mu), "=", 0, extra={mu0: real(), mu: real()}),
          (arm_goal(mu0 + w * (mu - mu0) - mu, "=", (1 - w) * (mu0 - mu), extra={mu0: real(), mu: real()},
                    name="given mu_k"),
           arm_goal(((1 - w) * (mu0 - mu)).subs(mu, mu0), "=", 0, extra={mu0: real()}, name="on average")),
          "mu_k is not mu_0", ("mu-estimator/bias",))

collision("variance-of-the-mean", "Section 3.1; Appendix B",
          "Var(r-bar_k) is sigma^2/n_k in Section 3.1, given the arm mean, and sigma_0^2 + sigma^2/n_k in "
          "Appendix B, without it.",
          (r"\operatorname{Var}(\bar r_k)=\sigma^2/n_k=\sigma_0^2+\sigma^2/n_k",
           r"\operatorname{Var}(\bar r_k\mid\mu_k)=\sigma^2/n_k,\quad \operatorname{Var}(\bar r_k)="
           r"\sigma_0^2+\sigma^2/n_k"),
          arm_goal(s / n, "=", s0 + s / n),
          (arm_goal(calculus.var(direct), "=", s0 + s / n, name="without the arm mean"),
           arm_goal(calculus.var(direct) - s0, "=", s / n, name="given it")),
          "always", ("sec:estimation-1/direct-variance",))
