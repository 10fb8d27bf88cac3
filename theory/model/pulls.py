"""Sums over the pulls of arm k before round t, whose number may depend on the rewards: functions of the outcome o."""

from __future__ import annotations

import sympy as sp

from theory.kernel.goal import at_least, positive, real
from theory.model.arms import s
from theory.model.play import quantity

o = sp.Symbol("o")
pulls = quantity("pulls", "n_{{k,t}}")(o)
noise = quantity("noise", r"\left(\sum_{{j\le n_{{k,t}}}}(r_{{k,j}}-\mu_k)\right)")(o)
squares = quantity("squares", r"\sum_{{j\le n_{{k,t}}}}(r_{{k,j}}-\mu_k)^2")(o)
PLAYED = {o: real(), s: positive(), squares: at_least(0), pulls: at_least(0, integer=True)}
