"""Rules that join items: each is a small class with a conclusion, side conditions and mutants.

compose    chain, follows, Instance, Applied, Restated, Replaced, uses
functions  Specialised, Congruent
sums       SumOver, SplitSum, Telescoping, Induction
means      Expectation, Jensen
events     Union, Indicates, Among, Picked, Whether, Otherwise, Rescaled
calculus   Rises, Monotone, Chord, FallsTo, Limit, IntegralOf
integrals  Substitution, Restricted, Combined, Dominated, MeanOfIntegral
limits     RisesTo, InLimit
rearrange  Exchange, Reindex, Blocks, Quotient, NextInteger
cited      a classical theorem by name
definition what the objects of a model are
"""

from theory.kernel.rules.calculus import Chord, FallsTo, IntegralOf, Limit, Monotone, Rises
from theory.kernel.rules.cited import Cited, Form, Need, Theorem, cited
from theory.kernel.rules.compose import (
    Applied,
    Cases,
    Follows,
    Instance,
    Replaced,
    Restated,
    Use,
    applied,
    chain,
    follows,
    instance,
    replaced,
    restated,
    uses,
)
from theory.kernel.rules.definition import Defines, Definition
from theory.kernel.rules.events import Among, Indicates, Otherwise, Picked, Rescaled, Union, Whether, equals, event
from theory.kernel.rules.functions import Congruent, Specialised, congruent, specialised
from theory.kernel.rules.integrals import Combined, Dominated, MeanOfIntegral, Restricted, Substitution
from theory.kernel.rules.limits import InLimit, RisesTo
from theory.kernel.rules.means import Expectation, Jensen
from theory.kernel.rules.rearrange import Blocks, Exchange, NextInteger, Quotient, Reindex
from theory.kernel.rules.sums import Induction, SplitSum, SumOver, Telescoping

__all__ = [
    "Among",
    "Applied",
    "Blocks",
    "Cases",
    "Chord",
    "Cited",
    "Combined",
    "Congruent",
    "Defines",
    "Definition",
    "Dominated",
    "Exchange",
    "Expectation",
    "FallsTo",
    "Follows",
    "Form",
    "InLimit",
    "Indicates",
    "Induction",
    "Instance",
    "IntegralOf",
    "Jensen",
    "Limit",
    "MeanOfIntegral",
    "Monotone",
    "Need",
    "NextInteger",
    "Otherwise",
    "Picked",
    "Quotient",
    "Reindex",
    "Replaced",
    "Rescaled",
    "Restated",
    "Restricted",
    "Rises",
    "RisesTo",
    "Specialised",
    "SplitSum",
    "Substitution",
    "SumOver",
    "Telescoping",
    "Theorem",
    "Union",
    "Use",
    "Whether",
    "applied",
    "chain",
    "cited",
    "congruent",
    "equals",
    "event",
    "follows",
    "instance",
    "replaced",
    "restated",
    "specialised",
    "uses",
]
