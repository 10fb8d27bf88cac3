"""What is to be shown: a relation between two exact expressions, on a domain, under hypotheses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, wraps
from typing import Any, TypeVar

import sympy as sp

from theory.kernel.derivative import by_rules, by_sympy
from theory.kernel.named import spelled, valued

OPS = ("=", "<=", "<", ">=", ">")
NEGATED = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
FLIPPED = {"=": "=", "<=": ">=", "<": ">", ">=": "<=", ">": "<"}


def _fields(thing: Any) -> dict[str, Any]:
    """What another process is sent: what was found here and is kept, such as a hash, may be different there."""
    return {name: value for name, value in thing.__dict__.items() if not name.startswith("_")}


@dataclass(frozen=True)
class Var:
    """The range of a symbol.

    Attributes
    ----------
    low, high : exact rational number or None
        Least and largest value; None if there is no bound.
    strict : bool
        Whether `low` itself is excluded.
    integer : bool
        Whether the values are integers.

    Raises
    ------
    ValueError
        If a bound is not an exact rational number.

    Examples
    --------
    >>> from theory.kernel.goal import Var
    >>> print(Var(low=0, strict=True, high=1))
    real > 0, <= 1
    """

    low: sp.Rational | None = None
    strict: bool = False
    integer: bool = False
    high: sp.Rational | None = None

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            value = getattr(self, name)
            if value is None:
                continue
            if not sp.sympify(value).is_Rational:
                raise ValueError(f"{name}={value!r}: a bound must be an exact rational number or None")
            object.__setattr__(self, name, sp.sympify(value))

    def __hash__(self) -> int:
        return int(self._content[0])

    @cached_property
    def _content(self) -> tuple[Any, ...]:
        """The range in plain numbers, with their hash: ranges are parts of nearly everything that is looked up."""
        low, high = (None if b is None else (b.p, b.q) for b in (self.low, self.high))
        content = (low, self.strict, self.integer, high)
        return hash(content), *content

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Var) and self._content == other._content)

    def __getstate__(self) -> dict[str, Any]:
        return _fields(self)

    def within(self, other: Var) -> bool:
        """Whether every value of this variable is one of the other."""
        if other.integer and not self.integer:
            return False
        if other.high is not None and (self.high is None or self.high > other.high):
            return False
        if other.low is None:
            return True
        return self.low is not None and (
            self.low > other.low or (self.low == other.low and (self.strict or not other.strict))
        )

    def meets(self, other: Var) -> bool:
        """Whether the bounds of two ranges leave a common value."""
        lows = [(v.low, v.strict) for v in (self, other) if v.low is not None]
        highs = [v.high for v in (self, other) if v.high is not None]
        return all(low < high or (low == high and not strict) for low, strict in lows for high in highs)

    def __str__(self) -> str:
        bounds = "" if self.low is None else f" {'>' if self.strict else '>='} {self.low}"
        bounds += "" if self.high is None else f"{',' if bounds else ''} <= {self.high}"
        return ("an integer" if self.integer else "real") + bounds

    def __contains__(self, value: sp.Expr) -> bool:
        if not value.is_real:
            return False
        if self.integer and not value.is_integer:
            return False
        if self.high is not None and value > self.high:
            return False
        return self.low is None or bool(value > self.low if self.strict else value >= self.low)


def positive() -> Var:
    """The range of a positive real number.

    Returns
    -------
    Var

    Examples
    --------
    >>> from theory.kernel.goal import positive
    >>> print(positive())
    real > 0
    """
    return Var(sp.Integer(0), strict=True)


def at_least(low: int, integer: bool = False) -> Var:
    """The range of a number that is not below a bound.

    Parameters
    ----------
    low : int or exact rational number
        The least value.
    integer : bool
        Whether the number is an integer.

    Returns
    -------
    Var

    Examples
    --------
    >>> from theory.kernel.goal import at_least
    >>> print(at_least(1, integer=True))
    an integer >= 1
    """
    return Var(sp.Rational(low), integer=integer)


def real() -> Var:
    """The range of any real number.

    Returns
    -------
    Var

    Examples
    --------
    >>> from theory.kernel.goal import real
    >>> print(real())
    real
    """
    return Var()


@dataclass(frozen=True)
class Source:
    """A claim of the ledger, one of its conclusions, and the arguments at which it is used."""

    claim: str
    at: tuple[tuple[sp.Symbol, sp.Expr], ...] = ()
    item: str = ""

    def __str__(self) -> str:
        arguments = ", ".join(f"{x} = {value}" for x, value in self.at)
        return self.claim + (f" at {arguments}" if arguments else "")


Quantifier = tuple[sp.Symbol, sp.Expr, sp.Expr]


@lru_cache(maxsize=65536)  # SymPy walks through the whole expression each time
def free_symbols(expr: sp.Expr) -> frozenset[sp.Symbol]:
    return frozenset(expr.free_symbols)


@dataclass(frozen=True)
class Rel:
    """A relation between two expressions.

    Attributes
    ----------
    left, right : SymPy expression
        Both sides. Named quantities have their values, and derivatives are carried out by SymPy.
    op : str
        One of =, <=, <, >=, >.
    source : Source or None
        Of a hypothesis: the proved claim whose statement it is; None if the claim states it as its own ("if ...").
    every : tuple of (index, low, high)
        Of a hypothesis: the indices for which it holds.
    stated : tuple of two expressions
        Both sides as written.

    Raises
    ------
    ValueError
        If `op` is none of these.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel.goal import Rel
    >>> x = sp.Symbol("x")
    >>> print(Rel(x, "<=", x**2).negation)
    x > x**2
    """

    left: sp.Expr
    op: str
    right: sp.Expr
    source: Source | None = field(default=None, compare=False, repr=False)  # None: a hypothesis of the claim itself
    every: tuple[Quantifier, ...] = ()  # as a hypothesis: for every index i from low to high
    stated: tuple[sp.Expr, sp.Expr] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.op not in OPS:
            raise ValueError(f"op={self.op!r}: must be one of {OPS}")
        left, right = stated = sp.sympify(self.left), sp.sympify(self.right)
        self.__dict__.update(stated=stated, left=by_sympy(valued(left)), right=by_sympy(valued(right)))

    def __hash__(self) -> int:
        """Found once: hypotheses are parts of nearly everything that is looked up."""
        known: int | None = self.__dict__.get("_hash")
        if known is None:
            known = self.__dict__["_hash"] = hash((self.left, self.op, self.right, self.every))
        return known

    def __getstate__(self) -> dict[str, Any]:
        return _fields(self)

    @cached_property
    def by_rules(self) -> Rel:
        """The same relation, its derivatives carried out by the kernel's own rules."""
        left, right = (by_rules(valued(side)) for side in self.stated)
        return self if (left, right) == self.stated else Rel(left, self.op, right)

    @property
    def negation(self) -> Rel:
        if self.every:
            raise ValueError(f"{self}: what holds for every index has no negation that is a relation")
        left, right = self.stated
        return Rel(left, NEGATED[self.op], right)

    @property
    def slack(self) -> tuple[sp.Expr, bool]:
        """(d, strict) so that the relation reads d >= 0, or d > 0 when strict. Not for equalities."""
        d = self.right - self.left if self.op in ("<=", "<") else self.left - self.right
        return d, self.op in ("<", ">")

    @cached_property
    def symbols(self) -> set[sp.Symbol]:
        limits = [free_symbols(side) for _, *ends in self.every for side in map(sp.sympify, ends)]
        return set(free_symbols(self.left).union(free_symbols(self.right), *limits)) - {i for i, *_ in self.every}

    def for_every(self, index: sp.Symbol, low: sp.Expr | int, high: sp.Expr | int) -> Rel:
        """The same relation as a hypothesis for every index from low to high."""
        quantifier = (index, sp.sympify(low), sp.sympify(high))
        return replace(self, left=self.stated[0], right=self.stated[1], every=(*self.every, quantifier))

    def by(self, claim: str, at: Mapping[sp.Symbol, Any] | None = None, item: str = "") -> Rel:
        """The same relation as a hypothesis, with its source: the claim whose statement it is, at these arguments."""
        arguments = tuple((x, sp.sympify(value)) for x, value in (at or {}).items())
        return replace(self, left=self.stated[0], right=self.stated[1], source=Source(claim, arguments, item))

    def at(self, point: Mapping[sp.Symbol, sp.Expr]) -> Rel:
        """The relation between values at a point. Its sides have no names and no derivatives left to carry out."""
        left, right = (side.xreplace(dict(point)) for side in (self.left, self.right))
        found = object.__new__(Rel)
        found.__dict__.update(left=left, op=self.op, right=right, source=None, every=(), stated=(left, right))
        return found

    def __str__(self) -> str:
        indices = "".join(f" for every {i} from {low} to {high}" for i, low, high in self.every)
        return f"{spelled(self.left)} {self.op} {spelled(self.right)}{indices}"


