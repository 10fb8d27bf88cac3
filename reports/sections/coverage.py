"""What happens when an assumption of the model fails? Coverage of the intervals and regret, case by case.

Given the reward differences, (mu-hat_k - mu_k) / tau_k is exactly N(0, 1) in the Gaussian model, for a fixed arm and
for the arm about to be pulled, in every round after the first K. Each case violates one assumption of that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.stats
from scipy.special import ndtr

import reucb
from reports.core import FloatArray, plotting
from reports.core.jobs import Options, Outcome, Section, Settings, Tools, Unit
from reports.core.panel import HoverPoint, Panel, Table
from reports.core.plotting import INK, PALETTE
from reports.sections.common.bound_cells import LAWS
from reports.sections.common.bounds_budget import BUDGETS, ERROR, CoverageBudget
from reports.sections.common.trajectory import Play, Round, latent, rounds
from reucb import bounds

LEVELS = np.arange(1, 40) / 40  # levels of the quantiles that are kept
NO_WIDTH = 1e-24  # least tau^2: an estimated tau^2 of 0 gives a large, finite deviate
NORMAL, NOISE = scipy.stats.norm(1.0, 0.2), reucb.Gaussian(0.5)
TWINS = ("narrow-twin", "clipped-twin")  # Gaussian references, for comparison only
ARMS = {
    "fixed": ("a fixed arm", "o", PALETTE["blue"]),
    "chosen": ("the arm about to be pulled", "D", PALETTE["orange"]),
}


@dataclass(frozen=True)
class Case:
    """A bandit and the variances that ReUCB is given (None: estimated).

    `twin` names its Gaussian reference, the Gaussian bandit with these variances.
    """

    title: str
    prior: Any
    rewards: Any
    sigma0_sq: float | None = 0.04
    sigma_sq: float | None = 0.25
    twin: str = "exact"


def _ramp(n_arms: int) -> reucb.Gaussian:
    """Noise that differs by arm, from 0.1 to 0.5."""
    return reucb.Gaussian(tuple(np.linspace(0.1, 0.5, n_arms).tolist()))


def _student(df: float) -> Any:
    """Heavy tails with mean 1 and standard deviation 0.2."""
    return scipy.stats.t(df, 1.0, 0.2 / np.sqrt(df / (df - 2)))


def _of_law(name: str, title: str, known: bool = True) -> Case:
    law = LAWS[name]
    sigma0_sq, sigma_sq = (law.sigma0_sq, law.sigma_sq) if known else (None, None)
    return Case(title, law.bandit(2).prior, law.bandit(2).rewards, sigma0_sq, sigma_sq, f"{name}-twin")


def _twin(name: str) -> Case:
    """The Gaussian bandit with the variances of a bounded law."""
    law = LAWS[name]
    prior, noise = scipy.stats.norm(0.5, law.sigma0_sq**0.5), reucb.Gaussian(law.sigma_sq**0.5)
    return Case(f"Gaussian reference of {name}", prior, noise, law.sigma0_sq, law.sigma_sq, twin=f"{name}-twin")


CASES = {
    "exact": Case("Gaussian, variances known", NORMAL, NOISE),
    "plug-in": Case("variances estimated", NORMAL, NOISE, None, None),
    "arm-noise": Case("noise 0.1 to 0.5 by arm, given 0.5", NORMAL, _ramp),
    "uniform": Case("uniform prior", scipy.stats.uniform(1 - 0.2 * 3**0.5, 0.4 * 3**0.5), NOISE),
    "t5": Case("prior t with 5 df", _student(5), NOISE),
    "t3": Case("prior t with 3 df", _student(3), NOISE),
    "bernoulli": _of_law("narrow", "Bernoulli, means U[0.2, 0.5]"),
    "bernoulli-plug-in": _of_law("narrow", "the same, variances estimated", known=False),
    "clipped": _of_law("clipped", "clipped Gaussian"),
    "clipped-plug-in": _of_law("clipped", "the same, variances estimated", known=False),
    "narrow-twin": _twin("narrow"),
    "clipped-twin": _twin("clipped"),
}


def case_settings(coverage: CoverageBudget, seed: int) -> list[dict[str, Any]]:
    """Settings of the cases."""
    shared = {"n_arms": coverage.n_arms, "a": coverage.a, "rounds": list(coverage.rounds)}
    return [{"case": name, **shared, "runs": coverage.runs, "seed": seed} for name in CASES]


def run(settings: Settings, tools: Tools) -> Outcome:
    """Standardised errors of arm 1 and of the chosen arm at the rounds, and the regret of every run at the
    last.
    """
    case = CASES[settings["case"]]
    law = case.rewards(settings["n_arms"]) if callable(case.rewards) else case.rewards
    bandit = reucb.Bandit(settings["n_arms"], case.prior, law)
    play = Play(
        bandit, max(settings["rounds"]), 0, settings["runs"], settings["seed"], settings["a"], case.sigma0_sq,
        case.sigma_sq,
    )  # fmt: skip
    mu = bandit.true_means(latent(play))
    every, best = np.arange(play.runs), mu.max(axis=1)
    regret = (best[:, None] - mu).sum(axis=1)
    seen = []
    for now in rounds(play):
        if now.t in settings["rounds"]:
            seen.append({"round": now.t} | _look(now, mu))
        regret += best - mu[every, now.choice]
    random = settings["rounds"][-1] * float((best - mu.mean(axis=1)).mean())
    spread = regret.std(ddof=1) / len(regret) ** 0.5
    return {"rounds": seen, "regret": regret.mean(), "stderr": spread, "random": random}


def _look(now: Round, mu: FloatArray) -> dict[str, Any]:
    """Coverage and the law of the standardised error in one round, for arm 1 and for the arm about to be pulled."""
    error = now.fit.mu - mu
    deviate = error / np.sqrt(np.maximum(now.fit.mse, NO_WIDTH))
    covered = np.abs(error) <= now.width
    arms = {"fixed": np.zeros_like(now.choice), "chosen": now.choice}
    every, found = np.arange(len(mu)), {"covered_all": covered.all(axis=1).mean()}
    for which, arm in arms.items():
        found[f"covered_{which}"] = covered[every, arm].mean()
        found[f"distance_{which}"] = scipy.stats.kstest(deviate[every, arm], "norm").statistic
        found[f"quantiles_{which}"] = np.quantile(deviate[every, arm], LEVELS)
    return found


def critical(runs: int, error: float) -> float:
    """The distance that is exceeded with probability `error` if the deviates are independent N(0, 1)."""
    return float(scipy.stats.kstwo.isf(error, runs))


def units(options: Options) -> list[Unit]:
    return [Unit(run, case) for case in case_settings(BUDGETS[options.budget].coverage, options.seed)]


def analyse(options: Options, outcomes: Sequence[Outcome]) -> list[Panel]:
    settings = [unit.settings for unit in units(options)]
    every = [row for pair in zip(settings, outcomes, strict=True) for row in records(*pair)]
    shares = {row["case"]: row["regret"] / row["random"] for row in every}
    rows = [row | {"share": shares[row["case"]], "share_twin": shares[CASES[row["case"]].twin]}
            for row in every if row["case"] not in TWINS]  # fmt: skip
    limit = critical(settings[0]["runs"], ERROR / (2 * len(rows)))
    rows = [row | {"differs": max(row["distance_fixed"], row["distance_chosen"]) > limit} for row in rows]
    last = [row for row in rows if row["round"] == settings[0]["rounds"][-1]]
    shared = f"K = {settings[0]['n_arms']}, a = {settings[0]['a']:g}, round {last[0]['round']}"
    title = f"Violated assumptions: {shared}"
    svg, points = _draw("bounds-coverage", title, last, limit)
    command = options.command("bounds-coverage")
    wrong = [row for row in rows if row["case"] == "exact" and row["differs"]]
    panel = Panel(
        id="bounds-coverage",
        title=title,
        finding=_finding(last),
        svg=svg,
        points=tuple(points),
        table=Table.of(rows),
        data={"rows": rows, "critical_distance": limit,
              "cases": [{"settings": s, "outcome": o} for s, o in zip(settings, outcomes, strict=True)]},
        notes=_notes(settings[0]["runs"], limit, 2 * len(rows)),
        reproduce=command,
        alerts=tuple(f"the error is not N(0, 1) in round {r['round']}; reproduce: {command}" for r in wrong),
    )  # fmt: skip
    return [panel]


def _notes(runs: int, limit: float, comparisons: int) -> tuple[str, ...]:
    return (
        f"{runs:,} runs of ReUCB in each case. Theory: the standardised error is N(0, 1) for a fixed arm and for the "
        "arm "
        "about to be pulled; then mu-hat ± c misses with probability 2 (1 - Φ(√(a log t))).",
        f"A Kolmogorov-Smirnov distance above {limit:.3f} has probability {ERROR:g} over all {comparisons} comparisons "
        "(cases, rounds and arms) together if all errors are N(0, 1).",
        "Regret is given as a share of random play; the Gaussian reference is the Gaussian bandit with the variances "
        "that ReUCB is given.",
    )


def records(settings: Settings, outcome: Outcome) -> list[dict[str, Any]]:
    """One row per round of a case."""
    case = CASES[settings["case"]]
    rows = []
    for seen in outcome["rounds"]:
        nominal = float(2 * ndtr(-np.sqrt(settings["a"] * np.log(seen["round"]))))
        row: dict[str, Any] = {
            "case": settings["case"],
            "what": case.title,
            "round": seen["round"],
            "nominal_miss": nominal,
        }
        for which in ARMS:
            row[f"miss_{which}"] = 1 - seen[f"covered_{which}"]
            row[f"distance_{which}"] = seen[f"distance_{which}"]
        row |= {"miss_any": 1 - seen["covered_all"], "regret": outcome["regret"], "stderr": outcome["stderr"]}
        rows.append(row | {"random": outcome["random"], "sharp": _sharp(settings, case), "runs": settings["runs"]})
    return rows


def _sharp(settings: Settings, case: Case) -> float | None:
    """The sharp bound with the variances ReUCB was given, whether or not it applies."""
    if case.sigma0_sq is None:
        return None
    known = {"sigma0_sq": case.sigma0_sq, "sigma_sq": case.sigma_sq}
    return float(
        np.asarray(bounds.sharp(n_arms=settings["n_arms"], horizon=settings["rounds"][-1], a=settings["a"], **known))
    )


def _finding(rows: Sequence[dict[str, Any]]) -> str:
    others = [row for row in rows if row["case"] != "exact"]
    ratios = [row["share"] / row["share_twin"] for row in others]
    over = sum(row["sharp"] is not None and row["regret"] > row["sharp"] for row in rows)
    known = "is not" if rows[0]["differs"] else "is"
    return (
        f"With Gaussian rewards and known variances the standardised error {known} N(0, 1). In the {len(others)} "
        f"other cases this law is rejected {sum(row['differs'] for row in others)} times, and the regret as a share of "
        f"random play is {min(ratios):.2f} to {max(ratios):.2f} times that of the Gaussian reference. The regret "
        f"is above the sharp bound in {over} cases."
    )


def _draw(name: str, title: str, rows: Sequence[dict[str, Any]], limit: float) -> tuple[str, list[HoverPoint]]:
    with plotting.figure(8.6, 1.5 + 0.3 * len(rows)) as fig:
        miss, law, cost = fig.subplots(1, 3, sharey=True)
        y = list(range(len(rows)))
        drawn = [*_errors(miss, law, rows, y, limit), *_regret(cost, rows, y)]
        miss.set(ylim=(len(rows) - 0.5, -0.5))
        miss.set_yticks(y, [row["what"] for row in rows])
        for axes in (miss, law, cost):
            axes.tick_params(axis="y", length=0)
            axes.spines["left"].set_visible(False)
        fig.legend(loc="outside upper right", ncols=4)
        points = [point for axes, x, labels in drawn for point in plotting.points(axes, x, y, labels)]
        return plotting.to_svg(fig, name, title), points


Drawn = tuple[Any, list[float], list[str]]  # axes, x, labels


def _errors(miss: Any, law: Any, rows: Sequence[dict[str, Any]], y: list[int], limit: float) -> Iterator[Drawn]:
    """How often mu-hat +- c misses, and how far the standardised error is from N(0, 1)."""
    miss.set(xscale="log", xlabel="misses / nominal")
    miss.axvline(1, color=INK, lw=1)
    law.axvspan(0, limit, color=PALETTE["grey"], alpha=0.2, lw=0)
    law.set(xlabel="distance from N(0, 1)\n(shaded: not rejected)")
    for which, (text, marker, colour) in ARMS.items():
        rates = [max(row[f"miss_{which}"], 0.5 / row["runs"]) / row["nominal_miss"] for row in rows]
        far = [row[f"distance_{which}"] for row in rows]
        miss.plot(rates, y, marker, color=colour, ms=6, label=text)
        law.plot(far, y, marker, color=colour, ms=6)
        missed = [f"misses {row[f'miss_{which}']:.2%}, nominal {row['nominal_miss']:.2%}" for row in rows]
        heads = [f"{row['what']}, {text}" for row in rows]
        yield miss, rates, [f"{head}: {tail}" for head, tail in zip(heads, missed, strict=True)]
        yield law, far, [f"{head}: distance {value:.3f}" for head, value in zip(heads, far, strict=True)]
    law.set_xlim(0)


def _regret(cost: Any, rows: Sequence[dict[str, Any]], y: list[int]) -> Iterator[Drawn]:
    """Regret as a share of random play's, beside the Gaussian reference."""
    cost.set(xlabel="regret / random play")
    share, twin = [row["share"] for row in rows], [row["share_twin"] for row in rows]
    half = [1.96 * row["stderr"] / row["random"] for row in rows]
    cost.plot(twin, y, "|", color=INK, ms=13, mew=1.6, label="Gaussian reference")
    cost.errorbar(share, y, xerr=half, fmt="s", color=PALETTE["green"], ms=5, label="regret")
    cost.set_xlim(0, max(share + twin) * 1.15)
    yield cost, share, [f"{row['what']}: {row['share']:.1%}, reference {row['share_twin']:.1%}" for row in rows]


SECTIONS = (Section("bounds-coverage", "Violated assumptions", "bounds", units, analyse),)
