"""The dependency graph: every claim and dependency once, inside the picture, the same each time."""

from __future__ import annotations

import re
from itertools import pairwise

from reports.page.claims import groups, views
from reports.page.graph import NARROWEST, layout
from tests.reports.page.samples import real_claims, record


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


def test_unknown_names_and_loops_do_no_harm() -> None:
    claims = [record("a", depends_on=["b", "nowhere", "a"]), record("b", depends_on=["a"], repairs="gone")]
    graph = layout(groups(views(claims)))
    assert [(edge.source, edge.target) for edge in graph.edges] == [("b", "a"), ("a", "b")]
    assert all(re.fullmatch(r"M[\d. ]+C[-\d. ]+", edge.path) for edge in graph.edges)
