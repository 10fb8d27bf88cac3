"""Outcomes whose rewards differ by their level only, and what an agent makes of rewards.

The outcome (T, d, e) has, before round T, the rewards of d, to each of which the same number is added: d stands for the
differences of rewards, and e for everything else: the level of the rewards, the arm means and all later rounds. An
agent that knows mu_0 looks at the level too; there the outcome has the rewards of d themselves. Claims
ours/conditioning/choices and its variants show that d decides the choices, counts and widths up to round T; only
therefore may they be written as functions of d.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import sympy as sp

from theory.kernel.goal import Goal, Letter, Rel, Var, at_least, real
from theory.kernel.rules import Defines, Definition, equals
from theory.model import index_play, known_play, play, pull_order
from theory.model.arms import s, s0, weight
from theory.model.functions import outcome, quantity
from theory.model.play import COUNT, LATER, K, i, k, mu0, o, t, width
from theory.model.round_errors import d, e

u, T = sp.symbols("u T")
BOTH = outcome("outcome")(T, d, e)
LEVEL = quantity("level", "c", 3)(T, d, e)
AN_ARM = Rel(k, "<=", K)


@dataclass(frozen=True, eq=False)
class Rewards(Defines):
    """What an agent does with its rewards: the reward of round t, its sums by arm, estimates from them, a choice."""

    mark: str  # of the agent, around a letter in print
    chosen: sp.Expr  # of (t, o)
    is_an_arm: Definition
    pulls: Any  # of (k, t, o), as the following ones
    estimate: Any
    deviation: Any
    level: sp.Expr  # by which the rewards of (T, d, e) before round T exceed those of d
    domain: Mapping[sp.Expr, Var]
    later: Rel  # from here on arms are chosen by their indices
    letters: Mapping[sp.Expr, Letter]

    @cached_property
    def reward(self) -> Any:
        """r(t, o), the reward of round t."""
        return self._quantity("r", "_{{{}}}")

    @cached_property
    def earned(self) -> Any:
        """S(k, t, o), the sum of the rewards of arm k before round t."""
        return self._quantity("S", "_{{{},{}}}")

    @property
    def knows_mean(self) -> bool:
        return bool(self.level == 0)

    @cached_property
    def centre(self) -> sp.Expr:
        """r-bar_0 before round t, or mu_0 if it is known."""
        return mu0 if self.knows_mean else self._quantity(r"\bar r", "_{{0,{}}}")(t, o)

    def _quantity(self, letter: str, indices: str) -> Any:
        marked = self.mark.format(letter)
        return quantity(marked, marked + indices)

    @property
    def everywhere(self) -> dict[sp.Expr, Var]:
        """The ranges of all quantities."""
        found = {**self.domain, **dict.fromkeys((o, d, e, BOTH, mu0), real()), **dict.fromkeys((k, t, u, i, T), COUNT)}
        return {**found, self.earned(k, t, o): real(), self.reward(t, o): real()}

    def index(self, arm: sp.Expr) -> sp.Expr:
        return self.estimate(arm, t, o) + width * self.deviation(arm, t, o)

    def share(self, arm: sp.Expr) -> sp.Expr:
        """w_k times the average reward of arm k: S_k/(n_k + rho)."""
        return self.earned(arm, t, o) / (self.pulls(arm, t, o) + s / s0)

    def _defined(self, of: str, rel: Rel, *given: Rel) -> Definition:
        return Definition(of, Goal(rel, self.everywhere, given, of, letters=self.letters))

    @property
    def same_differences(self) -> Definition:
        """The rewards of (T, d, e) before round T."""
        rel = Rel(self.reward(t, BOTH), "=", self.reward(t, d) + self.level)
        found = self._defined("before round T the rewards are those of d, but for their level", rel, Rel(t, "<", T))
        return found.for_every(T, e)

    @property
    def sums(self) -> Definition:
        terms = equals(self.chosen.xreplace({t: u}), k) * self.reward(u, o)
        rel = Rel(self.earned(k, t, o), "=", sp.Sum(terms, (u, 1, t - 1)))
        return self._defined("the sum of the rewards of arm k before round t", rel)

    @property
    def weights(self) -> sp.Expr:
        """The sum of the weights of all arms before round t."""
        return sp.Sum(weight(self.pulls(i, t, o)), (i, 1, K))

    @property
    def common(self) -> Definition:
        """Eq. r0-estimator; of an agent that does not know mu_0."""
        rel = Rel(self.centre * self.weights, "=", sp.Sum(self.share(i), (i, 1, K)))
        return self._defined("r-bar_0 is the weighted average of all arms", rel, self.later)

    @property
    def blup(self) -> Definition:
        """Eq. blup: w_k times the average of arm k is S_k/(n_k + rho)."""
        value = (1 - weight(self.pulls(k, t, o))) * self.centre + self.share(k)
        return self._defined("the estimate of an arm mean", Rel(self.estimate(k, t, o), "=", value), self.later, AN_ARM)

    @property
    def highest(self) -> Definition:
        rel = Rel(self.index(k), "<=", self.index(self.chosen))
        return self._defined("no arm has a higher index than the pulled one", rel, self.later, AN_ARM)

    @property
    def first(self) -> Definition:
        as_high = Rel(self.index(self.chosen), "<=", self.index(k))
        rel = Rel(self.chosen, "<=", k)
        of = "of the arms with the highest index the first is pulled"
        return self._defined(of, rel, self.later, AN_ARM, as_high).for_every(k)


REUCB = Rewards(
    mark="{}",
    chosen=play.PULLED,
    is_an_arm=play.PULLED_IS_AN_ARM,
    pulls=play.count,
    estimate=play.muhat,
    deviation=play.tau,
    level=LEVEL,
    domain={**play.ARM, **pull_order.PULLS, play.others(k, t, o): at_least(0)},
    later=LATER,
    letters=play.WORDS,
)
KNOWN = Rewards(
    mark=r"\tilde {}",
    chosen=known_play.CHOSEN,
    is_an_arm=known_play.CHOICES.one_of_K,
    pulls=known_play.pulls,
    estimate=known_play.estimate,
    deviation=known_play.deviation,
    level=sp.S.Zero,
    domain=known_play.KNOWN,
    later=LATER,
    letters=play.WORDS,
)
INDEXED = Rewards(
    mark="{}'",
    chosen=index_play.CHOSEN,
    is_an_arm=index_play.CHOSEN_IS_AN_ARM,
    pulls=index_play.pulls,
    estimate=index_play.estimate,
    deviation=index_play.deviation,
    level=LEVEL,
    domain=index_play.INDEXED,
    later=index_play.SECOND,
    letters=play.WORDS,
)
