"""The page in a real browser: headless Chromium, one session for all tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from reports.page import render
from reports.page.claims import anchors_of
from reucb import bounds
from tests.reports.page import browser as chromium
from tests.reports.page.samples import POINTS, real_claims, sample_report, worst_error

pytestmark = [
    pytest.mark.skipif(chromium.missing() is not None, reason=str(chromium.missing())),
    pytest.mark.xdist_group("page"),  # one process, one browser
]
ASSETS = Path(__file__).parent / "probes.js"


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Browser]:
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text(render(sample_report()), encoding="utf-8")
    with chromium.opened(folder / "profile") as browser:
        browser.size(1280, 900)
        browser.requests()  # what the empty tab asked for
        browser.go((folder / "index.html").as_uri())
        yield browser


@pytest.fixture
def page(window: chromium.Browser) -> chromium.Browser:
    """The page as after loading: wide, light, unfiltered."""
    window.size(1280, 900)
    window.prefer(prefers_color_scheme="light", prefers_reduced_motion="reduce")
    window.run("""delete document.documentElement.dataset.theme; document.activeElement.blur();
      document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex");
      for (const form of document.forms) form.reset(); Tip.hide(); scrollTo(0, 0);""")
    until_idle(window)
    fold(window)
    return window


def unfold(page: chromium.Browser) -> None:
    """Open every folded part, and remember which were closed."""
    page.run(
        "for (const d of document.querySelectorAll('details:not([open])')) { d.open = true; d.dataset.closed = '' }"
    )


def fold(page: chromium.Browser) -> None:
    """Everything as after loading: what a test opened is closed again."""
    page.run("""document.querySelectorAll("[data-closed]").forEach((d) => { d.open = false; delete d.dataset.closed; });
      document.querySelectorAll("#ledger .chapter, .whole").forEach((d) => { d.open = false; });""")


def until_idle(page: chromium.Browser) -> None:
    """Until timers and the next frame have run."""
    page.run("return new Promise((done) => setTimeout(() => requestAnimationFrame(() => setTimeout(done))))")


def probe(page: chromium.Browser, name: str, *arguments: Any) -> Any:
    return page.run(f"{ASSETS.read_text()}\nreturn {name}(...arguments)", *arguments)


def test_it_loads_without_messages_or_requests(window: chromium.Browser) -> None:
    assert window.complaints() == []
    fetched = [address for address in window.requests() if not address.startswith("data:")]
    assert len(fetched) == 1, fetched
    assert fetched[0].startswith("file://")


def test_the_policy_blocks_requests_and_scripts(page: chromium.Browser) -> None:
    """The control of the test above: requests and scripts that are added to the page are blocked."""
    blocked = page.run("""return new Promise((done) => {
      const seen = new Set();
      const told = () => seen.size >= 3 && done([...seen].sort().concat(window.intruder ?? "none"));
      addEventListener("securitypolicyviolation", (event) => { seen.add(event.effectiveDirective); told(); });
      const script = document.createElement("script");
      script.textContent = "window.intruder = 1";
      document.body.append(script);
      const image = new Image();
      image.src = "https://example.org/x.png";
      fetch("https://example.org/").catch(() => {});
    })""")
    assert blocked == ["connect-src", "img-src", "script-src-elem", "none"]
    page.complaints()  # the refusals above are logged


@pytest.mark.parametrize(("width", "phone"), [(1280, False), (390, True)])
def test_every_formula_and_picture_is_visible(page: chromium.Browser, width: int, phone: bool) -> None:
    page.size(width, 900, phone)
    unfold(page)
    found = probe(page, "invisible")
    assert found == {"math": [], "pictures": []}
    assert page.run("return document.querySelectorAll('math').length") > len(real_claims())


@pytest.mark.parametrize("width", [390, 320, 768, 1280])
def test_nothing_overflows(page: chromium.Browser, width: int) -> None:
    page.size(width, 844, width < 500)
    unfold(page)
    assert probe(page, "overflowing") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(page: chromium.Browser, theme: str) -> None:
    page.prefer(prefers_color_scheme=theme, prefers_reduced_motion="reduce")
    unfold(page)
    found = probe(page, "faint", "body")
    assert found["checked"] > 1000
    assert found["faint"] == []


def test_the_contrast_probe_can_fail(page: chromium.Browser) -> None:
    page.run("document.querySelector('h1').style.color = '#aaa'")
    try:
        assert any("h1" in entry.lower() for entry in probe(page, "faint", "#top")["faint"])
    finally:
        page.run("document.querySelector('h1').style.color = ''")


def test_filters_and_search(page: chromium.Browser) -> None:
    claims = real_claims()
    anchors = anchors_of([c["id"] for c in claims])
    refuted = [anchors[c["id"]] for c in claims if c["verdict"] == "refuted"]
    page.run("document.querySelector('[name=verdict][value=refuted]').click()")
    assert sorted(probe(page, "shown")) == sorted(refuted)
    assert page.run("return document.getElementById('shown').textContent") == f"{len(refuted)} of {len(claims)} claims"
    probe(page, "type", "query", "sec:tau2")
    narrowed = probe(page, "shown")
    assert anchors["sec:tau2"] in narrowed
    assert set(narrowed) < set(refuted)
    probe(page, "type", "query", "no such words at all")
    assert probe(page, "shown") == []
    assert not page.run("return document.getElementById('nothing').hidden")
    page.run("document.getElementById('again').click()")
    until_idle(page)
    assert probe(page, "shown") == []  # folded again
    page.run("document.getElementById('unfold').click()")
    assert len(probe(page, "shown")) == len(claims)
    page.run("document.getElementById('unfold').click()")


@pytest.mark.parametrize(
    ("box", "value", "fits"),
    [
        ("by-kind", "inequality", lambda c: c["kind"] == "inequality"),
        ("by-author", "us", lambda c: c["by"] == "us"),
        ("by-section", "Section 3.1", lambda c: c["section"] == "Section 3.1"),
    ],
)
def test_selections(page: chromium.Browser, box: str, value: str, fits: Callable[[Any], bool]) -> None:
    probe(page, "type", box, value)
    until_idle(page)
    anchors = anchors_of([c["id"] for c in real_claims()])
    assert sorted(probe(page, "shown")) == sorted(anchors[c["id"]] for c in real_claims() if fits(c))


def test_a_link_shows_its_claim_through_the_filters(page: chromium.Browser) -> None:
    claims = real_claims()
    proved = next(c["id"] for c in reversed(claims) if c["verdict"] == "proved")
    anchor = anchors_of([c["id"] for c in claims])[proved]
    page.run("document.querySelector('[name=verdict][value=refuted]').click()")
    page.run("location.hash = arguments[0]", anchor)
    until_idle(page)
    top = page.run("return document.getElementById(arguments[0]).getBoundingClientRect().top", anchor)
    assert 0 <= top < 900
    assert page.run("return document.getElementById(arguments[0]).checkVisibility()", anchor)
    page.run("history.replaceState(null, '', location.pathname)")


def test_the_explorer_agrees_with_python(page: chromium.Browser) -> None:
    points = POINTS[::3]  # Node takes all of them: test_explorer.py
    assert worst_error(points, page.run("return arguments[0].map((p) => explorer.values(p))", points)) < 1e-9


def test_sliders_move_the_numbers_and_the_curves(page: chromium.Browser) -> None:
    before = probe(page, "explorerState")
    assert before["values"]["logarithmic"] == "–"
    assert "needs a ≥ 2" in before["shares"]["logarithmic"]
    probe(page, "type", "box-a", "2")
    until_idle(page)
    after = probe(page, "explorerState")
    expected = bounds.logarithmic(n_arms=50, horizon=10_000, sigma0_sq=0.2**2, sigma_sq=0.25, a=2.0)
    assert float(after["values"]["logarithmic"]) == pytest.approx(expected, rel=5e-4)  # four digits are shown
    assert after["values"]["trivial"] == before["values"]["trivial"]
    assert after["paths"]["theorem1"] != before["paths"]["theorem1"]
    assert after["ranges"]["a"] > before["ranges"]["a"]


def test_an_invalid_number_is_refused(page: chromium.Browser) -> None:
    before = probe(page, "explorerState")
    for value in ("-1", "", "1e99", "2.5"):
        probe(page, "type", "box-K", value)
        until_idle(page)
        assert page.run("return document.getElementById('box-K').getAttribute('aria-invalid')") == "true"
        assert probe(page, "explorerState")["values"] == before["values"]


def test_keyboard(page: chromium.Browser) -> None:
    """Skip link, search by slash, chips by space, sliders by arrows, pictures and graph by arrows."""
    page.press("Tab")
    assert page.run("return document.activeElement.className") == "skip"
    page.press("/")
    assert page.run("return document.activeElement.id") == "query"
    page.run("document.getElementById('range-a').focus()")
    before = page.run("return document.getElementById('box-a').value")
    page.press("Right")
    assert float(page.run("return document.getElementById('box-a').value")) > float(before)
    page.run("document.querySelector('#panel-regret [data-points]').focus()")
    page.press("Right")
    assert page.run("return document.getElementById('tip').textContent") == "x = 1: 2"
    page.press("Right")
    assert page.run("return document.getElementById('tip').textContent") == "x = 1.87: 3.75"
    page.press("Escape")
    assert page.run("return document.getElementById('tip').hidden")
    page.run("document.querySelector('.nodes [tabindex=\"0\"]').focus()")
    first = page.run("return document.activeElement.getAttribute('href')")
    assert page.run("return document.querySelector('.map').classList.contains('active')")
    page.press("Down")
    second = page.run("return document.activeElement.getAttribute('href')")
    assert second != first
    page.press("Enter")
    assert page.run("return location.hash") == second
    until_idle(page)
    assert page.run("return document.querySelector(location.hash).checkVisibility()")
    page.run("history.replaceState(null, '', location.pathname)")


def test_focus_is_seen(page: chromium.Browser) -> None:
    for _ in range(12):
        page.press("Tab")
        seen = page.run("""const it = document.activeElement, look = getComputedStyle(it.closest(".chip") ?? it);
          const ring = it.closest(".map") && getComputedStyle(it.firstChild).strokeWidth;
          if (ring) return [it.outerHTML, "ring", parseFloat(ring)];
          return [it.outerHTML.slice(0, 80), look.outlineStyle, parseFloat(look.outlineWidth)];""")
        assert seen[1] != "none", seen
        assert seen[2] >= 2, seen


def test_pointing_shows_the_numbers(page: chromium.Browser) -> None:
    place = page.run("""const frame = document.querySelector("#panel-regret [data-points]");
      const svg = frame.querySelector("svg");
      frame.scrollIntoView({block: "center"});
      const [x, y] = JSON.parse(document.getElementById("points-regret").textContent)[5];
      const at = new DOMPoint(x, y).matrixTransform(svg.getScreenCTM()); return [at.x, at.y];""")
    page.point(place[0] + 2, place[1] - 1)
    assert page.run("return document.getElementById('tip').hidden") is False
    assert page.run("return document.getElementById('tip').textContent") == "x = 23.1: 46.2"


@pytest.mark.parametrize("whole", [False, True])
def test_what_a_defect_affects_is_highlighted(page: chromium.Browser, whole: bool) -> None:
    unfold(page)
    refuted = [c for c in real_claims() if c["verdict"] == "refuted" and (whole or c["id"] == "sec:tau2")]
    widest = max(refuted, key=lambda c: len(c["impact"]))
    anchor = anchors_of([c["id"] for c in real_claims()])[widest["id"]]
    map = "graph-data" if whole else "results-data"
    mark = f'[data-map="{map}"] .nodes a[href="#{anchor}"]'
    page.run("document.querySelector(arguments[0]).focus()", mark)
    lit = page.run("return document.querySelectorAll(`[data-map='${arguments[0]}'] .nodes .hit`).length", map)
    told = page.run("return document.querySelector(`[data-map='${arguments[0]}'] .told`).textContent", map)
    assert widest["id"] in told
    assert lit >= 1
    if whole:
        assert lit == len(widest["impact"])
        assert f"{lit} claim" in told


def test_the_page_is_short_at_load(page: chromium.Browser) -> None:
    """Proofs, claims and most pictures open on demand."""
    assert page.run("return document.documentElement.scrollHeight") < 15_000
    unfold(page)
    assert page.run("return document.documentElement.scrollHeight") > 60_000


def test_every_finding_links_to_a_place_that_opens(page: chromium.Browser) -> None:
    links = page.run("return [...document.querySelectorAll('.findings a')].map((a) => a.hash)")
    assert len(links) >= 6
    for link in links:
        page.run("document.querySelector(`.findings a[href='${arguments[0]}']`).click()", link)
        until_idle(page)
        assert page.run("return document.querySelector(arguments[0]).checkVisibility()", link)
    page.run("history.replaceState(null, '', location.pathname)")


def test_printing_opens_everything_and_closes_it_again(page: chromium.Browser) -> None:
    count = "return document.querySelectorAll('details:not([open])').length"
    closed = page.run(count)
    assert closed > 400
    page.run("dispatchEvent(new Event('beforeprint'))")
    assert page.run(count) == 0
    page.run("dispatchEvent(new Event('afterprint'))")
    assert page.run(count) == closed


def test_theme_button(page: chromium.Browser) -> None:
    paper = "return getComputedStyle(document.body).backgroundColor"
    light = page.run(paper)
    page.run("document.getElementById('theme').click()")
    dark = page.run(paper)
    assert dark != light
    page.run("document.getElementById('theme').click()")
    assert page.run(paper) == light


def test_structure(page: chromium.Browser) -> None:
    """One first heading, no level skipped, everything named."""
    assert probe(page, "structure") == {"skipped": [], "unnamed": [], "h1": 1}


def test_on_paper(page: chromium.Browser) -> None:
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    page.devtools("Emulation.setEmulatedMedia", media="print", features=dark)
    try:
        assert page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert page.run("return getComputedStyle(document.querySelector('.bar')).display") == "none"
        page.size(740, 1000)
        assert probe(page, "overflowing") == []
    finally:
        page.devtools("Emulation.setEmulatedMedia", media="")


def test_no_message_after_all_tests(window: chromium.Browser) -> None:
    assert window.complaints() == []
