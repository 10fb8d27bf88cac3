"""Sentences of the reasons that claims give."""

import re

LEAST = 60  # characters that tell something


def _sentences(text: str) -> list[str]:
    """The sentences of a text; "Eq. x" and "0.5" do not end one."""
    return re.split(r"(?<!Eq)(?<!Eqs)\. (?=[A-Z(])", text)


def first_sentence(text: str) -> str:
    """The first sentence, without its full stop."""
    return _sentences(text)[0].rstrip(".")


def opening(text: str) -> str:
    """The first sentence, and as many more as it takes to say something; without the last full stop."""
    found = ""
    for sentence in _sentences(text):
        found = f"{found}. {sentence}" if found else sentence
        if len(found) >= LEAST:
            break
    return found.rstrip(".")
