"""Claims as the page shows them, and their dependency graph."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.page.claims import _name, anchors_of, example, groups, section, titled, views
from reports.page.graph import NARROWEST, layout
from tests.reports.page.samples import EXAMPLE, real_claims, record

# Claims as the page shows them: anchors, sections, counterexamples.


@given(st.lists(st.text(max_size=12), unique=True, max_size=20))
def test_anchors_are_different_and_safe(ids: list[str]) -> None:
    anchors = anchors_of(ids)
    assert all(re.fullmatch(r"claim-[A-Za-z0-9-]+", anchor) for anchor in anchors.values())
    assert len(set(anchors.values())) == len(ids)


def test_anchors_stay_when_a_claim_is_added() -> None:
    assert anchors_of(["sec:tau2", "w-def/bounds"]) == {
        "sec:tau2": "claim-sec-tau2",
        "w-def/bounds": "claim-w-def-bounds",
    }


def test_sections_in_the_order_of_the_paper() -> None:
    wheres = [
        "Beyond the paper, sharp",
        "Appendix, Section sec:fact",
        "Section 10, x",
        "Section 3.2, Eq. MSE",
        "Section 3",
    ]
    found = views([record(str(i), where=where) for i, where in enumerate(wheres)])
    assert list(groups(found)) == [
        "Section 3",
        "Section 3.2",
        "Section 10",
        "Appendix H",
        "Beyond the paper",
    ]
    assert section("Section 5, Theorem them-R-Bayes (1)") == "Section 5"
    assert titled("Section 2") == "Section 2: the model"
    assert titled("Section 99") == "Section 99"


def test_a_counterexample_shows_both_sides() -> None:
    shown = example(record("sec:tau2", "refuted"))
    assert shown is not None
    assert (shown.claimed, shown.found) == ("≥", "<")
    assert shown.left is not None
    assert shown.right is not None
    assert (shown.left.decimal, shown.right.decimal) == ("0.33333", "0.37500")
    assert ["σ" in cell.name for cell in shown.at] == [False, False, True]
    assert example(record("proved")) is None


def test_values_in_words_and_values_too_long() -> None:
    values = {"rewards": {"text": "equal to <mu>"}, "left": {"tex": "1+" * 200 + "1", "decimal": "201.00"}}
    shown = example(record("x", "refuted", example=EXAMPLE | values, relation=None))
    assert shown is not None
    assert shown.at[-1].exact == "equal to &lt;mu&gt;"
    assert shown.left is not None
    assert shown.left.exact == "≈ 201.00"
    assert shown.claimed == ""


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("sigma_sq", "σ2"),
        ("sigma_q_sq", "σq2"),
        ("s_mu", "σμ2"),
        ("K", "K"),
        ("rho", "ρ"),
        ("x_1", "x1"),
        ("Var Beta(9,1)", None),
    ],
)
def test_names_of_parameters(name: str, letters: str | None) -> None:
    shown = _name(name)
    assert re.sub(r"<[^>]*>", "", shown) == (letters or name)
    assert ("<math>" in shown) == (letters is not None)


def test_the_whole_ledger_can_be_shown() -> None:
    claims = real_claims()
    found = views(claims)
    assert list(found) == [c["id"] for c in claims]
    assert sum(len(members) for members in groups(found).values()) == len(claims)
    users = {name for view in found.values() for name in view.used_by}
    assert users == {c["id"] for c in claims if any(d in found for d in c["depends_on"])}


# The dependency graph: every claim and dependency once, inside the picture, the same each time.


def test_every_claim_and_dependency_is_drawn_once() -> None:
    claims = real_claims()
    ids = {c["id"] for c in claims}
    graph = layout(groups(views(claims)))
    assert sorted(node.view.raw["id"] for node in graph.nodes) == sorted(ids)
    uses = [(edge.source, edge.target) for edge in graph.edges if edge.kind == "uses"]
    assert sorted(uses) == sorted({(d, c["id"]) for c in claims for d in c["depends_on"] if d in ids and d != c["id"]})


def test_marks_stay_inside_and_apart() -> None:
    graph = layout(groups(views(real_claims())))
    rows: dict[float, list[float]] = {}
    for node in graph.nodes:
        rows.setdefault(node.y, []).append(node.x)
        assert 0 < node.x < graph.width
        assert 0 < node.y < graph.height
    for xs in rows.values():
        xs.sort()
        assert all(right - left >= NARROWEST - 0.2 for left, right in pairwise(xs))


def test_a_long_section_is_broken_into_rows() -> None:
    graph = layout(groups(views([record(f"c{i}") for i in range(150)])))
    assert [row.title for row in graph.rows] == ["Section 3.1", "", ""]


def test_the_same_ledger_gives_the_same_picture() -> None:
    once, again = (layout(groups(views(real_claims()))) for _ in range(2))
    assert once == again


def test_unknown_names_and_loops_are_tolerated() -> None:
    claims = [record("a", depends_on=["b", "nowhere", "a"]), record("b", depends_on=["a"], repairs="gone")]
    graph = layout(groups(views(claims)))
    assert [(edge.source, edge.target) for edge in graph.edges] == [("b", "a"), ("a", "b")]
    assert all(re.fullmatch(r"M[\d. ]+C[-\d. ]+", edge.path) for edge in graph.edges)
