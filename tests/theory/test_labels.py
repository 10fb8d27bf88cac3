"""Every label of the paper has a claim, and numbers and lines are read off the source as it compiles."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from theory.ledger import load
from theory.paper.numbering import OUTPUT, read

FROZEN = json.loads(OUTPUT.read_text())
SOURCE = next(
    (p / "shared" / "paper" / "random-effect-bandits.tex" for p in Path(__file__).parents if (p / "shared").exists()),
    Path("none"),
)
SMALL = r"""\declaretheorem[name=Theorem,refname={A,B}]{theorem}
\declaretheorem[name=Lemma,sibling=theorem]{lemma}
\section{One}\label{one}
\begin{align}\label{late} a \notag\\ b \end{align}  % \label{comment}
\begin{align} c \label{first}\\ d \label{second} \end{align}
\begin{align*} e \end{align*}
\begin{theorem}\label{thm} \begin{equation} f \label{inside} \end{equation} \end{theorem}
\subsection{Two}\label{two} \begin{lemma}\label{lem}\end{lemma}
\begin{figure*} \caption{g}\label{fig} \end{figure*}
\appendix \section{Three}\label{three}
"""


def test_numbers_as_latex_gives_them():
    numbers = {label: place["number"] for label, place in read(SMALL).items()}
    assert numbers == {
        "one": "Section 1",
        "late": "Eq. (1)",
        "first": "Eq. (2)",
        "second": "Eq. (3)",
        "thm": "Theorem 1",
        "inside": "Eq. (4)",
        "two": "Section 1.1",
        "lem": "Lemma 2",
        "fig": "Figure 1",
        "three": "Appendix A",
    }
    assert read(SMALL)["thm"]["line"] == 7


@pytest.mark.parametrize("label", FROZEN["labels"])
def test_label_has_a_claim(label: str) -> None:
    assert any(name == label or name.startswith(f"{label}/") for name in load()), f"no claim for {label}"


def test_the_list_is_complete() -> None:
    assert len(FROZEN["labels"]) == 65
    assert re.fullmatch(r"[0-9a-f]{64}", FROZEN["sha256"])


@pytest.mark.skipif(not SOURCE.exists(), reason="the paper's source is not distributed with the project")
def test_the_source_is_the_one_that_was_read() -> None:
    text = SOURCE.read_bytes()
    assert hashlib.sha256(text).hexdigest() == FROZEN["sha256"]
    assert read(text.decode()) == FROZEN["labels"]
    assert set(re.findall(r"\\label\{([^}]*)\}", text.decode())) == set(FROZEN["labels"])
