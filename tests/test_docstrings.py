"""Docstrings: numpydoc sections that name every parameter and no other, and examples that print what they say."""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import textwrap
from dataclasses import fields

import pytest

import reucb
import reucb.bounds
import reucb.engine
import reucb.files
import reucb.policies
import reucb.rewards
import theory.kernel.argument
import theory.kernel.claim
import theory.kernel.goal

SECTIONS = ("Parameters", "Attributes", "Returns", "Raises", "Notes", "Examples")

# Objects that functions of the package return. Users do not construct them: Attributes takes the place of Parameters.
RETURNED = {"Fit", "VarianceComponents", "Agent", "Result", "Run", "Certificate", "Subset"}

# Frozen descriptions with fields of their own, listed as Attributes.
FIELDS = {"Goal", "Rel", "Var"}

# The public names of `theory`.
PROMISED = {
    theory.kernel.argument: ("proof", "refuted", "misprint", "gap"),
    theory.kernel.claim: ("claim",),
    theory.kernel.goal: ("Goal", "Rel", "Var", "positive", "at_least", "real"),
}

# Public functions of modules that `reucb` does not export as a whole.
OTHERS = (reucb.files.atomic_file, reucb.policies.policy_from, reucb.rewards.law_from)

# Methods between a policy or reward law and the engine. Users do not call them, so they need no example.
HOOKS = {"rule", "kernel", "check_means", "stream"}


def public() -> dict[str, object]:
    """Every public function and class by its full name, with the public methods and properties of the classes."""
    found = {}
    for module in (reucb, reucb.bounds):
        for name in module.__all__:
            value = getattr(module, name)
            if not callable(value):
                continue  # reucb.bounds, __version__
            found[f"{module.__name__}.{name}"] = value
            for method, own in vars(value).items() if inspect.isclass(value) else ():
                if not method.startswith("_") and isinstance(own, (classmethod, property)):
                    found[f"{module.__name__}.{name}.{method}"] = own if isinstance(own, property) else own.__func__
                elif not method.startswith("_") and inspect.isfunction(own):
                    found[f"{module.__name__}.{name}.{method}"] = own
    engine = (name for name in reucb.engine.__all__ if callable(getattr(reucb.engine, name)))
    found.update({f"reucb.engine.{name}": getattr(reucb.engine, name) for name in engine})
    found.update({f"{value.__module__}.{value.__name__}": value for value in OTHERS})
    for module, names in PROMISED.items():
        found.update({f"{module.__name__}.{name}": getattr(module, name) for name in names})
    return found


def sections(text: str) -> dict[str, str]:
    """The text of each section, in the order of the docstring."""
    parts = re.split(r"^(\w+)\n-+$", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def described(section: str) -> set[str]:
    """The names that a section of parameters describes."""
    lines = [line.split(" : ")[0] for line in section.splitlines() if line and not line.startswith(" ")]
    return {name.strip().lstrip("*") for line in lines for name in line.split(",")}


def raises(function: object) -> bool:
    """Whether the body of a function has a raise statement."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) for node in ast.walk(tree))


def problems(name: str, value: object) -> list[str]:
    """What the docstring lacks."""
    text = inspect.getdoc(value)
    if not text:
        return ["no docstring"]
    if isinstance(value, property):
        return []
    found, short = sections(text), name.split(".")[-1]
    order = [SECTIONS.index(section) for section in found if section in SECTIONS]
    wrong = [] if order == sorted(order) else [f"sections in the order {', '.join(found)}"]
    wrong += [f"unknown section {section}" for section in found if section not in SECTIONS]
    signature = inspect.signature(value)
    parameters = set(signature.parameters) - {"self", "cls"}
    needed = {"Examples"} - ({"Examples"} if short in HOOKS else set())
    if inspect.isclass(value) and short in RETURNED:
        needed.add("Attributes")
    elif inspect.isclass(value) and short in FIELDS:
        if described(found.get("Attributes", "")) != {field.name for field in fields(value)}:
            wrong.append(f"Attributes describes {sorted(described(found.get('Attributes', '')))}")
    elif parameters != described(found.get("Parameters", "")):
        wrong.append(f"Parameters describes {sorted(described(found.get('Parameters', '')))}, not {sorted(parameters)}")
    if inspect.isfunction(value):
        if signature.return_annotation not in (None, "None"):
            needed.add("Returns")
        if raises(value):
            needed.add("Raises")
    return wrong + [f"no section {section}" for section in sorted(needed - set(found))]


PUBLIC = public()


@pytest.mark.parametrize("name", PUBLIC)
def test_sections(name):
    assert problems(name, PUBLIC[name]) == []


def test_exemptions_are_used():
    names = {name.split(".")[-1] for name in PUBLIC}
    assert names >= RETURNED | HOOKS | FIELDS


def test_a_docstring_without_sections_fails():
    def bare(a: int, b: int) -> int:
        """The sum."""
        if a < 0:
            raise ValueError(a)
        return a + b

    assert problems("bare", bare) == [
        "Parameters describes [], not ['a', 'b']",
        "no section Examples",
        "no section Raises",
        "no section Returns",
    ]


def test_a_parameter_that_is_missing_or_misspelt_fails():
    def partly(a: int, b: int) -> None:
        """Nothing.

        Examples
        --------
        >>> None

        Parameters
        ----------
        a, c : int
            Numbers.
        """

    assert problems("partly", partly) == [
        "sections in the order Examples, Parameters",
        "Parameters describes ['a', 'c'], not ['a', 'b']",
    ]


FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
MODULES = sorted(m.name for m in pkgutil.walk_packages(reucb.__path__, "reucb.") if not m.name.startswith("reucb._"))


def examples(module):
    return [test for test in doctest.DocTestFinder().find(importlib.import_module(module)) if test.examples]


@pytest.mark.parametrize("module", MODULES)
def test_examples_of_a_module(module):
    for test in examples(module):
        failed, _ = doctest.DocTestRunner(optionflags=FLAGS).run(test)
        assert not failed, test.name


@pytest.mark.parametrize("name", [name for name in PUBLIC if name.startswith(("theory.", "reucb.engine."))])
def test_examples_of_a_function(name):
    """Of functions that are defined elsewhere than in a public module of `reucb`."""
    (test,) = doctest.DocTestFinder(recurse=False).find(PUBLIC[name], name)
    assert test.examples
    assert not doctest.DocTestRunner(optionflags=FLAGS).run(test).failed


def test_a_wrong_example_fails(capsys):
    test = doctest.DocTestParser().get_doctest(">>> 1 + 1\n3\n", {}, "wrong", None, None)
    assert doctest.DocTestRunner(optionflags=FLAGS).run(test).failed == 1
    assert "Expected" in capsys.readouterr().out
