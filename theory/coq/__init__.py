"""The ledger in Coq: a model for every number of arms, and one lemma for every relation of a proved claim."""
