"""The site of the documentation: every page has its place, figures are of today, nothing is fetched."""

from __future__ import annotations

import re
import runpy
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MKDOCS = ROOT / ".venv-docs" / "bin" / "mkdocs"
DRAW = runpy.run_path(str(DOCS / "figures" / "draw.py"))
_FETCHED = re.compile(r"<(?:script|img|iframe|link(?![^>]*canonical))[^>]*(?:src|href)=\"?(https?:)?//", re.I)


def test_every_page_is_in_the_navigation() -> None:
    listed = re.findall(r"([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
    pages = sorted(str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md"))
    assert sorted(listed) == [page for page in pages if not page.startswith("history/")]  # which is not on the site


@pytest.mark.parametrize("figure", DRAW["FIGURES"])
def test_figures_are_what_unfork_draws(figure: str, tmp_path: Path) -> None:
    drawn = DRAW["dot_of"](figure, tmp_path / "out")
    assert (DOCS / "figures" / f"{figure}.dot").read_text() == drawn, "run 'make figures'"
    picture = (DOCS / "figures" / f"{figure}.svg").read_text()
    for number in re.findall(r"^  n(\d+) \[label", drawn, re.MULTILINE):
        assert f"<title>n{number}</title>" in picture, "run 'make figures'"


def test_the_heap_is_what_unfork_draws(tmp_path: Path) -> None:
    assert (DOCS / "figures" / "heap.svg").read_text() == DRAW["heap_of"](tmp_path / "out"), "run 'make figures'"


@pytest.mark.skipif(not MKDOCS.exists(), reason="make docs has not set up mkdocs")
def test_the_site_has_no_broken_link_and_fetches_nothing(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [str(MKDOCS), "--quiet", "build", "--strict", "--site-dir", str(site)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.rglob("*.md")))  # and the one for what is not found
    for page in pages:
        assert _FETCHED.search(page.read_text()) is None, page
