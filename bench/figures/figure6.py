"""Figure 6 of Kuznetsov12: which runs does static merging make shorter? Seconds with and without, run by run."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.growing import MERGED, PLAIN, TOOLS, grown
from bench.figures.runs import Ran, arguments
from bench.tables import markdown, number

HEAD = ("tool", "size", "none: seconds", "static: seconds", "speed-up", "paths", "states that ended")


def seconds(ran: Ran) -> str:
    """How long a run took, if it came to the end."""
    return f"{ran.seconds:.1f}" if ran.exhausted else f"over {ran.seconds:.0f}"


def main(words: Sequence[str]) -> int:
    """The table of the scatter plot, by seconds of none."""
    given = arguments(words, __doc__, 15, TOOLS)
    found = sorted(grown(given, (PLAIN, MERGED)), key=lambda one: (one.runs[PLAIN].seconds, one.tool))
    rows = [
        (
            *(one.tool, str(one.size), seconds(one.runs[PLAIN]), seconds(one.runs[MERGED]), one.shown),
            *(number(one.runs[PLAIN].completed), number(one.runs[MERGED].completed)),
        )
        for one in found
    ]
    print(markdown(HEAD, rows))
    return 0
