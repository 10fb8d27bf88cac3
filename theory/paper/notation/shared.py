"""Symbols that the paper uses for two things, each use right by itself: that is no error, and `shared` enters one
proved claim, that the two things differ. Where the second use is printed as an equation: `notation_clash`."""

import sympy as sp

from theory.kernel.argument import Item, proof
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, at_least, positive, real
from theory.model.arms import V0, J, K, No, W, Wo, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w
from theory.model.effects import arm_mean, calculus, common, direct
from theory.model.matrices import Span

c, mu, mu0, q, t, horizon = sp.symbols("c mu mu0 q t horizon")


def shared(name: str, where: str, why: str, says: str, *differ: Item, depends_on: tuple[str, ...] = ()) -> None:
    """Enter `notation/name`: two different things share the symbol."""

    def two_things():
        return proof(*differ)

    two_things.__doc__ = why
    claim(f"notation/{name}", where=where, kind="notation", says=says, depends_on=depends_on)(two_things)


shared(
    "a",
    "Section 3.1; Section 4",
    "a is the coefficient of Section 3.1, whose best value is w_k < 1, and the tuning constant of the algorithm, "
    "for which bounds are proved when a >= 1: no value serves as both.",
    r"a \text{ is used for two things: the coefficient of Eq. mse-a, best at } w_k<1, \text{ and the constant }"
    r" a\ge 1 \text{ of the index}",
    arm_goal(w, "<", 1, name="best coefficient, below every admitted constant"),
    arm_goal(sp.Derivative(c**2 * s / n + (1 - c) ** 2 * s0, c).subs(c, w), "=", 0, name="it is the best"),
    depends_on=("w-def",),
)

BY_ROOT = {s: K * q**2 * s0}  # q = sigma/(sigma_0 sqrt K)
ROOTS = {J: at_least(0, integer=True), q: positive(), s0: positive()}
M1, M2 = ((s0 / s).subs(BY_ROOT), ((1 + q) ** 2 / (1 + s0 / (K * (s0 + s)))).subs(BY_ROOT))
shared(
    "m",
    "Section 5.2; Appendix G",
    "m is sigma_0^2/sigma^2 in the bound on x/log(1+x) and another function of both variances and K in Theorem "
    "them-R-Bayes-SubR: where the noise is at least the spread the first is at most 1 and the second above it.",
    r"m \text{ is used for two things: } m_1=\sigma_0^2/\sigma^2 \text{ and } m_2=\frac{(1+K^{-1/2}\sigma/\sigma_0)^"
    r"2}{1+\sigma_0^2/(K(\sigma_0^2+\sigma^2))};\ m_1\le 1<m_2 \text{ if } \sigma^2\ge\sigma_0^2",
    Goal(Rel(M1, "<=", 1), ROOTS, (Rel(K * q**2, ">=", 1),), "the first m"),
    Goal(Rel(M2, ">", 1), ROOTS, (Rel(K * q**2, ">=", 1),), "the second m"),
    depends_on=("sec:proof/x-over-log",),
)

shared(
    "delta",
    "Section 2; Section 5.2",
    "delta_k is the random offset of arm k and delta_t = t^(-a/2) the confidence level of round t; an index is all "
    "that tells them apart.",
    r"\delta \text{ is used for two things: the offset } \delta_k \text{ with } E\delta_k^2=\sigma_0^2, \text{ and "
    r"the level } \delta_t=t^{-a/2}\in(0,1]",
    Goal(Rel(1 / t, ">", 0), {t: at_least(1, integer=True)}, name="a level is positive (here a = 2)"),
    Goal(Rel(1 / t, "<=", 1), {t: at_least(1, integer=True)}, name="and at most 1"),
    arm_goal(calculus.var(direct) - s / n, "=", s0, name="an offset has variance sigma_0^2"),
    depends_on=("payoff-M1", "confidence-C"),
)

shared(
    "k",
    "Section 3.2, Eq. MSE",
    "k is the arm whose error is stated and the index of the sum in the same formula, which is a sum over all arms "
    "and not K times the term of arm k.",
    r"k \text{ is used for two things in Eq. MSE: the arm, and the index of } \sum_in_i(1-w_i)=n_k(1-w_k)"
    r"+\sum_{i\ne k}n_i(1-w_i)=\tfrac{\sigma^2}{\sigma_0^2}W",
    arm_goal(n * (1 - w) + rho * Wo, "=", rho * W, name="the sum over all arms"),
    arm_goal(rho * W - K * n * (1 - w), "=", rho * (Wo - J * w), name="it is not K equal terms"),
    depends_on=("MSE",),
)

shared(
    "tau",
    "Appendix H",
    "tau^2 is the proxy of the second of two variables in the facts, which are then applied with (1-w_k)^2 "
    "Var(r0-bar) in its place, and tau_k^2 the mean squared error, which is the whole.",
    r"\tau^2 \text{ is used for two things: the proxy of } Y, \text{ applied as } (1-w_k)^2\operatorname{Var}"
    r"(\bar r_0), \text{ and } \tau_k^2=\tilde\tau_k^2+(1-w_k)^2\operatorname{Var}(\bar r_0), "
    r"\text{ which is larger}",
    arm_goal(w * s / n + (1 - w) ** 2 * calculus.var(common), "=", tau_sq, name="the whole and its parts"),
    arm_goal((1 - w) ** 2 * calculus.var(common), "<", tau_sq, name="the part is smaller"),
    depends_on=("sec:fact/2",),
)

