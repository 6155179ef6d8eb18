"""Figure 3 of Kuznetsov12: how many paths is a multiplicity? The fit of joined states' exact paths, tool by tool."""

from __future__ import annotations

from collections.abc import Sequence

from bench.figures.runs import SCHEDULES, arguments
from bench.tables import markdown, number

HEAD = ("tool", "multiplicity of completed", "paths of completed", "c1", "c2", "points", "error")


def main(words: Sequence[str]) -> int:
    """The table."""
    given = arguments(words, __doc__, 10, ("echo", "link", "nice", "sleep"))
    rows = []
    for tool in given.tools:
        ran = given.runner.run(tool, given.seconds, (*SCHEDULES["dynamic"], "--count-paths"))
        fit = [f"{ran.fit[name]:.2f}" for name in ("c1", "c2")] if ran.fit else ["-", "-"]
        more = [f"{ran.fit['points']}", f"{ran.fit['error']:.2f}"] if ran.fit else ["-", "-"]
        exact = "not counted" if ran.counted is None else number(ran.counted)
        rows.append((tool, number(ran.represented), exact, *fit, *more))
    print(markdown(HEAD, rows))
    return 0
