"""Tables: in markdown, or as columns whose rows print as they are measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def table(title: str, head: Sequence[str], rows: Iterable[tuple[tuple[str, ...], bool]]) -> int:
    """Prints rows as they come; the exit status is 1 if a row says that it is not good."""
    least = (15, 9, 7, 7, 6, 6, 7, 12, 5, 5, 7)[: len(head)]
    widths = [
        max(len(word), width) for word, width in zip(head, (*least, *[7] * (len(head) - len(least))), strict=True)
    ]
    print(title)
    print("  ".join(word.ljust(width) for word, width in zip(head, widths, strict=True)))
    status = 0
    for cells, good in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip(), flush=True)
        status |= not good
    print()
    return status


def number(count: float) -> str:
    """A count for a table: from a million on by its power of ten."""
    return f"{count:,.0f}" if count < 1e6 else f"{count:.1e}".replace("e+0", "e").replace("e+", "e")


def power(ratio: float) -> str:
    """A ratio as a power of ten."""
    return f"10^{math.log10(ratio):+.1f}"


def mean(ratios: Sequence[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan
