"""Exhaustive runs of a tool as its symbolic input grows, under several schedules, for Figures 5, 6 and 9.

The size is the number of arguments, of three characters each: the paper's L^N grows with N. How long an argument is
matters less here, since the scan of a text is one step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.figures.runs import SCHEDULES, Given, Ran

TOOLS = ("basename", "dirname", "echo", "link", "nice", "printenv", "runcon", "sleep")
SIZES = (1, 2, 3, 4, 5)
LENGTH = 3
PLAIN, MERGED = "none", "static"


@dataclass(frozen=True, slots=True)
class Grown:
    """A tool with at most ``size`` arguments; ``runs`` by schedule."""

    tool: str
    size: int
    runs: dict[str, Ran]

    @property
    def speedup(self) -> float | None:
        """Plain over merged seconds, a bound where one of the two did not come to the end, None where neither did."""
        plain, merged = self.runs[PLAIN], self.runs[MERGED]
        return plain.seconds / merged.seconds if plain.exhausted or merged.exhausted else None

    @property
    def shown(self) -> str:
        """The same for a table."""
        if self.speedup is None:
            return "-"
        bound = "" if self.runs[MERGED].exhausted else "< "
        return f"{bound if self.runs[PLAIN].exhausted else '> '}{self.speedup:.2f}"


def grown(given: Given, schedules: Sequence[str]) -> Iterator[Grown]:
    """Every size of every tool, up to the first at which plain exploration did not come to the end."""
    for tool in given.tools:
        for size in SIZES:
            world = ("--sym-args", "0", str(size), str(LENGTH))
            runs = {name: given.runner.run(tool, given.seconds, SCHEDULES[name], world) for name in schedules}
            yield Grown(tool, size, runs)
            if not runs[PLAIN].exhausted:
                break
