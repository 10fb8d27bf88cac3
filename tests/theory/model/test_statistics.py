"""Moments written as they are read: names, values against dense linear algebra, and what cannot be written."""

import numpy as np
import pytest
import sympy as sp

from theory.kernel import statement
from theory.kernel.argument import proof
from theory.kernel.goal import Goal, Rel, real
from theory.kernel.named import Named, valued
from theory.kernel.rules import instance
from theory.ledger import load
from theory.model.arms import DOMAIN, J, No, Qo, Wo, arm_goal, arm_point, n, s, s0, tau_sq, w
from theory.model.moments import W2o, w_i
from theory.model.quantities import TAU_SQ, W_ALL, W_K, ArmSum, Quantity, count_i, mu0, mu_value, weight_i
from theory.model.statistics import (
    STATISTICS,
    Cov,
    E,
    Statistic,
    Variance,
    mu_hat,
    mu_k,
    mu_tilde,
    r_ij,
    r_kj,
    rbar,
    rbar_0,
    rbar_k,
    with_own_noise,
)

COUNTS = (3, 2, 5)  # arm k is the first, the one other arm i the second
NOISE, SPREAD = 2, 3
WEIGHTS = np.array([c * SPREAD / (c * SPREAD + NOISE) for c in COUNTS])
AT = {
    **arm_point(COUNTS, NOISE, SPREAD).values,
    Qo: sum(c**2 for c in COUNTS[1:]),
    W2o: sum(sp.Rational(c * SPREAD, c * SPREAD + NOISE) ** 2 for c in COUNTS[1:]),
    w_i: sp.Rational(COUNTS[1] * SPREAD, COUNTS[1] * SPREAD + NOISE),
    mu0: sp.Integer(7),
    mu_value: sp.Integer(5),
}


def dense() -> dict[str, np.ndarray]:
    """Every statistic less mu_0 as a vector of coefficients of (offsets of the arms, noise of every reward)."""
    arms = len(COUNTS)
    offsets = np.eye(arms, arms + sum(COUNTS))
    starts = np.cumsum((arms, *COUNTS))
    rewards = [[offsets[k] + np.eye(arms + sum(COUNTS))[starts[k] + j] for j in range(COUNTS[k])] for k in range(arms)]
    means = [np.mean(r, axis=0) for r in rewards]
    common = sum(a * m for a, m in zip(WEIGHTS / WEIGHTS.sum(), means, strict=True))
    predicted = [a * m + (1 - a) * common for a, m in zip(WEIGHTS, means, strict=True)]
    return {
        "mu_hat_k": predicted[0], "mu_tilde_k": WEIGHTS[0] * means[0], "rbar_0": common, "rbar_k": means[0],
        "rbar": np.mean([x for r in rewards for x in r], axis=0), "r_kj": rewards[0][0], "r_kl": rewards[0][1],
        "mu_hat_i": predicted[1], "mu_tilde_i": WEIGHTS[1] * means[1], "rbar_i": means[1], "r_ij": rewards[1][0],
        "mu_k": offsets[0], "mu_i": offsets[1], "mu_bar": np.mean(offsets, axis=0), "delta_k": offsets[0],
        "delta_i": offsets[1],
    }  # fmt: skip


DENSE = dense()
VARIANCES = np.array([SPREAD] * len(COUNTS) + [NOISE] * sum(COUNTS))


@pytest.mark.parametrize("given", [None, mu_k], ids=str)
@pytest.mark.parametrize("first", STATISTICS)
def test_covariances_agree_with_dense_linear_algebra(first, given):
    own = np.arange(len(VARIANCES)) == 0  # given mu_k its offset is no longer random
    variances = VARIANCES if given is None else np.where(own, 0, VARIANCES)
    for second in STATISTICS:
        expected = (DENSE[first] * DENSE[second] * variances).sum()
        found = Cov(Statistic(first), Statistic(second), given=given).value.xreplace(AT)
        assert float(found) == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", STATISTICS)
def test_means_agree_with_the_coefficients(name):
    centre = 0 if name.startswith("delta") else 7
    x = Statistic(name)
    assert E(x).value.xreplace(AT) == centre
    expected = centre + DENSE[name][0] * (5 - 7)
    assert float(E(x, given=mu_k).value.xreplace(AT)) == pytest.approx(expected, rel=1e-12)
    second = float(E(x**2).value.xreplace(AT))
    assert second == pytest.approx(float(Variance(x).value.xreplace(AT)) + centre**2, rel=1e-12)


