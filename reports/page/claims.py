"""Claims as the page shows them: sections, anchors, counterexamples with both sides, repairs, users of a claim."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from reports.page.typesetting import formula, mathml

Claim = Mapping[str, Any]
LONGEST = 160  # characters of a certificate or of one side's formula that are shown
VERDICTS = {
    "proved": "true as printed, for every admissible value",
    "refuted": "false as printed: an exact counterexample",
    "gap": "the printed argument does not prove it",
    "misprint": "wrong as printed, the intended statement is proved",
    "supported": "numerical or statistical evidence only",
    "open": "not decided; the entry says what is missing",
}
LEVELS = {
    "kernel": "the statement is a theorem checked by Coq",
    "engines": "two independent engines agree",
    "argued": "a step, of the claim or of one that it uses, is a cited classical theorem",
}
PARAMETERS = {
    "n": "n",
    "sigma_sq": r"\sigma^2",
    "sigma0_sq": r"\sigma_0^2",
    "s": r"\sigma^2",
    "s0": r"\sigma_0^2",
    "sigmahat": r"\hat\sigma",
    "sigmahat_sq": r"\hat\sigma^2",
    "sigmahat0_sq": r"\hat\sigma_0^2",
    "rbar": r"\bar r",
    "r0bar": r"\bar r_0",
    "1/lambda": r"1/\lambda",
    "lam": r"\lambda",
    "mu0": r"\mu_0",
    "rho": r"\rho",
    "beta": r"\beta",
    "alpha": r"\alpha",
    "eta": r"\eta",
    "mu": r"\mu",
    "tau": r"\tau",
    "sigma": r"\sigma",
    "sigma0": r"\sigma_0",
    "delta": r"\delta",
    "theta": r"\theta",
}
TITLES = {
    "Section 1": "introduction",
    "Section 2": "the model",
    "Section 3": "estimation",
    "Section 3.1": "μ₀ known",
    "Section 3.2": "μ₀ unknown",
    "Section 4": "the algorithm",
    "Section 4.1": "related designs",
    "Section 5": "regret",
    "Section 5.1": "discussion",
    "Section 5.2": "proof of the main theorem",
    "Section 6": "synthetic experiments",
    "Section 6.1": "Gaussian",
    "Section 6.2": "Bernoulli",
    "Section 6.3": "misspecified",
    "Section 7": "real data",
    "Section 8": "conclusions",
    "Appendix A": "GLS estimate of μ₀",
    "Appendix B": "mean squared error",
    "Appendix C": "the proposition",
    "Appendix D": "variance estimates",
    "Appendix E": "varying noise",
    "Appendix F": "lemmas",
    "Appendix G": "sub-Gaussian rewards",
    "Appendix H": "facts",
    "Appendix I": "more experiments",
}
APPENDIX = {"sec:lemma": "F", "sec:extensions": "G", "sec:fact": "H", "sec:add-exp": "I", "sec:varying": "E"}
# Fields that a ledger may lack.
OPTIONAL: Claim = {"assumes": (), "laws": (), "laws_itself": (), "items": (), "coq_model": ()} | dict.fromkeys(
    ("level", "number", "line", "cause", "cause_text", "severity", "missing")
)
SIGNS = {"<=": "≤", "<": "<", ">=": "≥", ">": ">", "=": "="}
BROKEN = {"<=": ">", "<": "≥", ">=": "<", ">": "≤", "=": "≠"}


@dataclass(frozen=True)
class Quantity:
    """One number of a counterexample: its name, exact value and decimals."""

    name: Markup
    exact: Markup
    decimal: str


@dataclass(frozen=True)
class Example:
    """A counterexample: where it is, and the two sides there."""

    at: tuple[Quantity, ...]
    left: Quantity | None
    right: Quantity | None
    claimed: str
    found: str


@dataclass(frozen=True)
class View:
    """One claim, ready for the template."""

    raw: Claim
    anchor: str
    section: str
    name: str  # "Lemma 8, sec:tau2", or the label alone
    says: Markup
    region: Markup | None
    example: Example | None
    used_by: tuple[str, ...]
    engines: tuple[str, ...]
    evidence: tuple[Mapping[str, str], ...]
    symbols: tuple[tuple[str, str], ...]  # names in the evidence and how readers write them

    @property
    def short(self) -> str:
        """The first sentence of the reason."""
        return re.split(r"(?<=[a-z0-9)]\.) (?=[A-Z])", self.raw["why"])[0]

    @property
    def defect(self) -> bool:
        """Whether the claim is printed in the paper and does not hold as printed."""
        return bool(self.raw["verdict"] in ("refuted", "gap", "misprint") and self.raw["by"] == "paper")


def views(claims: Sequence[Claim]) -> dict[str, View]:
    """All claims by id, in ledger order."""
    anchors = anchors_of([c["id"] for c in claims])
    users: dict[str, list[str]] = {}
    for c in claims:
        for name in c["depends_on"]:
            users.setdefault(name, []).append(c["id"])
    return {c["id"]: _view(c, anchors[c["id"]], tuple(users.get(c["id"], ()))) for c in claims}


def _view(c: Claim, anchor: str, used_by: tuple[str, ...]) -> View:
    evidence = tuple(
        {
            "engine": e["engine"],
            "check": e["check"],
            "outcome": e["outcome"],
            "certificate": shorten(e.get("certificate") or ""),
        }
        for e in c["evidence"]
    )
    engines = tuple(dict.fromkeys(e["engine"] for e in evidence))
    name = ", ".join(filter(None, (c.get("number"), c["id"])))
    says = mathml(c.get("statement") or c["says"])
    place = c.get("section") or section(c["where"])
    symbols = tuple(dict.fromkeys(pair for item in c.get("items", ()) for pair in item.get("symbols", {}).items()))
    return View(
        {**OPTIONAL, **c}, anchor, place, name, says, region(c), example(c), used_by, engines, evidence, symbols
    )


def region(c: Claim) -> Markup | None:
    """Where exactly the claim fails, as mathematics; None if that is not known or too long to read."""
    tex = c.get("region_tex")
    return mathml(tex) if tex and len(tex) <= LONGEST else None


def anchors_of(ids: Sequence[str]) -> dict[str, str]:
    """A link target for each id, letters and hyphens only, all different."""
    seen: Counter[str] = Counter()
    anchors = {}
    for name in ids:
        slug = "claim-" + (re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-") or "unnamed")
        seen[slug] += 1
        anchors[name] = slug if seen[slug] == 1 else f"{slug}--{seen[slug]}"
    return anchors


def section(where: str) -> str:
    """The part of the paper with a claim: what `where` begins with, an appendix by its letter."""
    appendix = re.match(r"Appendix,? (?:Section )?(sec:[\w-]+)", where)
    if appendix:
        return f"Appendix {APPENDIX.get(appendix[1], appendix[1])}"
    return re.split(r"[,;]", where)[0].strip() or "Elsewhere"


def _rank(name: str) -> tuple[int, tuple[int, ...]]:
    """Numbered sections first, by number; then the appendix; then what is ours."""
    numbered = re.fullmatch(r"Section ([\d.]+)", name)
    if numbered:
        return 0, tuple(map(int, numbered[1].strip(".").split(".")))
    return (1, tuple(map(ord, name[9:]))) if name.startswith("Appendix") else (2, ())


def example(c: Claim) -> Example | None:
    """The counterexample of a claim, worked out."""
    if not c.get("example"):
        return None
    relation = c.get("relation") or {}
    cells = {name: _cell(name, value, relation) for name, value in c["example"].items()}
    sides = [cells.pop(side, None) for side in ("left", "right")]
    op = relation.get("op", "")
    return Example(tuple(cells.values()), sides[0], sides[1], SIGNS.get(op, ""), BROKEN.get(op, ""))


def _cell(name: str, value: Mapping[str, str], relation: Mapping[str, str]) -> Quantity:
    tex, decimal = value.get("tex", ""), value.get("decimal", "")
    if tex and (len(tex) <= LONGEST or not decimal):
        exact = formula(tex)
    else:  # too long to read: only decimals are shown
        exact, decimal = Markup("{}").format(value.get("text") or f"≈ {decimal}"), ""
    if name in ("left", "right"):
        side = relation.get(name, "")
        return Quantity(
            formula(side) if side and len(side) <= LONGEST else Markup("{} side").format(name), exact, decimal
        )
    return Quantity(_name(name), exact, decimal)


def _name(name: str) -> Markup:
    """A symbol as mathematics: `rho` is Greek, `s_mu` has an index, `sigma_q_sq` a square; a phrase stays."""
    if name in PARAMETERS:
        return formula(PARAMETERS[name])
    symbol = re.fullmatch(r"([A-Za-z]+)(?:_(\w+?))?(_sq)?", name)
    if not symbol or (symbol[1] not in PARAMETERS and len(symbol[1]) > 1):
        return Markup("{}").format(name)
    index = rf"_{{{PARAMETERS.get(symbol[2], symbol[2])}}}" if symbol[2] else ""
    return formula(PARAMETERS.get(symbol[1], symbol[1]) + index + ("^2" if symbol[3] else ""))


def shorten(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def groups(found: Mapping[str, View]) -> dict[str, list[View]]:
    """The claims by section, sections in the order of the paper, claims in that of the ledger."""
    by: dict[str, list[View]] = {}
    for view in found.values():
        by.setdefault(view.section, []).append(view)
    return {name: by[name] for name in sorted(by, key=_rank)}


def titled(name: str) -> str:
    """The section with what it is about."""
    return f"{name}: {TITLES[name]}" if name in TITLES else name
