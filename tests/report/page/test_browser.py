"""The page in a headless browser, as a person uses it: with the mouse, with keys alone, in the dark, on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.report.page.chromium import Browser
from tests.report.page.pages import data_of


@pytest.fixture(autouse=True)
def quiet(browser: Browser) -> Iterator[None]:
    """No test may make the page complain, or ask for anything but itself."""
    browser.said.clear()
    browser.asked.clear()
    yield
    assert browser.said == []
    assert all(url.startswith(("file:///", "about:blank")) and url.count("file:") == 1 for url in browser.asked)
    assert {url.partition("#")[0].rpartition("/")[2] for url in browser.asked} <= {
        "report.html",
        "about:blank",
        "blank",
    }
    browser.size(1440, 900)
    browser.dark(is_dark=False)


def _text(browser: Browser, selector: str) -> str:
    return str(browser.value(f"document.querySelector({selector!r}).textContent"))


def test_a_click_on_an_error_shows_its_path(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html", "#run")
    assert _text(browser, "#detail h2") == "The run"
    browser.click("a.item.error")
    browser.wait("document.querySelector('#detail h2').textContent === 'out-of-bounds'")
    titles = browser.value("[...document.querySelectorAll('#detail section h2')].map((each) => each.textContent)")
    assert [title.rstrip("0123456789") for title in titles] == [
        *("Inputs", "Stack", "Steps", "Path condition", "Forks and joins")
    ]
    data = data_of(regexp)
    finding = data["findings"][0]
    test = next(test for test in data["tests"] if test["name"] == finding["test"])
    assert browser.value("document.querySelectorAll('.steps li').length") == len(test["walk"]["steps"])
    assert browser.value("document.querySelectorAll('.conditions li').length") == len(test["conditions"])
    assert test["inputs"][0]["bytes"] in _text(browser, ".inputs")
    lines = {data["places"][step[0]][1] for step in test["walk"]["steps"]}
    marked = browser.value("[...document.querySelectorAll('.row.visited')].map((row) => Number(row.dataset.line))")
    assert set(marked) == lines
    here = browser.value("Number(document.querySelector('.row.here').dataset.line)")
    assert here == data["places"][finding["place"]][1]
    assert browser.value("location.hash") == "#finding/0"


def test_figures_of_the_head_are_those_of_the_summary(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html")
    summary = data_of(regexp)["summary"]
    figures = browser.value(
        "Object.fromEntries([...document.querySelectorAll('#stats dd')]"
        ".map((each) => [each.dataset.figure, each.textContent]))"
    )
    branches = summary["coverage"]["branches"]
    assert figures["errors"] == str(len(summary["errors"]))
    assert figures["branches"] == f"{branches['covered']}/{branches['total']}"
    assert figures["paths"] == f"{summary['paths']['completed']:,}"
    assert figures["forks"] == f"{summary['forks']:,}"
    ends = dict(data_of(regexp)["totals"]["ends"])
    legend = browser.value(
        "Object.fromEntries([...document.querySelectorAll('#legend b')]"
        ".map((each) => [each.dataset.end, each.textContent]))"
    )
    assert legend == {end: f"{count:,}" for end, count in ends.items()}


def test_the_graph_zooms_and_its_states_can_be_chosen(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html")
    shown = "['from', 'to', 'drawn'].map((name) => Number(document.getElementById('canvas').dataset[name]))"
    left, right, drawn = browser.value(shown)
    assert left == 0 and right == max(data_of(regexp)["graph"]["width"]) and drawn > 50
    x, y = browser.value(
        "(() => { const box = document.getElementById('canvas').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + 3]; })()"
    )
    browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=-300)
    browser.wait(f"({shown})[1] - ({shown})[0] < {right / 2}")
    browser.click("#zoom-fit")
    browser.wait(f"({shown})[1] === {right}")
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseReleased", x, y, button="left", clickCount=1)
    browser.wait("location.hash === '#state/0'")
    assert _text(browser, "#detail h2") == "State 0"
    browser.mouse("mouseMoved", x + 2, y)
    browser.wait("!document.getElementById('tip').hidden")
    assert "state 0" in _text(browser, "#tip")


def test_the_graph_is_dragged_with_the_left_button_alone(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html")
    left = "Number(document.getElementById('canvas').dataset.from)"
    browser.click("#zoom-in")
    browser.wait(f"{left} > 0")
    before = browser.value(left)
    x, y = browser.value(
        "(() => { const box = document.getElementById('canvas').getBoundingClientRect();"
        "return [box.x + box.width / 2, box.y + 9]; })()"
    )
    browser.mouse("mousePressed", x, y, button="right", clickCount=1)
    browser.mouse("mouseMoved", x + 90, y)
    browser.mouse("mouseReleased", x + 90, y, button="right", clickCount=1)
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.value("document.getElementById('canvas').dispatchEvent(new PointerEvent('pointercancel'))")
    browser.mouse("mouseMoved", x + 90, y)
    browser.wait("!document.getElementById('tip').hidden")
    assert browser.value(left) == before
    browser.mouse("mouseReleased", x + 90, y, button="left", clickCount=1)
    browser.mouse("mousePressed", x, y, button="left", clickCount=1)
    browser.mouse("mouseMoved", x + 90, y, button="left")
    browser.wait(f"{left} < {before}")
    browser.mouse("mouseReleased", x + 90, y, button="left", clickCount=1)


def test_everything_can_be_done_with_keys(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html")
    assert browser.value("location.hash") == "#finding/0"
    browser.key("n")
    browser.wait("location.hash === '#finding/1'")
    browser.key("p")
    browser.wait("location.hash === '#finding/0'")
    browser.key("]")
    browser.wait("location.hash === '#test/0'")
    browser.key("r")
    browser.wait("document.querySelector('#detail h2').textContent === 'The run'")
    browser.key("2")
    assert browser.value("document.activeElement.id") == "code"
    for _ in range(3):
        browser.key("j")
    browser.key("Enter")
    browser.wait("/^#line\\/0\\/\\d+$/.test(location.hash)")
    browser.key("4")
    assert browser.value("document.activeElement.id") == "canvas"
    browser.key("ArrowDown")
    browser.wait("location.hash === '#state/0'")
    browser.key("ArrowDown")
    browser.wait("location.hash !== '#state/0'")
    browser.key("ArrowUp")
    browser.wait("location.hash === '#state/0'")
    browser.key("+")
    canvas = "document.getElementById('canvas').dataset"
    browser.wait(f"Number({canvas}.to) - Number({canvas}.from) < {max(data_of(regexp)['graph']['width'])}")
    browser.key("1")
    assert browser.value("document.activeElement.matches('#lists a')")
    browser.key("Enter")
    browser.wait("document.querySelector('[aria-current]') === document.activeElement")
    browser.key("?")
    browser.wait("document.getElementById('keys').open")
    browser.key("Escape")
    browser.wait("!document.getElementById('keys').open")


def test_tab_reaches_every_part(browser: Browser, regexp: Path) -> None:
    browser.open(regexp / "report.html")
    met = set()
    for _ in range(120):
        browser.key("Tab")
        met.add(browser.value("(document.activeElement.closest('#lists, #source, #detail, #graph, #head') || {}).id"))
    assert {"lists", "source", "graph", "head"} <= met


def test_light_and_dark(browser: Browser, regexp: Path) -> None:
    browser.dark(is_dark=True)
    browser.open(regexp / "report.html")
    colour = "getComputedStyle(document.getElementById('source')).backgroundColor"
    dark = browser.value(colour)
    browser.key("t")
    browser.wait(f"{colour} !== '{dark}'")
    light = browser.value(colour)
    browser.key("t")
    browser.wait(f"{colour} === '{dark}'")
    browser.dark(is_dark=False)
    browser.wait(f"{colour} === '{light}'")


def test_on_a_phone_one_part_is_seen_at_a_time(browser: Browser, regexp: Path) -> None:
    browser.size(390, 844, scale=2)
    browser.open(regexp / "report.html")
    seen = (
        "['lists', 'source', 'detail', 'graph'].filter((id) => document.getElementById(id).getClientRects().length > 0)"
    )
    assert browser.value(seen) == ["lists"]
    assert browser.value("document.documentElement.scrollWidth") <= 390
    browser.click("a.item.error")
    browser.wait("document.body.dataset.tab === 'detail'")
    assert browser.value(seen) == ["detail"]
    browser.click(".stack .place")
    browser.wait("document.body.dataset.tab === 'source'")
    assert browser.value(seen) == ["source"]
    browser.click("#tabs [data-tab=graph]")
    browser.wait("document.body.dataset.tab === 'graph'")
    assert browser.value("document.getElementById('canvas').clientHeight") > 300


def test_joins_and_covers_are_told(browser: Browser, joined: Path, learnt: Path) -> None:
    graph = data_of(joined)["graph"]
    child = graph["id"][graph["bridges"][1]]
    browser.open(joined / "report.html", f"#state/{child}")
    assert "joined from" in _text(browser, "#detail .facts")
    graph = data_of(learnt)["graph"]
    cover = next(row for row in graph["covers"] if row[1] >= 0 and graph["learnt"].get(str(row[5])))
    browser.open(learnt / "report.html", f"#state/{graph['id'][cover[0]]}")
    assert f"by state{graph['id'][cover[1]]} " in _text(browser, "#detail")
    assert graph["learnt"][str(cover[5])][0] in _text(browser, "#detail .conditions")


def test_addresses_of_nothing_show_the_run(browser: Browser, regexp: Path) -> None:
    for hash in ("#finding/99", "#test/-1", "#state/123456789", "#line/7/1", "#nothing", "#%E0%A4%A"):
        browser.open(regexp / "report.html", hash)
        assert _text(browser, "#detail h2") == "The run", hash
