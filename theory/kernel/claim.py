"""A claim is one function: its docstring says why, its return value is the argument that the machinery then checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass

from theory.kernel.argument import Argument

KINDS = (
    "identity",
    "inequality",
    "definition",
    "limit",
    "statement",
    "step",
    "prose",
    "number",
    "algorithm",
    "notation",
    "statistical",
    "bound",
)


@dataclass(frozen=True)
class Claim:
    """Something the paper says (or we say instead), and the function that builds its argument."""

    id: str
    where: str
    kind: str
    says: str
    depends_on: tuple[str, ...]
    repairs: str | None
    build: Callable[[], Argument]

    @property
    def why(self) -> str:
        return " ".join((inspect.getdoc(self.build) or "").split())

    @property
    def module(self) -> str:
        return self.build.__module__


REGISTRY: dict[str, Claim] = {}


def claim(
    id: str, *, where: str, kind: str, says: str, depends_on: tuple[str, ...] = (), repairs: str | None = None
) -> Callable[[Callable[[], Argument]], Callable[[], Argument]]:
    """Enter the decorated function in the ledger. `says` is LaTeX in our own notation; the docstring is the reason."""

    def enter(build: Callable[[], Argument]) -> Callable[[], Argument]:
        if id in REGISTRY:
            raise ValueError(f"claim id={id!r} is used twice: {REGISTRY[id].module} and {build.__module__}")
        if kind not in KINDS:
            raise ValueError(f"claim {id!r}: kind={kind!r} must be one of {KINDS}")
        if not inspect.getdoc(build):
            raise ValueError(f"claim {id!r}: the docstring must say why")
        REGISTRY[id] = Claim(id, where, kind, says, tuple(depends_on), repairs, build)
        return build

    return enter
