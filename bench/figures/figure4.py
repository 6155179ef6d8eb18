"""Figure 4 of Kuznetsov12: does dynamic merging explore more paths than none in the same time? Counts for each tool.

A run that a limit stops has explored the paths that its states stand for, ended or waiting. Multiplicity counts too
many of them: the paths of joined states are estimated by log p = c1 + c2 log m, as fitted in a run that counts paths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from bench.figures.runs import SCHEDULES, arguments
from bench.tables import markdown, number, power

HEAD = (
    "tool",
    "none",
    "dynamic: multiplicity",
    "dynamic: paths, estimated",
    "ratio",
    "completed by none",
    "by dynamic",
)


def main(words: Sequence[str]) -> int:
    """The table, the largest gain first."""
    given = arguments(words, __doc__, 10)
    found = []
    for tool in given.tools:
        none = given.runner.run(tool, given.seconds, SCHEDULES["none"])
        dynamic = given.runner.run(tool, given.seconds, SCHEDULES["dynamic"])
        counted = given.runner.run(tool, given.seconds, (*SCHEDULES["dynamic"], "--count-paths"))
        if none.multiplicity and dynamic.multiplicity and counted.fit:
            paths = math.exp(counted.fit["c1"] + counted.fit["c2"] * math.log(dynamic.multiplicity))
            found.append((paths / none.multiplicity, paths, tool, none, dynamic))
    found.sort(key=lambda one: one[0], reverse=True)
    rows = [
        (
            *(tool, number(none.multiplicity), number(dynamic.multiplicity), number(paths), power(ratio)),
            *(number(none.completed), number(dynamic.represented)),
        )
        for ratio, paths, tool, none, dynamic in found
    ]
    ratios = [one[0] for one in found]
    summary = f"{len(found)} tools; more paths with `dynamic` on {sum(ratio > 1 for ratio in ratios)} of them"
    summary += f", at most {power(max(ratios))}, at least {power(min(ratios))}, median {power(median(ratios))}"
    print(f"{summary}.\n\n{markdown(HEAD, rows)}")
    return 0
