"""Figure 4 of Kuznetsov12: does dynamic merging explore more paths than none in the same time? Counts for each tool.

A run has explored a path once it has ended, though not in silence, or waits when the time is over. Without joins each
is a state, so that they are counted. The paths of joined states are estimated by weighted samples, with a standard
error. A side of a loop that is taken at once is one path for both. Multiplicity, the paper's measure, is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bench.figures.runs import SCHEDULES, arguments
from bench.tables import markdown, number, power

HEAD = ("tool", "none", "dynamic", "standard error", "ratio", "completed by none", "by dynamic")


def main(words: Sequence[str]) -> int:
    """The table, the largest gain first."""
    given = arguments(words, __doc__, 10)
    found = []
    for tool in given.tools:
        none = given.runner.run(tool, given.seconds, SCHEDULES["none"])
        dynamic = given.runner.run(tool, given.seconds, SCHEDULES["dynamic"])
        if none.explored and dynamic.explored:
            found.append((dynamic.explored / none.explored, tool, none, dynamic))
    found.sort(key=lambda one: one[0], reverse=True)
    rows = [
        (
            *(tool, number(round(none.explored)), number(round(dynamic.explored)), number(round(dynamic.spread))),
            *(power(ratio), number(round(none.ended)), number(round(dynamic.ended))),
        )
        for ratio, tool, none, dynamic in found
    ]
    ratios = [one[0] for one in found]
    summary = f"{len(found)} tools; more paths with `dynamic` on {sum(ratio > 1 for ratio in ratios)} of them"
    summary += f", at most {power(max(ratios))}, at least {power(min(ratios))}, median {power(median(ratios))}"
    lost = sum(dynamic.lost for _, _, _, dynamic in found)
    summary += f"; {lost} sampled paths were lost" if lost else ""
    print(f"{summary}.\n\n{markdown(HEAD, rows)}")
    return 0
