"""What a proof script is given and what it gives."""

from __future__ import annotations

from collections.abc import Iterator

from theory.coq.lemma import Fact, Lemma

Premise = Lemma | Fact
Lines = Iterator[str]