shared(
    "mixture",
    "Appendix F, Lemma sec:mu0Dist",
    "The identity of the proof is written with a, b, mu and sigma^2; it is applied with 1-w_k, w_k r-bar_k, r0-bar "
    "and tilde-tau_k^2, so that its sigma^2 is smaller than the noise variance of that name.",
    r"a,b,\mu,\sigma^2 \text{ are used for two things: in the identity they stand for } 1-w_k,\ w_k\bar r_k,"
    r"\ \bar r_0,\ \tilde\tau_k^2<\sigma^2",
    arm_goal((1 - w) ** 2 * V0 + tau_tilde_sq, "=", tau_sq, name="its variance is tau_k^2"),
    arm_goal(tau_tilde_sq, "<", s, name="its sigma^2 is smaller than the noise variance"),
    depends_on=("sec:mu0Dist/mixture",),
)

shared(
    "noise-law",
    "Section 2; Appendix A",
    "The law of rewards is written with a superscript and the mean mu_k in Section 2 and with a subscript and mean "
    "0 in Appendix A: the second is the first moved by mu_k, with the same variance.",
    r"P \text{ has two spellings: } r_{k,j}\sim P^{(r)}(\mu_k,\sigma^2) \text{ and } e_{k,j}=r_{k,j}-\mu_k\sim"
    r" P_r(0,\sigma^2), \text{ of variances } \sigma_0^2+\sigma^2 \text{ and } \sigma^2",
    arm_goal(calculus.var(direct - arm_mean), "=", s / n, name="variance of the noise, averaged over n pulls"),
    arm_goal(calculus.var(direct - arm_mean), "<", calculus.var(direct), name="smaller than the rewards'"),
    arm_goal(calculus.var(direct) - calculus.var(direct - arm_mean), "=", s0, name="the arm mean is what differs"),
    depends_on=("payoff-R",),
)

shared(
    "unbiased",
    "Section 3.1",
    "The predictor is called linear unbiased and, a few lines later, biased: the first averages over the arm mean, "
    "the second is given the arm mean.",
    r"\text{unbiased has two meanings: } E[\tilde\mu_k-\mu_k]=0, \text{ and } E[\tilde\mu_k-\mu_k\mid\mu_k]="
    r"(1-w_k)(\mu_0-\mu_k)",
    arm_goal(mu0 + w * (mu - mu0) - mu, "=", (1 - w) * (mu0 - mu), extra={mu0: real(), mu: real()}, name="given mu_k"),
    arm_goal(((1 - w) * (mu0 - mu)).subs(mu, mu0), "=", 0, extra={mu0: real()}, name="on average"),
    depends_on=("mu-estimator/bias",),
)

PULLS = {n: at_least(1, integer=True), No: at_least(0, integer=True), horizon: at_least(1, integer=True)}
shared(
    "n",
    "Section 2; Section 6",
    "n is the horizon, n_k the number of pulls of an arm and, in the captions of the figures, n is any round up to "
    "the horizon; a count is below the horizon as soon as another arm has been pulled.",
    r"n \text{ is used for three things: the horizon, a round in the captions, and, indexed, a count } n_k;"
    r"\ n_k<n \text{ once another arm was pulled}",
    Goal(Rel(n, "<", horizon), PULLS, (Rel(No, ">=", 1), Rel(n + No, "<=", horizon)), "a count and the horizon"),
    depends_on=("sec:setting/counts",),
)

shared(
    "facts",
    "Appendix H; Section 3",
    "In the facts a is any factor and sigma^2 any proxy; they are applied with w_k and 1 - w_k for a, below every "
    "admitted tuning constant a, and with sigma^2/n_k for sigma^2: the result is smaller than the noise variance.",
    r"a,\sigma^2 \text{ are used for two things: the factor and the proxy of } X \text{ in the facts, applied as } "
    r"w_k<1 \text{ and } \sigma^2/n_k, \text{ and the constant } a\ge 1 \text{ and the noise variance}",
    arm_goal(w, "<", 1, name="the factor, below every admitted constant"),
    arm_goal(w**2 * (s / n), "<", s, name="the proxy of w_k times an average, below the noise variance"),
    depends_on=("sec:fact/1",),
)

shared(
    "tau-star",
    "Appendix G, Lemma lemma:tauTotau",
    "The numerator has the round t, the denominator has not. Both are meant at the same counts: with one pull more "
    "the proxy is smaller, and the ratio of widths of different rounds is another number.",
    r"\tau_k^{*2} \text{ without a round: } \tau_{k,t}^2/\tau_k^{*2} \text{ means the counts of round } t \text{ in "
    r"both; } \tilde\tau_k^2 \text{ and } (1-w_k)/W \text{ fall with every pull of arm } k",
    arm_goal(tau_tilde_sq.subs(n, n + 1), "<", tau_tilde_sq, name="the factor outside falls"),
    arm_goal(((1 - w) / W).subs(n, n + 1), "<", (1 - w) / W, name="and so does u"),
    depends_on=("tau_SG",),
)

shared(
    "I",
    "Section 2; Appendix A",
    "I_t and I_* are arms, numbers between 1 and K, and the bold I_k is the identity matrix of the n_k rewards of "
    "arm k, whose trace n_k may exceed any number of an arm.",
    r"I \text{ is used for two things: the arms } I_t,I_*\le K, \text{ and the matrix } \mathbf I_k \text{ with } "
    r"\mathbf V_k\mathbf I_k=\mathbf V_k \text{ and trace } n_k",
    arm_goal((Span(s, s0, n) @ Span(sp.Integer(1), sp.Integer(0), n)).on_ones, "=", s0, name="times V_k: on 11^T"),
    arm_goal((Span(s, s0, n) @ Span(sp.Integer(1), sp.Integer(0), n)).on_identity, "=", s, name="times V_k: on I"),
    arm_goal(n, ">", K, given=(Rel(n, ">=", K + 1),), name="a trace above every arm"),
    depends_on=("sec:r0-estimator",),
)
