"""Bounds on the Bayes regret of ReUCB: as printed, as derived, repaired, sharpened; and their rivals.

Every function takes keywords only, broadcasts over all of them, and returns a float for scalars.
`NAME_terms` gives the terms of bound NAME separately, their sum under `total`. Outside the hypotheses of its
theorem a function refuses and names the hypothesis; `strict=False` evaluates the formula all the same.
"""

from reucb.bounds.bounded import bounded, bounded_terms
from reucb.bounds.combined import combined, combined_terms
from reucb.bounds.counting import counting, counting_terms
from reucb.bounds.crossing import logarithmic_from
from reucb.bounds.extremes import expected_max, trivial
from reucb.bounds.few_rounds import few_rounds
from reucb.bounds.logarithmic import logarithmic, logarithmic_terms
from reucb.bounds.lower import Certificate, lower
from reucb.bounds.printed import (
    m_constant,
    theorem1,
    theorem1_repaired,
    theorem1_terms,
    theorem2,
    theorem2_derived,
    theorem2_derived_terms,
    theorem2_terms,
)
from reucb.bounds.rivals import classical, known_mu0, known_mu0_terms, no_structure, no_structure_terms
from reucb.bounds.sharp import sharp, sharp_simple, sharp_simple_terms, sharp_terms
from reucb.bounds.subgaussian import theorem2_repaired, theorem2_repaired_terms
from reucb.bounds.subset import Subset, subset
from reucb.bounds.two_arms import two_arm_optimum, two_arm_reucb

__all__ = [
    "Certificate",
    "Subset",
    "bounded",
    "bounded_terms",
    "classical",
    "combined",
    "combined_terms",
    "counting",
    "counting_terms",
    "expected_max",
    "few_rounds",
    "known_mu0",
    "known_mu0_terms",
    "logarithmic",
    "logarithmic_from",
    "logarithmic_terms",
    "lower",
    "m_constant",
    "no_structure",
    "no_structure_terms",
    "sharp",
    "sharp_simple",
    "sharp_simple_terms",
    "sharp_terms",
    "subset",
    "theorem1",
    "theorem1_repaired",
    "theorem1_terms",
    "theorem2",
    "theorem2_derived",
    "theorem2_derived_terms",
    "theorem2_repaired",
    "theorem2_repaired_terms",
    "theorem2_terms",
    "trivial",
    "two_arm_optimum",
    "two_arm_reucb",
]
