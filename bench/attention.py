"""Where the states of a run go, and what that brings: per tool of coreutils, by strategy and function.

``python bench/attention.py --work DIR --tools tr,head --cpu 30`` explores each tool until all its processes together
have used so many seconds of processors. The sources are those of bench/coreutils.py, fetched and built if they are not
there yet. The table has, for each strategy, its share of the work, the states that it made and the branch edges that it
was first to cover, and the functions that most of its states were born in. ``--options`` are words for ``unfork run``.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from coreutils import Limit, build, explore

TOOLS = "basename,cat,comm,cut,expand,fold,head,join,nl,paste,seq,tac,tr,tsort,unexpand,wc"
FUNCTIONS = 5
"""Rows for each strategy."""


@dataclass(frozen=True, slots=True)
class Row:
    """What a strategy has spent on a function, in microseconds or so, and what came of it."""

    strategy: str
    function: str
    born: int
    work: int
    news: int


def rows(run: Path) -> list[Row]:
    """What run.db says."""
    with closing(sqlite3.connect(f"file:{run / 'run.db'}?mode=ro", uri=True)) as database:
        return [
            Row(strategy, function or "-", *counts)
            for strategy, function, *counts in database.execute(
                "SELECT strategy, function, born, work, news FROM attention ORDER BY born DESC, work DESC"
            )
        ]


def table(run: Path) -> Iterator[str]:
    """A line for each strategy of a run, and below it its functions."""
    found = rows(run)
    standings = json.loads((run / "summary.json").read_text())["strategies"]
    work = sum(row.work for row in found) or 1
    for strategy in dict.fromkeys(row.strategy for row in found):
        own = [row for row in found if row.strategy == strategy]
        born, spent = sum(row.born for row in own), sum(row.work for row in own)
        first = [each["edges_first"] for each in standings if each["name"] == strategy]
        yield (
            f"  {strategy or 'alone':<8} {spent / work:4.0%} of the work, {born:,} states, "
            f"{sum(row.news for row in own)} edges, {first[0] if first else '-'} of them first"
        )
        for row in own[:FUNCTIONS]:
            yield (
                f"    {row.born / max(born, 1):4.0%} of the states, {row.work / max(spent, 1):4.0%} of the work, "
                f"{row.news:>4} edges  {row.function}"
            )


def main(words: Sequence[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "unfork-coreutils")
    parser.add_argument("--tools", default=TOOLS)
    parser.add_argument("--cpu", type=float, default=30)
    parser.add_argument("--runs", default="attention", help="folder below --work for the run directories")
    parser.add_argument("--options", default="", help="options of unfork run, as one word")
    options = parser.parse_args(words)
    options.work.mkdir(parents=True, exist_ok=True)
    runs = (options.work / options.runs).resolve()
    runs.mkdir(exist_ok=True)
    folder = build(options.work.resolve()) / "src"
    for name in options.tools.split(","):
        tool = explore(folder, runs, Limit(options.cpu, of_processors=True), options.options.split(), False, name)
        (covered, total), (every, of) = tool.own, tool.everything
        print(
            f"{name}: {covered} of {total} edges of its own file ({covered / max(total, 1):.0%}), {every} of {of} "
            f"of all, {tool.tests} tests, {tool.cpu:g} CPU s {tool.trouble}",
            flush=True,
        )
        for line in table(runs / f"{name}.run"):
            print(line, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