def test_the_mean_squared_error_reads_as_in_the_paper():
    load()
    printed = W_K * s / n + (1 - W_K) ** 2 * s / ArmSum(count_i * (1 - weight_i))
    error = arm_goal(E((mu_hat - mu_k) ** 2), "=", printed, name="as printed")
    found = proof(error, arm_goal(printed, "=", TAU_SQ, name="tau")).check()
    assert found.verdict == "proved"
    assert (
        r"\mathbb{E}\left[\left(\hat\mu_k - \mu_k\right)^{2}\right] = "
        r"\frac{\sigma^{2} \left(1 - w_{k}\right)^{2}}{\sum_{i} n_{i} \left(1 - w_{i}\right)} "
        r"+ \frac{\sigma^{2} w_{k}}{n_{k}} = \tau_{k}^{2}"
    ) in found.statement


@pytest.mark.parametrize(
    "wrong",
    [
        Rel(E((mu_hat - mu_k) ** 2), "=", 2 * TAU_SQ),
        Rel(E((mu_tilde - mu_k) ** 2), "=", TAU_SQ),
        Rel(E((mu_hat + mu_k) ** 2), "=", TAU_SQ),
        Rel(Variance(mu_hat), "=", TAU_SQ),
        Rel(Variance(rbar_k, given=mu_k), "=", s0 + s / n),
        Rel(Cov(mu_hat - mu_k, r_kj), "=", 0),
    ],
    ids=str,
)
def test_a_wrong_value_cannot_be_attached_to_a_name(wrong):
    domain = {**DOMAIN, mu0: real()}
    assert proof(Goal(wrong, domain, name="wrong")).check().verdict == "open"


def test_names_are_those_of_the_model_only():
    for make in (Statistic, Quantity):
        with pytest.raises(ValueError, match="must be one of"):
            make("tau")
    load()
    kinds = [Named]
    for kind in kinds:
        kinds += kind.__subclasses__()
    where = {k.__module__ for k in kinds[1:] if not k.__module__.startswith("tests.")}
    assert where
    assert all(name.startswith("theory.model.") for name in where), where


@pytest.mark.parametrize(
    ("body", "why"),
    [(mu_k**3, "degree"), (sp.exp(mu_k), "not a polynomial"), (mu_k * E(mu_hat), "not a polynomial")],
    ids=str,
)
def test_what_has_no_value_by_second_moments_is_refused(body, why):
    with pytest.raises(ValueError, match=why):
        E(body)
    with pytest.raises(ValueError, match="degree"):
        Variance(mu_k**2)
    with pytest.raises(ValueError, match="given="):
        E(mu_hat, given=rbar_k)


def test_other_parameters_reach_the_value_and_are_printed():
    weight = arm_goal(Variance(mu_tilde), "=", s0 * w, name="variance")
    once = instance(weight, {n: 1}, {s: DOMAIN[s], s0: DOMAIN[s0]}, name="one pull")
    assert once.concludes.rel.left == Variance(mu_tilde).value.xreplace({n: sp.Integer(1)})
    assert proof(once).check().verdict == "proved"
    assert r"\operatorname{Var}_{n=1}\left(\tilde\mu_k\right)" in statement.latex(once.concludes)
    twice = ArmSum(s * weight_i).xreplace({s: 2 * s})
    assert sp.simplify(valued(twice) - 2 * s * (w.xreplace({s: 2 * s}) + Wo)) == 0


def test_sums_over_arms_agree_with_sums_over_arms():
    for term in (count_i, count_i**2, weight_i, weight_i**2, count_i * (1 - weight_i), count_i**2 / weight_i):
        one_arm = sp.lambdify([count_i, weight_i], term)
        expected = sum(one_arm(c, a) for c, a in zip(COUNTS, WEIGHTS, strict=True))
        assert float(valued(ArmSum(term)).xreplace(AT)) == pytest.approx(expected, rel=1e-12)


def test_the_domain_that_is_printed_is_that_of_the_value():
    printed = statement.latex(arm_goal(Cov(mu_hat - mu_k, r_ij), "=", (1 - W_K) * s0 / W_ALL))
    assert r"\operatorname{Cov}\left(\hat\mu_k - \mu_k,r_{i,j}\right)" in printed
    assert "w_{i}" not in printed
    assert "K" not in statement.latex(arm_goal(Variance(rbar_k), "=", s0 + s / n))
    assert tau_sq.free_symbols <= Variance(rbar_0).free_symbols
    assert {J, No} <= Variance(rbar_0).free_symbols


def test_own_noise_is_refused_where_weights_do_not_determine_a_moment() -> None:
    """The average of all rewards has shares that are counts; a reward of another arm has that arm's noise."""
    for moment in (Variance(rbar), E(rbar * mu_k), Variance(r_ij), E(r_ij**2)):
        with pytest.raises(ValueError, match="weights"):
            with_own_noise(moment)
    assert with_own_noise(Cov(mu_hat, r_ij)).own_noise