@dataclass(frozen=True)
class Letter:
    """How readers write a symbol, as an expression in their own symbols (K - 1 for J), and what it means."""

    shown: sp.Expr
    meaning: str = ""


@dataclass(frozen=True)
class Point:
    """A point of a domain: a value for every symbol, and how to show it to a reader (as it is, if nothing is said).

    Attributes
    ----------
    values : mapping of symbols to expressions
        What is put for the symbols.
    shown : mapping of str to numbers or lists of numbers, optional
        An object that has these values, such as a bandit. Values that are no entry of it are added.
    where : mapping of symbols to expressions
        How values follow from entries, in their names: sigma_sq/n_1 for `x`, where `n` is a list.
    words : mapping of str to str
        What no number says, such as a law.
    """

    values: Mapping[sp.Symbol, sp.Expr]
    shown: Mapping[str, Any] | None = None
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Goal:
    """A relation to be shown for every point of the domain that satisfies the hypotheses `given`.

    Attributes
    ----------
    rel : Rel
        The relation.
    domain : mapping of symbols to Var
        The range of every symbol.
    given : tuple of Rel
        Hypotheses.
    name : str
        What the goal is called in a proof.
    squares : tuple of expressions
        Hints: expressions whose squares a certificate may use.
    points : callable or None
        Makes points at which counterexamples are looked for; None for small rational numbers.
    wider : tuple of Goal
        The same relation with a hypothesis dropped, where that needs other points.
    where : mapping of symbols to expressions
        What symbols stand for; printed beside the statement.
    short : mapping of expressions to expressions
        Abbreviations for printing: tau**2 for its formula.
    letters : mapping of symbols to Letter
        How readers write the symbols, and what they mean.

    Raises
    ------
    ValueError
        If a symbol has no range.

    Examples
    --------
    >>> import sympy as sp
    >>> from theory.kernel import statement
    >>> from theory.kernel.goal import Goal, Rel, positive
    >>> x = sp.Symbol("x")
    >>> print(statement.text(Goal(Rel(2 * x, "<=", x**2 + 1), {x: positive()})))
    for x real > 0: 2*x <= x^2 + 1
    """

    rel: Rel
    domain: Mapping[sp.Symbol, Var] = field(default_factory=dict)
    given: tuple[Rel, ...] = ()
    name: str = ""
    squares: tuple[sp.Expr, ...] = ()  # hints: expressions whose squares a certificate may use
    points: Callable[[], Iterator[Point]] | None = None  # where to look for counterexamples; None: small rationals
    wider: tuple[Goal, ...] = ()  # the same relation with a hypothesis dropped, where that needs other points
    where: Mapping[sp.Symbol, sp.Expr] = field(default_factory=dict, compare=False)  # what symbols stand for
    short: Mapping[sp.Expr, sp.Expr] = field(default_factory=dict, compare=False)  # abbreviations: tau**2 -> formula
    letters: Mapping[sp.Symbol, Letter] = field(default_factory=dict, compare=False)  # how readers write the symbols

    def __post_init__(self) -> None:
        missing = [x for x in self.symbols if x not in self.domain]
        if missing:
            raise ValueError(f"goal {self.rel}: no domain for {', '.join(sorted(map(str, missing)))}")
        if self.rel.every:  # rules would take it for a relation at any value of the index
            raise ValueError(
                f"goal {self.rel}: only a hypothesis holds for every index; give the index a range instead"
            )

    @cached_property
    def symbols(self) -> set[sp.Symbol]:
        return self.rel.symbols.union(*(h.symbols for h in self.given))

    @property
    def hypotheses(self) -> tuple[Rel, ...]:
        """What the claim itself supposes: the part of `given` that is not the statement of another claim."""
        return tuple(h for h in self.given if h.source is None)

    @property
    def by_rules(self) -> Goal:
        """The same goal for an engine that does not take its derivatives from SymPy."""
        rel, given = self.rel.by_rules, tuple(h.by_rules for h in self.given)
        return self if (rel, given) == (self.rel, self.given) else replace(self, rel=rel, given=given)

    @cached_property
    def content(self) -> tuple[Any, ...] | None:
        """All that engines and mutants depend on; None where points are made by a function."""
        if self.points is not None or self.wider:
            return None
        rels = (self.rel, *self.given)
        return self.name, rels, tuple(r.stated for r in rels), frozenset(self.domain.items()), self.squares

    def with_rel(self, rel: Rel, name: str) -> Goal:
        return replace(self, rel=rel, name=name)

    def __str__(self) -> str:
        text = str(self.rel)
        return f"{text}  given {', '.join(map(str, self.given))}" if self.given else text


Found = TypeVar("Found")


def once(check: Callable[[Goal], list[Found]]) -> Callable[[Goal], list[Found]]:
    """The check of a goal, made once for all goals with the same content: proofs share many small steps."""
    known: dict[tuple[Any, ...], list[Found]] = {}

    @wraps(check)
    def remembered(goal: Goal) -> list[Found]:
        content = goal.content
        if content is None:
            return check(goal)
        found = known.get(content)
        if found is None:
            found = known[content] = check(goal)
        return list(found)

    return remembered
