"""Figure 3 of Kuznetsov12: how many paths is a multiplicity? How far it, and a line fitted to it, lie from the count.

The paper estimates paths by log p = c1 + c2 log m. Here the paths p that a run explored are those of weighted samples,
with their standard error; m is the multiplicity of the same states. "Too many" is what one would say with m itself,
and "by the line" with the line through all that the run came by.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from bench.figures.runs import SCHEDULES, Ran, arguments
from bench.tables import markdown, number, power

HEAD = ("tool", "multiplicity", "paths", "standard error", "too many", "c1", "c2", "by the line", "too many")


def row(tool: str, ran: Ran) -> tuple[str, ...]:
    """What a tool's run came to."""
    counts = (number(ran.multiplicity), number(round(ran.explored)), number(round(ran.spread)))
    start = (tool, *counts, power(ran.multiplicity / ran.explored))
    if not ran.fit:
        return (*start, "-", "-", "-", "-")
    line = math.exp(ran.fit["c1"] + ran.fit["c2"] * math.log(ran.multiplicity))
    return (*start, f"{ran.fit['c1']:.2f}", f"{ran.fit['c2']:.2f}", number(round(line)), power(line / ran.explored))


def main(words: Sequence[str]) -> int:
    """The table."""
    given = arguments(words, __doc__, 10, ("echo", "link", "nice", "sleep"))
    options = (*SCHEDULES["dynamic"], "--count-paths", "--path-sample", "8")
    print(markdown(HEAD, [row(tool, given.runner.run(tool, given.seconds, options)) for tool in given.tools]))
    return 0
