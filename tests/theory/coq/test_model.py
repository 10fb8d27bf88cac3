"""The hand-written model compiles without axioms, and refuses statements made false."""

from __future__ import annotations

from pathlib import Path

import pytest

from theory.coq import compiler
from theory.coq.development import ASSUMPTIONS, model_files, model_theorems, write_model

pytestmark = [
    pytest.mark.skipif(compiler.coqc() is None, reason="coqc is not installed"),
    pytest.mark.xdist_group("coq"),
]

# What stands for the statements of the paper: file, then theorem.
STATED = (
    ("mse", "tau_sq_printed"),  # Eq. MSE
    ("mse", "error_variance_blup"),  # Eq. MSE is the error variance of the prediction
    ("mse", "tau_sq_factor"),
    ("matrices", "sherman_morrison"),
    ("comparison", "gain_eq"),  # Proposition compare-tauANDmab, repaired
    ("comparison", "tau_sq_lt_sample_mean"),
    ("comparison", "tau_sq_le_beta"),  # Lemma sec:tau
    ("comparison", "tau_sq_ge"),  # Lemma sec:tau2, repaired
    ("widths", "tau_sq_leave_one_out"),
    ("widths", "tau_sq_ratio"),
    ("regret", "regret_sharp"),  # ours/sharp
    ("regret", "regret_prices"),  # ours/counting/prices, all rounds
    ("regret", "regret_counting"),  # ours/counting, Theorem U
    ("theorem1", "theorem1_part1"),  # Theorem them-R-Bayes (1), repaired
    ("theorem1", "theorem1_part2"),  # Theorem them-R-Bayes (2), repaired
    ("subgaussian", "subgaussian"),  # Theorem them-R-Bayes-SubR, repaired
    ("subgaussian", "subgaussian_first"),  # the same up to the K-th round
    ("subgaussian", "subgaussian_closed"),  # them-R-Bayes-SubR/long-horizons/repaired
    ("good_pull", "good_pull"),
)


QUICK = ("weights", "matrices")  # the others take a minute together; `python -m theory --coq` compiles them all


class Model:
    """A copy of the model, whose files are compiled when they are asked for, after those that they need."""

    def __init__(self, directory: Path) -> None:
        write_model(directory)
        self.directory = directory
        self._done: dict[str, compiler.Compiled] = {}

    def compiled(self, name: str) -> compiler.Compiled:
        """A file of the model, compiled once."""
        if name not in self._done:
            self._done[name] = self.compiled_with((self.directory / f"{name}.v").read_text(), name)
        return self._done[name]

    def compiled_with(self, text: str, name: str) -> compiler.Compiled:
        """This text, compiled as a file of the model."""
        for needed in sorted(compiler.imports(text)):
            self.compiled(needed)
        (self.directory / f"{name}.v").write_text(text)
        return compiler.compile_file(self.directory, name)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return Model(tmp_path_factory.mktemp("model"))


def slow_unless_quick(file: str) -> list[pytest.MarkDecorator]:
    return [] if file in QUICK else [pytest.mark.slow]


@pytest.mark.parametrize(
    "name", [pytest.param(path.stem, marks=slow_unless_quick(path.stem)) for path in model_files()]
)
def test_the_file_compiles(model: Model, name: str) -> None:
    assert model.compiled(name).error == ""


@pytest.mark.slow
def test_no_theorem_of_the_model_assumes_an_axiom(model: Model) -> None:
    output = model.compiled(ASSUMPTIONS).output
    assert compiler.axioms(output) == set()
    assert output.count("Closed under the global context") == 1


@pytest.mark.parametrize(("file", "theorem"), STATED)
def test_the_stated_theorems_are_there(file: str, theorem: str) -> None:
    assert theorem in model_theorems()[file]


