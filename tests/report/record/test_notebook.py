from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

from tests.support.runs import explore, options_of, written
from unfork.commands.verify.verify import verify

EXAMPLES = Path(__file__).parents[3] / "examples"
NASTY = """
#include <assert.h>
#include "unfork.h"
int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "<script>alert('&')</script>");
  assert(x != 3 && "</pre><b>");
}
"""
PROVED = """
/*@ requires x < 10 && x > -10; ensures \\result <= x; @*/
int same(int x) { return x; }
"""


class Reader(HTMLParser):
    """The elements of a text and what they show; it must be well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: set[str] = set()
        self.shown: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.elements.add(tag)
        assert {name for name, _ in attrs} <= {"min", "max", "value"}

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


def test_a_run_shows_its_verdict_errors_and_coverage(tmp_path: Path) -> None:
    result = explore(EXAMPLES / "ratio.c", tmp_path / "out")
    read = Reader(result._repr_html_())
    assert read.elements == {"div", "b", "meter", "details", "summary", "pre"}
    text = "".join(read.shown)
    assert text.startswith("unsafe (the program can fail)branches 14/14  lines 19/19 ")
    assert f"div-by-zero at {EXAMPLES / 'ratio.c'}:31: division by zero" in text
    assert (
        result.directory / result.errors[0].test.replace("tests", "errors").replace("json", "txt")
    ).read_text() in text


def test_what_the_program_says_is_escaped(tmp_path: Path) -> None:
    result = explore(written(NASTY, tmp_path), tmp_path / "out")
    assert [error.kind for error in result.errors] == ["assert"]
    read = Reader(result._repr_html_())
    assert read.elements == {"div", "b", "meter", "details", "summary", "pre"}
    assert any("</pre><b>" in text for text in read.shown)


def test_proofs_show_their_obligations(tmp_path: Path) -> None:
    proved = verify(written(PROVED, tmp_path), options_of(tmp_path / "out"))
    read = Reader(proved._repr_html_())
    text = "".join(read.shown)
    assert text.startswith("safe (1 function)same: safe (")
    assert "\\result <= x" in text
