"""The policies every shared test runs over."""

from __future__ import annotations

from reucb.policies import KLUCB, UCB1, BayesUCB, BernoulliTS, GaussianTS, Policy, ReTS, ReUCB, ReUCBInf

GAUSSIAN: dict[str, Policy] = {
    "ReUCB": ReUCB(),
    "ReUCB anova": ReUCB(method="anova", a=2.0),
    "ReUCB mu0 known": ReUCB(mu0=0.5),
    "ReUCB sigma known": ReUCB(sigma_sq=0.25),
    "ReUCB sigma0 known": ReUCB(sigma0_sq=0.04, method="anova"),
    "ReUCB*": ReUCB(sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB* a=0.3": ReUCB(a=0.3, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB all known": ReUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCB first by index": ReUCB(first="index"),
    "ReUCB* first by index": ReUCB(sigma0_sq=0.04, sigma_sq=0.25, first="index"),
    "ReUCB all known, first by index": ReUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25, first="index"),
    "ReTS": ReTS(method="moments"),
    "ReTS anova": ReTS(mu0=0.5, method="anova"),
    "ReTS*": ReTS(sigma0_sq=0.04, sigma_sq=0.25),
    "ReTS all known": ReTS(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "ReUCBInf": ReUCBInf(sigma_sq=0.25),
    "UCB1": UCB1(sigma_sq=0.25),
    "GaussianTS": GaussianTS(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "BayesUCB": BayesUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25),
    "BayesUCB c=5": BayesUCB(mu0=0.5, sigma0_sq=0.04, sigma_sq=0.25, c=5.0, horizon=1000),
    "KLUCB": KLUCB(sigma_sq=0.25),
    "KLUCB c=3": KLUCB(sigma_sq=0.25, c=3.0),
}
BERNOULLI: dict[str, Policy] = {
    "BernoulliTS": BernoulliTS(),
    "BernoulliTS(9, 1)": BernoulliTS(alpha=9.0, beta=1.0),
    "BayesUCB Bernoulli": BayesUCB(),
    "BayesUCB Bernoulli(1/2, 1/2)": BayesUCB(alpha=0.5, beta=0.5, c=1.0, horizon=500),
    "KLUCB Bernoulli": KLUCB(),
    "KLUCB Bernoulli c=3": KLUCB(c=3.0),
}
POLICIES: dict[str, Policy] = GAUSSIAN | BERNOULLI


def per_arm(n_arms: int) -> ReUCB:
    """ReUCB with a noise variance of its own for every arm."""
    return ReUCB(sigma0_sq=0.04, sigma_sq=tuple(0.1 + 0.3 * (k % 4) for k in range(n_arms)))
