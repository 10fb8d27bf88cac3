"""Sentences of the reasons that claims give."""

import re


def first_sentence(text: str) -> str:
    """The first sentence, without its full stop; "Eq. x" and "0.5" do not end one."""
    return re.split(r"(?<!Eq)(?<!Eqs)\. (?=[A-Z(])", text)[0].rstrip(".")
