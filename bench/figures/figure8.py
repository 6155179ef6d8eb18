"""Figure 8 of Kuznetsov12: what does merging cost in coverage? Branches of dynamic and static beside none's."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bench.figures.runs import SCHEDULES, Ran, arguments
from bench.tables import markdown

HEAD = ("tool", "none: branches", "dynamic", "static")


def change(ran: Ran, plain: Ran) -> float:
    """Per cent of plain exploration's branches."""
    return 100 * (ran.branches - plain.branches) / max(1, plain.branches)


def main(words: Sequence[str]) -> int:
    """The table; tools that plain exploration exhausts say nothing here."""
    given = arguments(words, __doc__, 10)
    rows = []
    changes: dict[str, list[float]] = {"dynamic": [], "static": []}
    for tool in given.tools:
        plain = given.runner.run(tool, given.seconds, SCHEDULES["none"])
        if plain.exhausted:
            continue
        cells = []
        for name, found in changes.items():
            ran = given.runner.run(tool, given.seconds, SCHEDULES[name])
            found.append(change(ran, plain))
            cells.append(f"{ran.branches} ({found[-1]:+.0f} %)")
        rows.append((tool, str(plain.branches), *cells))
    summary = "; ".join(f"{name}: median {median(found):+.1f} %" for name, found in changes.items())
    print(f"{len(rows)} tools. {summary}.\n\n{markdown(HEAD, rows)}")
    return 0
