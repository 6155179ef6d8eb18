"""Figure 9 of Kuznetsov12: is dynamic merging slower than static? Seconds of both, and forwarded states that merged."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.growing import PLAIN, TOOLS, Grown, grown
from bench.figures.runs import Given, Ran, arguments
from bench.tables import markdown, mean

HEAD = ("tool", "size", "static: seconds", "dynamic: seconds", "ratio", "forwarded", "of them merged")


def share(merged: int, forwarded: int) -> str:
    """Per cent."""
    return f"{100 * merged / forwarded:.0f} %" if forwarded else "-"


def row(one: Grown) -> tuple[str, ...]:
    """A point of the scatter plot."""
    static, dynamic = one.runs["static"], one.runs["dynamic"]
    ratio = f"{dynamic.seconds / static.seconds:.2f}" if both(one) else "-"
    counts = (f"{dynamic.forwarded:,}", share(dynamic.forwarded_merged, dynamic.forwarded))
    return one.tool, str(one.size), seconds(static), seconds(dynamic), ratio, *counts


def seconds(ran: Ran) -> str:
    """How long a run took, if it came to the end."""
    return f"{ran.seconds:.1f}" if ran.exhausted else f"over {ran.seconds:.0f}"


def both(one: Grown) -> bool:
    """Whether both schedules came to the end."""
    return one.runs["static"].exhausted and one.runs["dynamic"].exhausted


def main(words: Sequence[str]) -> int:
    """The table and the two numbers of the paper: 15 % slower, 69 % merged."""
    given: Given = arguments(words, __doc__, 15, TOOLS)
    found = list(grown(given, (PLAIN, "static", "dynamic")))
    ratios = [one.runs["dynamic"].seconds / one.runs["static"].seconds for one in found if both(one)]
    dynamic = [one.runs["dynamic"] for one in found]
    merged = share(sum(ran.forwarded_merged for ran in dynamic), sum(ran.forwarded for ran in dynamic))
    summary = f"dynamic takes {mean(ratios):.2f} times as long as static where both come to the end ({len(ratios)} of "
    summary += f"{len(found)} runs); of the states that were forwarded, {merged} merged"
    print(f"{summary}.\n\n{markdown(HEAD, [row(one) for one in found])}")
    return 0
