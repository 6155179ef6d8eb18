"""Figure 9 of Kuznetsov12: dynamic against static merging to the end of every path, and what forwarding came to."""

from __future__ import annotations

import sys

from figures import Given, Ran, arguments, markdown, mean, show
from growing import PLAIN, TOOLS, Grown, grown

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


def main() -> int:
    """The table and the two numbers of the paper: 15 % slower, 69 % merged."""
    given: Given = arguments(__doc__, 15, TOOLS)
    found = list(grown(given, (PLAIN, "static", "dynamic")))
    ratios = [one.runs["dynamic"].seconds / one.runs["static"].seconds for one in found if both(one)]
    dynamic = [one.runs["dynamic"] for one in found]
    merged = share(sum(ran.forwarded_merged for ran in dynamic), sum(ran.forwarded for ran in dynamic))
    words = f"dynamic takes {mean(ratios):.2f} times as long as static where both come to the end ({len(ratios)} of "
    words += f"{len(found)} runs); of the states that were forwarded, {merged} merged"
    show("figure9", f"{words}.\n\n{markdown(HEAD, [row(one) for one in found])}", given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
