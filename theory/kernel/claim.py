"""A claim is one function: its docstring says why, its return value is the argument that the kernel checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import TypeVar

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
AUTHORS = ("paper", "us")
SEVERITIES = ("result", "argument", "edge", "wording", "experiment")  # the most serious first


@dataclass(frozen=True)
class Claim:
    """A statement of the paper, or one of ours, and the function that builds its argument.

    Attributes
    ----------
    id : str
        The paper's LaTeX label where it has one, else "label/what".
    by : str
        "paper" if the paper says it, "us" if we do: repairs, sharper forms, our own theorems.
    kind : str
        One of `KINDS`.
    says : str or None
        LaTeX in our own notation; None if it is to be generated from what was checked.
    cites : tuple of str
        Claims to which the paper's own argument refers, or that belong to the subject; nothing depends on them here.
        The claims that a proof uses are found in the proof.
    repairs : str or None
        The defective claim that this one replaces.
    severity : str or None
        Of a defect, one of `SEVERITIES`.
    cause : str or None
        Of a defect, a key of the collection's table of causes.
    line : int or None
        Line of the paper's source; the line of its label if not given.
    where : str
        A place in words, for claims of papers without a list of labels.
    """

    id: str
    kind: str
    says: str | None
    build: Callable[[], Argument]
    by: str = "us"
    cites: tuple[str, ...] = ()
    repairs: str | None = None
    severity: str | None = None
    cause: str | None = None
    line: int | None = None
    where: str = ""

    @cached_property
    def argument(self) -> Argument:
        """What the function returns, made once: by the ledger, or by a claim that uses this one."""
        return self.build()

    @property
    def why(self) -> str:
        return " ".join((inspect.getdoc(self.build) or "").split())

    @property
    def module(self) -> str:
        return self.build.__module__


class Elsewhere:
    """Stands for the function of a claim whose module is not imported yet; the import enters the claim itself."""

    def __init__(self, module: str, id: str) -> None:
        self.__module__, self._id = module, id

    def __call__(self) -> Argument:
        import_module(self.__module__)
        return REGISTRY[self._id].argument


REGISTRY: dict[str, Claim] = {}
Build = TypeVar("Build", bound=Callable[[], Argument])


def claim(
    id: str,
    *,
    kind: str,
    says: str | None = None,
    by: str = "us",
    cites: tuple[str, ...] = (),
    repairs: str | None = None,
    severity: str | None = None,
    cause: str | None = None,
    line: int | None = None,
    where: str = "",
    depends_on: tuple[str, ...] = (),
) -> Callable[[Build], Build]:
    """Enter the decorated function in the ledger; its docstring is the reason.

    Parameters
    ----------
    id : str
        The paper's LaTeX label where it has one, else "label/what".
    kind : str
        One of `KINDS`.
    says : str, optional
        LaTeX of the statement; without it, the statement is generated from what was checked.
    by : str
        "paper" or "us".
    cites, depends_on : tuple of str
        Claims that are referred to, which need not be proved. `depends_on` is added to `cites`.
    repairs : str, optional
        The defective claim that this one replaces.
    severity, cause : str, optional
        Of a defect: one of `SEVERITIES`, and a key of the collection's table of causes.
    line : int, optional
        Line of the paper's source.
    where : str
        A place in words, for claims of papers without a list of labels.

    Returns
    -------
    callable
        The decorator, which returns the function unchanged.

    Raises
    ------
    ValueError
        If the id is in use, a value is not one of those allowed, or the function has no docstring.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.argument import proof
    >>> from theory.kernel.claim import REGISTRY, claim
    >>> from theory.kernel.goal import Goal, Rel, real
    >>> x = sp.Symbol("x")
    >>> @claim("example/square", kind="inequality")
    ... def square():
    ...     "A square is not negative."
    ...     return proof(Goal(Rel(x**2 + 2 * x + 1, ">=", 0), {x: real()}, squares=(x + 1,)))
    >>> REGISTRY.pop("example/square").why
    'A square is not negative.'
    """

    def enter(build: Build) -> Build:
        known = REGISTRY.get(id)
        if known is not None and not (isinstance(known.build, Elsewhere) and known.module == build.__module__):
            raise ValueError(f"claim id={id!r} is used twice: {REGISTRY[id].module} and {build.__module__}")
        for name, value, allowed in (("kind", kind, KINDS), ("by", by, AUTHORS), ("severity", severity, SEVERITIES)):
            if value not in allowed and not (name == "severity" and value is None):
                raise ValueError(f"claim {id!r}: {name}={value!r} must be one of {', '.join(allowed)}")
        if not inspect.getdoc(build):
            raise ValueError(f"claim {id!r}: the docstring must say why")
        cited = (*cites, *depends_on)
        REGISTRY[id] = Claim(id, kind, says, build, by, cited, repairs, severity, cause, line, where)
        return build

    return enter
