"""Figure 5 of Kuznetsov12: how many times sooner does static merging end than none, as the symbolic input grows?"""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.growing import MERGED, PLAIN, TOOLS, grown
from bench.figures.runs import arguments
from bench.tables import markdown, mean


def main(words: Sequence[str]) -> int:
    """The speed-up of each tool at each size, the best and the mean of all."""
    given = arguments(words, __doc__, 15, TOOLS)
    found = list(grown(given, (PLAIN, MERGED)))
    sizes = sorted({one.size for one in found})
    cells = {(one.tool, one.size): one.shown for one in found}
    rows = [[tool, *[cells.get((tool, size), "") for size in sizes]] for tool in given.tools]
    ratios = [[one.speedup for one in found if one.size == size and one.speedup is not None] for size in sizes]
    rows.append(["best", *[f"{max(some):.2f}" if some else "" for some in ratios]])
    rows.append(["mean", *[f"{mean(some):.2f}" if some else "" for some in ratios]])
    print(markdown(["speed-up at size", *map(str, sizes)], rows))
    return 0
