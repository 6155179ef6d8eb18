"""Figure 8 of Kuznetsov12: branch coverage of dynamic and static merging against none in the same time."""

from __future__ import annotations

import sys
from statistics import median

from figures import SCHEDULES, Ran, arguments, markdown, show

HEAD = ("tool", "none: branches", "dynamic", "static")


def change(ran: Ran, plain: Ran) -> float:
    """Per cent of plain exploration's branches."""
    return 100 * (ran.branches - plain.branches) / max(1, plain.branches)


def main() -> int:
    """The table; tools that plain exploration exhausts say nothing here."""
    given = arguments(__doc__, 10)
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
    words = "; ".join(f"{name}: median {median(found):+.1f} %" for name, found in changes.items())
    show("figure8", f"{len(rows)} tools. {words}.\n\n{markdown(HEAD, rows)}", given.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
