"""Nothing of the program is markup, script or a control character on the page."""

from __future__ import annotations

import re
import unicodedata
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.report.page.chromium import Browser
from tests.report.page.pages import data_in
from tests.report.page.pages import written as page_of
from tests.support.runs import explore

NAME = "<script>alert(1)<'\"&amp;>\x1b[31m\u202e.c"
PROGRAM = """\
#include "unfork.h"
/* </script><script>document.title = "owned"</script> \x1b[31m \u202e */
int main(void) {
  char text[4];
  unfork_symbolic(text, sizeof text, "</script><img src=x onerror=alert(1)>\\"'&amp;\x1b");
  if (text[0] == '<')
    unfork_check(text[1] != '/');
  return 0;
}
"""


class _Reader(HTMLParser):
    """Collects the elements and attributes of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.title = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.elements[-1:] and self.elements[-1][0] == "title":
            self.title += data.strip()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    source = folder / NAME
    source.write_text(PROGRAM)
    explore(source, folder / "run", "--native-check", "never")
    return page_of(folder / "run")


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (key, *_texts(each))]
    return [text for each in value for text in _texts(each)] if isinstance(value, list) else []


def test_the_document_has_no_element_of_the_program(page: Path) -> None:
    reader = _Reader()
    text = page.read_text()
    reader.feed(text)
    assert sum(tag == "script" for tag, _ in reader.elements) == 2
    assert not any(tag in ("img", "iframe", "link", "object", "embed", "base") for tag, _ in reader.elements)
    for tag, attributes in reader.elements:
        assert not any(name.startswith("on") or name in ("style", "src", "srcset") for name in attributes), tag
    assert "<script>" in reader.title and "\x1b" not in reader.title
    policy = next(each["content"] for _, each in reader.elements if each.get("http-equiv"))
    assert policy is not None and "default-src 'none'" in policy and "unsafe" not in policy
    assert len(re.findall(r"sha256-[\w+/]{43}=", policy)) == 2


def test_no_text_has_control_characters(page: Path) -> None:
    for text in _texts(data_in(page.read_text())):
        assert not any(unicodedata.category(character) in ("Cc", "Cf", "Cs") for character in text), text


def test_a_browser_shows_it_as_text(page: Path, browser: Browser) -> None:
    browser.said.clear()
    browser.open(page, "#finding/0")
    assert "owned" not in browser.value("document.title")
    assert browser.value("document.getElementById('program').textContent").startswith("<script>alert(1)")
    assert browser.value("document.getElementById('program').title").startswith("/")
    assert browser.value("document.querySelectorAll('img, main script, main iframe').length") == 0
    code = browser.value("document.getElementById('code').textContent")
    assert '</script><script>document.title = "owned"' in code and "\u241b[31m" in code
    assert "onerror=alert(1)" in browser.value("document.getElementById('detail').textContent")
    assert browser.said == []
