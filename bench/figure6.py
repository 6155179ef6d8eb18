"""Figure 6 of Kuznetsov12: seconds of static merging with query counts against seconds of none, run by run."""

from __future__ import annotations

import sys

from figures import Ran, arguments, markdown, number, show
from growing import MERGED, PLAIN, TOOLS, grown

HEAD = ("tool", "size", "none: seconds", "static: seconds", "speed-up", "paths", "states that ended")


def seconds(ran: Ran) -> str:
    """How long a run took, if it came to the end."""
    return f"{ran.seconds:.1f}" if ran.exhausted else f"over {ran.seconds:.0f}"


def main() -> int:
    """The table of the scatter plot, by seconds of none."""
    given = arguments(__doc__, 15, TOOLS)
    found = sorted(grown(given, (PLAIN, MERGED)), key=lambda one: (one.runs[PLAIN].seconds, one.tool))
    rows = [
        (
            *(one.tool, str(one.size), seconds(one.runs[PLAIN]), seconds(one.runs[MERGED]), one.shown),
            *(number(one.runs[PLAIN].completed), number(one.runs[MERGED].completed)),
        )
        for one in found
    ]
    show("figure6", markdown(HEAD, rows), given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
