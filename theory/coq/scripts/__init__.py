"""Rules of the kernel as proof scripts: one function for each rule, and which one is whose."""

from __future__ import annotations

from collections.abc import Callable

from theory.coq.scripts import calculus, compose, events, means, sums
from theory.coq.tactics import Lines
from theory.kernel.items import Element
from theory.kernel.rules import (
    Among,
    Applied,
    Cases,
    Chord,
    Congruent,
    Exchange,
    Expectation,
    Follows,
    Indicates,
    Induction,
    InLimit,
    Instance,
    Jensen,
    Limit,
    Monotone,
    NextInteger,
    Otherwise,
    Picked,
    Reindex,
    Replaced,
    Restated,
    Rises,
    Specialised,
    SplitSum,
    SumOver,
    Telescoping,
    Union,
    Use,
    Whether,
)

SCRIPTS: dict[type[Element], Callable[..., Lines]] = {
    Follows: compose.follows,
    Applied: compose.applied,
    Instance: compose.instance,
    Use: compose.instance,
    Replaced: compose.replaced,
    Restated: compose.restated,
    Specialised: compose.specialised,
    Congruent: compose.congruent,
    Cases: compose.cases,
    SumOver: sums.sum_over,
    Telescoping: sums.telescoping,
    SplitSum: sums.split_sum,
    Induction: sums.induction,
    Exchange: sums.exchange,
    Reindex: sums.reindex,
    NextInteger: sums.next_integer,
    Indicates: events.indicates,
    Among: events.among,
    Union: events.union,
    Whether: events.whether,
    Otherwise: events.otherwise,
    Picked: events.picked,
    Expectation: means.expectation,
    Jensen: means.jensen,
    Monotone: calculus.monotone,
    Rises: calculus.rises,
    Chord: calculus.chord,
    Limit: calculus.limit,
    InLimit: calculus.in_limit,
}