# file, what stands there, a false statement in its place; the proof is kept
FALSE = (
    ("weights", "weight 1 = s0 / (s0 + s)", "weight 1 = s / (s0 + s)"),
    ("mse", "tau_sq k = tau_tilde_sq k * (1 + (1 - w k) / W)", "tau_sq k = tau_tilde_sq k * (1 + w k / W)"),
    ("mse", "error_variance (blup k) k = tau_sq k", "error_variance (blup k) k = tau_tilde_sq k"),
    ("comparison", "tau_sq k <= beta * tau_tilde_sq k", "tau_sq k <= tau_tilde_sq k"),
    (
        "comparison",
        "j != k -> 0 < n k -> 0 < n j -> tau_sq k < s / n k",
        "j = k -> 0 < n k -> 0 < n j -> tau_sq k < s / n k",
    ),
    ("widths", "Theorem alpha_le_rt k : alpha <= rt k", "Theorem alpha_le_rt k : rt k <= alpha"),
    ("matrices", "(s0 / (s * (s + s0 * m%:R)))", "(s0 / (s * (s + s0)))"),
    ("counting", "<= most K (\\sum_k m k)%N", "<= most K.+1 (\\sum_k m k)%N"),
    ("regret", "psi t * (K'%:R * g s s0 K 1 + g s s0 K (t.+1 - K))", "psi t * (K%:R * g s s0 K (t.+1 - K))"),
    ("theorem1", "(1 + L n%:R) * (K%:R + rho)", "L K%:R * (K%:R + rho)"),
    ("subgaussian", "n <= K%:R * start\n", "n <= K'%:R * start\n"),
)


@pytest.mark.parametrize(
    ("file", "true", "false"),
    [pytest.param(*case, marks=slow_unless_quick(case[0])) for case in FALSE],
    ids=[f"{file}-{i}" for i, (file, _, _) in enumerate(FALSE)],
)
def test_a_statement_made_false_is_refused(model: Model, file: str, true: str, false: str) -> None:
    text = (model.directory / f"{file}.v").read_text()
    assert text.count(true) == 1
    found = model.compiled_with(text.replace(true, false), f"false_{file}")
    assert not found.ok
    assert "Error" in found.output


def test_a_file_that_needs_a_failed_one_is_not_tried(tmp_path: Path) -> None:
    (tmp_path / "first.v").write_text("Lemma wrong : 1 = 2. Proof. reflexivity. Qed.\n")
    (tmp_path / "second.v").write_text(
        "From ReUCB Require Import first.\nLemma fine : 1 = 1. Proof. reflexivity. Qed.\n"
    )
    found = {c.name: c for c in compiler.compile_all(tmp_path)}
    assert not found["first"].ok
    assert "needs first" in found["second"].output


def test_an_axiom_is_seen(tmp_path: Path) -> None:
    (tmp_path / "cheat.v").write_text("Axiom free : 1 = 2.\nLemma wrong : 1 = 2. Proof. exact free. Qed.\n")
    (tmp_path / "listing.v").write_text(compiler.assumptions_file([("cheat", ["wrong"])]))
    found = {c.name: c for c in compiler.compile_all(tmp_path)}
    assert compiler.axioms(found["listing"].output) == {"free"}


@pytest.mark.parametrize(
    ("check", "unsound", "name"),
    [
        ("Guard", "Fixpoint loop (n : nat) : False := loop n.", "loop"),
        ("Positivity", "Inductive loop := made : (loop -> False) -> loop.", "loop"),
        ("Universe", "Definition loop : Type := Type. Definition within : loop := loop.", "within"),
    ],
)
def test_a_check_of_coq_that_was_switched_off_is_seen(tmp_path: Path, check: str, unsound: str, name: str) -> None:
    (tmp_path / "cheat.v").write_text(f"Unset {check} Checking.\n{unsound}\n")
    (tmp_path / "listing.v").write_text(compiler.assumptions_file([("cheat", [name])]))
    found = {c.name: c for c in compiler.compile_all(tmp_path)}
    assert name in compiler.axioms(found["listing"].output)
