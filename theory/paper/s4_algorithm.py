"""Section 4 (`sec:algorithm`): the algorithm as printed, and what is said of its relatives."""

import sympy as sp

from theory.effects import predicted
from theory.kernel.analysis import rises_from
from theory.kernel.argument import proof, refuted
from theory.kernel.claim import claim
from theory.kernel.goal import Goal, Rel, Var, at_least, positive, real
from theory.vocabulary import V0, J, W, Wo, arm_goal, n, rho, s, s0, tau_sq, tau_tilde_sq, w

HERE = "Section 4"
ALG = f"{HERE}, Algorithm alg:arm-ucb"
a, h, K, r, t, T, x = sp.symbols("a h K r t T x")
COUNTS = {K: at_least(1, integer=True), t: at_least(1, integer=True), T: at_least(1, integer=True)}


@claim("alg:arm-ucb", where=ALG, kind="algorithm", depends_on=("blup", "MSE"),
       says=r"\text{in every round } t\ge 1 \text{ each arm has been pulled, so that } U_{k,t} \text{ (which "
            r"divides by } n_{k,t}"
            r"\text{) is defined}")
def every_index_defined():
    """The indices are computed at the top of every round, the first K included, where arm K has no pull to
    divide by."""
    pulls = t - K  # of arm K before round t, for t = K + 1; before that it has none
    return refuted(Goal(Rel(pulls, ">", 0), COUNTS, (Rel(t, "<=", K + 1),), "pulls of arm K"),
                   fails_iff=Rel(t, "<=", K),
                   fails_when="t <= K: the arms t, ..., K are not pulled yet")


@claim("alg:arm-ucb/repaired", where=ALG, kind="algorithm", repairs="alg:arm-ucb",
       depends_on=("MSE", "w-def/unpulled"),
       says=r"\text{after each arm's first pull (} t>K\text{): } n_k,\ n_k\sigma_0^2+\sigma^2,\ "
            r"\textstyle\sum_iw_i,\ \tau_k^2>0;"
            r" \text{ an unpulled arm has } \hat\mu_k=\bar r_0,\ \tau_k^2=\sigma_0^2+\sigma_0^2/W")
def index_after_initialisation():
    """Computed from round K + 1 on, every divisor is positive. Written in weights, the index even exists from
    round 2 on: an unpulled arm is predicted by the common mean."""
    some = {J: at_least(1, integer=True)}
    return proof(arm_goal(n * s0 + s, ">", 0, name="divisor of the weight"),
                 arm_goal(W, ">", 0, name="divisor of the common mean"),
                 arm_goal(tau_sq, ">", 0, name="squared width"),
                 arm_goal(tau_sq.subs(n, 0), "=", s0 + V0.subs(n, 0), extra=some,
                          name="width of an unpulled arm"),
                 arm_goal(predicted.own_noise.subs(n, 0), "=", 0, extra=some, name="its own weight"))


@claim("alg:arm-ucb/first-round", where=ALG, kind="algorithm", depends_on=("r0-estimator",),
       says=r"\sum_i(1-w_{i,t})n_{i,t}>0 \text{ in every round } 1\le t\le K+1")
def common_mean_in_the_first_round():
    """Before the first pull there is no reward at all, and the estimate of mu_0 is 0/0 for every arm."""
    pulled_once = (t - 1) * s / (s0 + s)  # each pulled arm adds (1-w) n with n = 1
    domain = {**COUNTS, s: positive(), s0: positive()}
    return refuted(Goal(Rel(pulled_once, ">", 0), domain, name="weights of the common mean"),
                   fails_iff=Rel(t, "<=", 1),
                   fails_when="t = 1")


@claim("alg:arm-ucb/first-round/repaired", where=ALG, kind="algorithm", repairs="alg:arm-ucb/first-round",
       depends_on=("r0-estimator",),
       says=r"\sum_i(1-w_{i,t})n_{i,t}=\tfrac{\sigma^2}{\sigma_0^2}\sum_iw_{i,t}>0 \text{ from round 2 on}")
def common_mean_from_round_two():
    """One pulled arm is enough for an estimate of mu_0."""
    return proof(arm_goal(n * (1 - w) + rho * Wo, "=", rho * W, name="divisor"),
                 arm_goal(rho * W, ">", 0, name="positive"))


@claim("alg:arm-ucb/each-arm-once", where=ALG, kind="algorithm",
       says=r"\text{the initial rounds pull every arm: } \min(n,K)=K \text{ (horizon } n\text{)}")
