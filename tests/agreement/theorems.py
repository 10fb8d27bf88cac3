"""Theorem 2 (them-R-Bayes), its proof and the bounds it is compared with against `reucb.bounds`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import Any

from flint import acb, arb
from hypothesis import strategies as st

import reucb
from reucb import bounds
from reucb.bounds._args import setting
from reucb.bounds.gaussian import log_ratio
from tests.agreement.arms import DYADIC
from tests.agreement.registry import Code, Number, against_code, agree, exactly, hold, holds
from tests.agreement.statements import right, sides


@cache
def expected_max(arms: int) -> arb:
    """e_K exactly: the integral of 1 - Phi^K - Q^K over [0, 12], and what is left, below K times 1e-33."""
    if arms == 1:
        return arb(0)

    def integrand(x: acb, _: bool) -> acb:
        upper = (x / acb(2).sqrt()).erfc() / 2
        return 1 - (1 - upper) ** arms - upper**arms

    return acb.integral(integrand, 0, 12).real + arb(0, arms * 1e-33)


@dataclass(frozen=True)
class ExactSetting:
    """A concrete problem, as the code takes it and as the claims name it."""

    arms: int
    rounds: int
    spread: Fraction
    noise: Fraction
    a: Fraction

    @property
    def keywords(self) -> dict[str, Any]:
        return {
            "n_arms": self.arms,
            "horizon": self.rounds,
            "sigma0_sq": float(self.spread),
            "sigma_sq": float(self.noise),
            "a": float(self.a),
        }

    @cached_property
    def numbers(self) -> dict[str, arb]:
        """beta, G = log(1+mn)/log(1+m) and its parts, log n, e_K."""
        m = exactly(self.spread / self.noise)
        big, ell = (1 + m * self.rounds).log(), (1 + m).log()
        return {
            "m": m,
            "big": big,
            "ell": ell,
            "G": big / ell,
            "L": arb(self.rounds).log(),
            "beta": exactly(1 + self.noise / (self.arms * self.spread)),
            "e": expected_max(self.arms),
        }

    @property
    def named(self) -> dict[str, Number]:
        """The symbols of the claims about bounds."""
        rounds = dict.fromkeys(("n", "N", "nn", "horizon", "rounds"), self.rounds)
        return {
            "K": self.arms,
            "k": self.arms,
            **rounds,
            "s0": self.spread,
            "s": self.noise,
            "a": self.a,
            **self.numbers,
            "b": self.numbers["beta"],
        }

    def ratio(self, code: Code, rounds: int | None = None) -> arb:
        """The code's G."""
        return code(log_ratio(setting(**{**self.keywords, "horizon": rounds or self.rounds})))

    def terms(self, code: Code, bound: str = "theorem1", part: int = 1, **more: Any) -> dict[str, arb]:
        """The terms of a bound by the code."""
        found = getattr(bounds, f"{bound}_terms")(**self.keywords, part=part, strict=False, **more)
        return {name: code.bound(term) for name, term in found.items()}


def settings(data: st.DataObject, *, first: int = 1, more: bool | None = True, part: int = 1) -> ExactSetting:
    """A problem: more rounds than arms (more), at most as many (False), or either (None); a >= part."""
    arms = data.draw(st.integers(2, 9), "arms")
    low, high = {True: (arms + 1, 60), False: (2, arms), None: (2, 60)}[more]
    return ExactSetting(
        arms,
        data.draw(st.integers(max(low, first), high), "rounds"),
        data.draw(DYADIC, "spread"),
        data.draw(DYADIC, "noise"),
        part + data.draw(st.integers(0, 16), "a") * Fraction(1, 4),
    )


