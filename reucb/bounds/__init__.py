"""Bounds on the Bayes regret of ReUCB: as printed, as derived, repaired, sharpened; and bounds to compare with.

Functions take keyword arguments, broadcast over them, and return a float if all arguments are numbers. `NAME_terms`
returns the terms of bound NAME and their sum under `total`. Where a hypothesis of its theorem does not hold, a function
raises ValueError and names the hypothesis; `strict=False` evaluates the formula nevertheless.
"""

from reucb.bounds.bounded import bounded, bounded_terms
from reucb.bounds.combined import Subset, combined, combined_terms, subset
from reucb.bounds.comparisons import classical, known_mu0, known_mu0_terms, no_structure, no_structure_terms
from reucb.bounds.counting import counting, counting_terms
from reucb.bounds.gaussian import theorem1, theorem1_repaired, theorem1_terms
from reucb.bounds.logarithmic import logarithmic, logarithmic_from, logarithmic_terms
from reucb.bounds.lower import Certificate, lower
from reucb.bounds.normal import expected_max
from reucb.bounds.sharp import sharp, sharp_simple, sharp_simple_terms, sharp_terms
from reucb.bounds.small_problems import few_rounds, trivial, two_arm_optimum, two_arm_reucb
from reucb.bounds.subgaussian import (
    m_constant,
    theorem2,
    theorem2_derived,
    theorem2_derived_terms,
    theorem2_repaired,
    theorem2_repaired_terms,
    theorem2_terms,
)

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