def every_arm_is_pulled():
    """Nothing says that the horizon is at least K; with fewer rounds some arms are never pulled."""
    return refuted(Goal(Rel(T, ">=", K), COUNTS, name="rounds against arms"), fails_iff=Rel(T, "<", K),
                   fails_when="the horizon n is below K")


@claim("alg:arm-ucb/each-arm-once/repaired", where=ALG, kind="algorithm", repairs="alg:arm-ucb/each-arm-once",
       says=r"n\ge K:\ n_{k,t}\ge 1 \text{ for all } k \text{ and all } t>K,\quad \sum_k(n_{k,t}-1)=t-1-K\ge 0")
def every_arm_is_pulled_if_time():
    """With a horizon of at least K every count is positive from round K + 1 on, which the lemmas need."""
    return proof(Goal(Rel(t - 1 - K, ">=", 0), COUNTS, (Rel(t, ">", K), Rel(t, ">=", K + 1)),
                      "pulls beyond the first"),
                 Goal(Rel(T, ">=", K), COUNTS, (Rel(T, ">=", t), Rel(t, ">=", K)),
                      "the initial rounds end in time"))


@claim("alg:arm-ucb/estimated-variances", where=ALG, kind="algorithm",
       depends_on=("variance1", "variance2", "w-def"),
       says=r"\hat\sigma_0^2+\hat\sigma^2/n_k>0, \text{ so that } w_k \text{ is defined with estimated "
            r"variances}")
def weights_from_estimates():
    """If all rewards so far are equal, as happens with Bernoulli rewards, both estimates are 0 and every weight
    is 0/0."""
    domain = {s: at_least(0), s0: at_least(0), n: at_least(1, integer=True)}
    return refuted(Goal(Rel(s0 + s / n, ">", 0), domain, name="divisor of the weight"),
                   fails_iff=Rel(s0 + s, "<=", 0),
                   fails_when="both estimates are 0: all rewards so far are equal")


@claim("alg:arm-ucb/estimated-variances/repaired", where=ALG, kind="algorithm",
       repairs="alg:arm-ucb/estimated-variances",
       says=r"\hat\sigma_0^2+\hat\sigma^2>0 \Rightarrow \hat\sigma_0^2+\hat\sigma^2/n_k>0; \text{ else any } "
            r"w\in[0,1] \text{ gives }"
            r" \hat\mu_k=\bar r_k")
def any_weight_will_do():
    """Unless both estimates vanish the weight is defined; if they do, all sample means agree and the weight
    does not matter."""
    domain = {s: at_least(0), s0: at_least(0), n: at_least(1, integer=True)}
    return proof(Goal(Rel(s0 + s / n, ">", 0), domain, (Rel(s0 + s, ">", 0),), "defined"),
                 Goal(Rel((1 - x) * r + x * r, "=", r), {x: real(), r: real()}, name="equal means, any weight"))


@claim("sec:algorithm/bonus", where=HERE, kind="definition", depends_on=("MSE",),
       says=r"c_{k,t}=\sqrt{a\tau_{k,t}^2\log t} \text{ is real; it is } 0 \text{ at } t=1")
def bonus_is_real():
    """log t is 0 in the first round and grows from there, so the bonus is defined wherever the width is."""
    rounds = {t: at_least(1)}
    return proof(*rises_from(sp.log(t), t, sp.Integer(1), rounds, "log t"),
                 Goal(Rel(sp.log(t).subs(t, 1), "=", 0), {}, name="first round"))


@claim("sec:algorithm/known-mean", where=HERE, kind="prose", depends_on=("MSE-term1", "MSE"),
       says=r"\mu_0 \text{ known: } \tilde\tau_k^2<\tau_k^2, \text{ and } \tau_k^2\to\tilde\tau_k^2 \text{ as "
            r"} W\to\infty")
def variant_with_known_mean():
    """With mu_0 known the two replacements narrow every interval; with many arms they make little
    difference."""
    return proof(arm_goal(tau_tilde_sq, "<", tau_sq, name="narrower"),
                 arm_goal(tau_sq - tau_tilde_sq, "<=", s0 / W, name="difference"))


@claim("sec:algorithm/a-positive", where=HERE, kind="definition", depends_on=("MSE",),
       says=r"a\tau_k^2 \text{ rises in } a>0: \text{ larger } a \text{ explores more}")
def tuning():
    """The tuning parameter scales the squared bonus; any positive value is admitted by the algorithm."""
    return proof(arm_goal(a * tau_sq, "<", (a + h) * tau_sq,
                          extra={a: Var(sp.Integer(0), strict=True), h: positive()}))