@against_code(
    "sec:discussion/known-mu0",
    "sec:discussion/known-mu0/round",
    "sec:discussion/known-mu0/widths",
    "sec:discussion/known-mu0/tails",
    "sec:discussion/known-mu0/long-horizons",
)
def known_mean(data: st.DataObject, code: Code) -> None:
    """The stated bounds are the code's; the widths of arms pulled in turn, mu_0 known, are below the stated sum."""
    at = settings(data)
    terms = at.terms(code, "known_mu0")
    agree(terms["total"], right("sec:discussion/known-mu0", "mu_0 known", at))
    agree(terms["total"], right("sec:discussion/known-mu0/long-horizons", "n > K", at))
    agree(terms["tail"] / 2, right("sec:discussion/known-mu0/tails", "tails", at))
    wide = arb(0)
    for t in range(at.arms, at.rounds):
        fit = reucb.blup([t // at.arms], [0.0], sigma0_sq=float(at.spread), sigma_sq=float(at.noise), mu0=0.0)
        wide += (exactly(at.a) * arb(t + 1).log() * code(fit.mse[0])).sqrt()
    holds(wide, "<=", right("sec:discussion/known-mu0/widths", "widths", at))


@against_code("them-R-Bayes/agrees-with-proof")
def tails_of_both_parts(data: st.DataObject, code: Code) -> None:
    at = settings(data, part=2)
    one, two = (at.terms(code, part=part)["tail"] for part in (1, 2))
    spread, noise, log_n = exactly(at.spread), exactly(at.noise), arb(at.rounds).log()
    unit = (2 / arb.pi() * spread * noise / (spread + noise)).sqrt() * (at.arms + noise / spread)
    agree(one, 2 * unit * arb(at.rounds).sqrt())  # sec:discussion/choice-of-a/repaired: the tails and their difference
    agree(two, unit * (1 + log_n))
    holds(one - two, ">=", unit * (1 - arb(2) ** -30))
    printed = {"ell": at.terms(code)["leading"], "T_1": one, "T_2": two}
    for name, term in printed.items():
        agree(term, sides("them-R-Bayes/agrees-with-proof", f"twice, {name}", at)[0])


@against_code("them-R-Bayes/zero-variances/repaired")
def vanishing_variances(data: st.DataObject, code: Code) -> None:
    """The code's G and blind play against the stated bounds, its last term at variances close to 0."""
    at = settings(data)
    holds(at.ratio(code), "<=", right("them-R-Bayes/zero-variances/repaired", "G is at most", at))
    random = code.bound(bounds.trivial(n_arms=at.arms, horizon=at.rounds, sigma0_sq=float(at.spread)))
    most = right("them-R-Bayes/zero-variances/repaired", "regret of arms alike", at)
    agree(at.arms * random, most)
    tiny = Fraction(1, 2**60)
    for spread, noise, power in ((at.spread, at.noise * tiny, 30), (at.spread * tiny**2, at.noise, -30)):
        other = ExactSetting(at.arms, at.rounds, spread, noise, at.a).terms(code)["tail"]
        holds(other, "<=" if power > 0 else ">=", at.terms(code)["tail"] * arb(2) ** (10 - power))


@against_code("regret-decom-upper1/repaired", "them-R-Bayes-SubR/leading/repaired", "sec:extensions/same-order")
def radicand(data: st.DataObject, code: Code) -> None:
    at = settings(data)
    leading, second = at.terms(code)["leading"], at.terms(code, "theorem2")["leading"]
    agree(leading / 2, right("regret-decom-upper1/repaired", "first term", at))
    agree(leading / 2, right("them-R-Bayes-SubR/leading/repaired", "sum of the widths", at))
    hold("sec:extensions/same-order", at.named, left={"squared ratio": (second / leading) ** 2})


@against_code("them-R-Bayes/repaired/short-horizons", "ours/e_K", "ours/e_K/steps", "sec:analysis/round-robin")
def short_horizons(data: st.DataObject, code: Code) -> None:
    at = settings(data, more=False)
    spread, many = exactly(at.spread), arb(at.arms).log()
    random = code.bound(bounds.trivial(n_arms=at.arms, horizon=at.rounds, sigma0_sq=float(at.spread)))
    agree(at.terms(code)["leading"], right("them-R-Bayes/repaired/short-horizons", "few rounds", at))
    holds(random, "<=", at.terms(code)["leading"])
    agree(random, at.rounds * spread.sqrt() * at.numbers["e"])  # sec:analysis/round-robin
    best = code.bound(bounds.expected_max(at.arms))
    agree(best, expected_max(at.arms))
    holds(best, "<=", (2 * many).sqrt())  # ours/e_K
    holds(best, "<=", (2 * arb(at.arms + 1).log()).sqrt())  # ours/e_K/steps, the first
    holds(random**2 / spread, "<=", 4 * at.arms * at.rounds * at.numbers["L"])  # and the second


@against_code(
    "regret-decom-upper-term2/repaired", "regret-decom-upper-term22/repaired", "sec:proof/third-term/repaired"
)
def tails_of_the_printed_proof(data: st.DataObject, code: Code) -> None:
    """Twice sqrt(beta) times each of them is the last term of the theorem."""
    for part, claim in ((1, "regret-decom-upper-term2/repaired"), (2, "regret-decom-upper-term22/repaired")):
        at = settings(data, part=part)
        share = at.terms(code, part=part)["tail"] / (2 * at.numbers["beta"].sqrt())
        agree(share, right(claim, "second term", at))
        agree(share, right("sec:proof/third-term/repaired", f"a >= {part}", at))


@against_code(
    "them-R-Bayes/repaired/widths",
    "sec:proof/cauchy-schwarz",
    "sec:proof/telescoping",
    "regret-decom-upper1/repaired",
)
def widths_of_round_robin(data: st.DataObject, code: Code) -> None:
    """The errors that blup gives while the arms are pulled in turn."""
    at = settings(data)
    met, later, exact = [], at.rounds - at.arms, arb(0)
    for t in range(at.arms, at.rounds):
        counts = [t // at.arms + (i < t % at.arms) for i in range(at.arms)]
        fit = reucb.blup(counts, [0.0] * at.arms, sigma0_sq=float(at.spread), sigma_sq=float(at.noise))
        arm = t % at.arms
        met.append(code(fit.mse[arm]))
        weights = [c * at.spread / (c * at.spread + at.noise) for c in counts]
        exact += exactly((1 - weights[arm]) * at.spread + (1 - weights[arm]) ** 2 * at.spread / sum(weights))
    sums = {"S1": sum((e.sqrt() for e in met), arb(0)), "S2": sum(met, arb(0))}
    agree(sums["S2"], exact)
    wide = (exactly(at.a) * at.numbers["L"]).sqrt()
    holds(wide * sums["S1"], "<=", right("them-R-Bayes/repaired/widths", "widths", at))
    holds(wide * sums["S1"], "<=", right("regret-decom-upper1/repaired", "first term", at))
    holds(sums["S1"] ** 2, "<=", later * sums["S2"])  # sec:proof/cauchy-schwarz
    known = [
        code(reucb.blup([c], [0.0], sigma0_sq=float(at.spread), sigma_sq=float(at.noise), mu0=0.0).mse[0])
        for c in (t // at.arms for t in range(at.rounds))
    ]
    most = at.arms * exactly(at.spread) * at.ratio(code)
    holds(sum(known, arb(0)), "<=", most)  # sec:proof/telescoping
