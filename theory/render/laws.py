"""The laws of a model on which proofs depend, each with the relation that is taken: for `docs/laws.md`."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from theory.kernel import statement
from theory.kernel.claim import Claim
from theory.kernel.proof_parts import parts_of
from theory.kernel.rules import Definition

WIDTH = 116  # of the lines of a relation


@dataclass
class Law:
    """A law by name: where it is stated, its world if its model has several, its forms, and the claims that take it."""

    name: str
    module: str
    world: str
    forms: dict[str, None] = field(default_factory=dict)
    claims: dict[str, None] = field(default_factory=dict)

    def markdown(self) -> str:
        count = len(self.claims)
        by = f"taken by {count} claim{'s' if count > 1 else ''}"
        about = ", ".join(
            text for text in (f"`{self.module}`", f"world: {self.world}" if self.world else "", by) if text
        )
        lines = (textwrap.wrap(form, WIDTH, subsequent_indent="    ", break_long_words=False) for form in self.forms)
        shown = "\n".join(line for form in lines for line in form)
        return f"### {self.name[:1].upper()}{self.name[1:]}\n\n{about}\n\n```text\n{shown}\n```\n"


INTRODUCTION = """\
# Laws of the models

Generated from the ledger by `python -m reports.tools.readme`; do not edit.

Proofs take these facts about means and probabilities as given: laws of arm means and rewards, independence, and how an
outcome is split. `python -m theory LABEL` lists those on which a claim depends, also through claims that it uses.
`tests/theory/model` compares them with simulated plays. Laws of different worlds are never taken together.
"""


def laws_markdown(claims: Mapping[str, Claim]) -> str:
    """The page: every law, with the relations that are taken."""
    return "\n".join((INTRODUCTION, *(law.markdown() for law in laws(claims))))


def laws(claims: Mapping[str, Claim]) -> list[Law]:
    """All laws that arguments of these claims take, by module and name."""
    found: dict[tuple[str, str], Law] = {}
    for name, claim in claims.items():
        for part in parts_of(claim.argument.parts):
            if isinstance(part, Definition) and part.laws:
                law = found.setdefault((part.made_in, part.of), Law(part.of, part.made_in, part.world))
                law.forms[statement.text(part.gives)] = None
                law.claims[name] = None
    return [found[key] for key in sorted(found)]
