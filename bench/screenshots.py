"""Makes docs/screenshots anew: the pages of a matcher of patterns, a list on the heap, and a tool of coreutils.

    python -m bench.screenshots [--examples] [--work DIR] [--tool NAME] [--seconds S]

Wants Chromium. Coreutils are fetched and built as bench/coreutils.py does, into DIR, unless they are there.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from bench.coreutils import build
from bench.known_bugs import Debian
from bench.measure import WORLD
from tests.report.page.chromium import MISSING, Browser, program
from unfork.cli import main as unfork

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "screenshots"
WIDE, PHONE = (1440, 900), (390, 844)
LARGEST = 300_000
"""Bytes of a picture."""


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of a page. ``tab`` is the part that a phone shows."""

    name: str
    page: Path
    hash: str
    size: tuple[int, int] = WIDE
    is_dark: bool = False
    tab: str | None = None


def built(work: Path, tool: str) -> Path:
    """The bitcode of a tool of coreutils."""
    release = Debian("coreutils", "9.1")
    tree = work / f"{release.name}-{release.version}"
    if not (tree / "src" / f"{tool}.bc").exists():
        work.mkdir(parents=True, exist_ok=True)
        tree = build(work)
    return tree / "src" / f"{tool}.bc"


def run(out: Path, *words: str) -> Path:
    """The page of a run."""
    unfork(["run", *words, "--out", str(out), "--quiet", "--no-progress"])
    unfork(["report", str(out)])
    return out / "report.html"


def shots_of_tool(folder: Path, bitcode: Path, seconds: float) -> list[Shot]:
    """The pictures of a tool of coreutils, after its run."""
    os.chdir(bitcode.parent)
    tool = run(folder / "tool", bitcode.name, *WORLD, "--max-time", str(seconds))
    return [Shot("coreutils", tool, "#run"), Shot("coreutils-dark", tool, "#test/12", is_dark=True)]


def shots_of_examples(folder: Path) -> list[Shot]:
    """The other pictures, after the runs that they are of."""
    os.chdir(ROOT)
    regexp = run(folder / "regexp", "examples/regexp.c")
    joined = run(folder / "joined", "-D", "SIZE=3", "examples/regexp.c", "--strategy", "join", "--cores", "1")
    lists = "-D BUG bench/programs/list_partition.c --function partition --requires acyclic --prune subsume".split()
    heap = run(folder / "heap", *lists, "--abstract", "list", "--libc", "none")
    return [
        Shot("regexp", regexp, "#finding/0"),
        Shot("regexp-joined-dark", joined, "#finding/0", is_dark=True),
        Shot("heap", heap, "#finding/0"),
        Shot("phone-path", regexp, "#finding/0", PHONE),
        Shot("phone-source", regexp, "#finding/0", PHONE, tab="source"),
        Shot("phone-graph-dark", heap, "#finding/0", PHONE, is_dark=True, tab="graph"),
    ]


def take(shot: Shot, browser: Browser) -> None:
    """Take a picture, and say how large it is."""
    browser.size(*shot.size)
    browser.dark(is_dark=shot.is_dark)
    browser.open(shot.page, shot.hash)
    if shot.tab is not None:
        browser.click(f"#tabs [data-tab={shot.tab}]")
    browser.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    data = browser.picture()
    if len(data) > LARGEST:
        sys.exit(f"{shot.name}.png: {len(data):,} bytes, more than {LARGEST:,}")
    (FOLDER / f"{shot.name}.png").write_bytes(data)
    print(f"docs/screenshots/{shot.name}.png  {len(data):,} bytes")


def main() -> None:
    """Make all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "unfork-coreutils")
    parser.add_argument("--examples", action="store_true", help="only the pictures that want no coreutils")
    parser.add_argument("--tool", default="uniq")
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    if program() is None:
        sys.exit(f"screenshots: {MISSING}")
    sys.path.insert(0, str(ROOT / "bench"))
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="unfork-screenshots-") as name, Browser() as browser:
        folder = Path(name)
        pictures = shots_of_examples(folder)
        if not given.examples:
            pictures += shots_of_tool(folder, built(given.work, given.tool).resolve(), given.seconds)
        for shot in pictures:
            take(shot, browser)
        if browser.said:
            sys.exit(f"the pages complain: {browser.said}")


if __name__ == "__main__":
    main()
