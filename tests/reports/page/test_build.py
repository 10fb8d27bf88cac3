"""The HTML file: identical bytes, small, self-contained, special characters escaped."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from reports.core.panel import Panel, Table
from reports.page import render
from reports.page.build import EFFECTS, effect, in_script
from tests.reports.page.samples import chapter, panel, real_claims, record, report, sample_report
from theory.impact import impact
from theory.kernel.claim import Claim

pytestmark = pytest.mark.xdist_group("page")  # one process builds the page
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&{{7*7}}"


class Tags(HTMLParser):
    """Every tag with its attributes, and the ids."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @property
    def ids(self) -> list[str]:
        return [str(a["id"]) for _, a in self.tags if "id" in a]


@pytest.fixture(scope="module")
def page() -> str:
    return render(sample_report())


def test_same_report_same_bytes(page: str) -> None:
    assert render(sample_report()) == page


def test_small_and_of_no_place_and_time(page: str) -> None:
    assert len(page.encode()) < 5_000_000
    assert str(Path.cwd()) not in page
    assert os.path.expanduser("~") + "/" not in page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page)


def test_nothing_is_fetched(page: str) -> None:
    """Links lead inside the page or to the data beside it; nothing else is loaded."""
    for tag, attributes in Tags(page).tags:
        for name in ("src", "href", "xlink:href", "action", "data", "srcset"):
            if name in attributes:
                assert re.match(r"#|data:image/|data/[a-z0-9-]+\.json$", str(attributes[name])), (
                    tag,
                    attributes,
                )
    assert "@import" not in page
    assert "url(http" not in page


def test_every_link_has_its_target_and_no_id_twice(page: str) -> None:
    tags = Tags(page)
    assert len(set(tags.ids)) == len(tags.ids)
    inner = {str(a["href"])[1:] for _, a in tags.tags if str(a.get("href", "")).startswith("#")}
    assert inner <= set(tags.ids)


def test_the_policy_allows_exactly_the_script(page: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    script = re.search(r"<script>(.*?)</script>", page, re.S)
    assert policy is not None
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src &#39;sha256-{digest}&#39;" in policy[1]
    assert "default-src &#39;none&#39;" in policy[1]
    assert len(re.findall(r"<script(?! type=\"application/json\")", page)) == 1


def test_every_claim_has_its_place(page: str) -> None:
    claims = real_claims()
    assert page.count('<article class="claim') == len(claims)
    assert "<code>\\" not in page  # no formula fell back to source
    for heading in ("Ledger", "Dependencies", "Bound explorer", "Reproduce", "Speed", "Main findings"):
        assert f"<h2>{heading}</h2>" in page


def test_hostile_text_stays_text() -> None:
    claim = record(
        HOSTILE,
        "refuted",
        where=HOSTILE,
        kind=HOSTILE,
        says=HOSTILE,
        why=HOSTILE,
        fails_when=HOSTILE,
        region={"variables": [HOSTILE], "inequality": HOSTILE, "everywhere": False},
        problem=HOSTILE,
        depends_on=[HOSTILE],
        example={HOSTILE: {"text": HOSTILE}},
        impact=[[HOSTILE, f"fails ({HOSTILE})"]],
        evidence=[{"engine": HOSTILE, "check": HOSTILE, "outcome": HOSTILE, "certificate": HOSTILE}],
    )
    wild = Panel(
        "wild",
        HOSTILE,
        HOSTILE,
        panel("wild").svg,
        panel("wild").points[:1],
        Table((HOSTILE,), ((HOSTILE,),)),
        None,
        (HOSTILE,),
        HOSTILE,
        (HOSTILE,),
    )
    page = render(report([claim, record("mine", HOSTILE)], chapter("wild", "bounds", wild, title=HOSTILE)))
    tags = Tags(page)
    assert [tag for tag, _ in tags.tags].count("img") == 0
    assert not any(name.startswith("on") for _, attributes in tags.tags for name in attributes)
    assert [a.get("type") for tag, a in tags.tags if tag == "script"].count(None) == 1
    assert "{{7*7}}" in page  # not run as a template


def test_laws_of_the_model_are_shown_with_those_of_used_claims() -> None:
    own = record("own", laws=["rewards are normal"], laws_itself=["rewards are normal"])
    page = render(report([own, record("user", laws=["rewards are normal"], laws_itself=[])]))
    assert page.count("Laws of the model: rewards are normal") == 1
    assert page.count("Laws of the model, with those of the claims that it uses: rewards are normal") == 1


def test_json_inside_a_script_cannot_leave_it() -> None:
    assert in_script(["</script>&"]) == '["\\u003c/script\\u003e\\u0026"]'


def test_a_report_without_ledger_or_pictures() -> None:
    page = render(report([]))
    assert "This report has no ledger" in page
    assert 'id="explorer"' in page


def named(name: str, cites: tuple[str, ...] = (), repairs: str | None = None) -> Claim:
    return Claim(name, "step", "", lambda: None, cites=cites, repairs=repairs)


def test_effects_are_those_that_the_ledger_describes() -> None:
    """On the texts that `theory.impact` gives: one claim for every kind of effect."""
    verdicts = {"holds": "proved", "repaired": "refuted", "numerical": "supported", "undecided": "open", "fails": "gap"}
    claims = {c.id: c for c in (named("lemma"), named("used"), *(named(word, cites=("lemma",)) for word in verdicts))}
    claims["it"] = named("it", repairs="repaired")
    verdicts |= {"used": "proved", "it": "proved"}
    found = dict(impact("lemma", claims, verdicts, {"used": ("lemma",)}))
    assert set(found) == set(EFFECTS)
    assert {word: effect(text) for word, text in found.items()} == {word: word for word in EFFECTS}
