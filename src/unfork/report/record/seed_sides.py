"""What paths of a corpus came to: for each side of a branch that no test took, how often it was asked for, and why not.

Rows of the summary, and words for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unfork.engine.explore.distance import branch_targets
from unfork.engine.step.branch_coverage import Edge
from unfork.program.c.escape import escape_text
from unfork.program.facts.nearest import end_position, position_at
from unfork.program.facts.own_source import shown
from unfork.program.llvm.module import Program
from unfork.report.record.text import plural
from unfork.report.record.unreached import Unreached

CHECKSUM = 8
"""From this many inputs on, a condition is perhaps a checksum's. Larger than a magic number or a length; set without a
trial.
"""
_SHOWN = 8


@dataclass(slots=True)
class SeedSide:
    """A branch side that paths of inputs came to while no test took it; grows."""

    reached: int = 0
    """The paths that came to its branch."""
    flipped: int = 0
    """How often the solver found an input for it; that other sides were infeasible, or got no answer in time."""
    infeasible: int = 0
    unknown: int = 0
    inputs: int = 0
    """Bytes of input that the condition read, at most."""


@dataclass(slots=True)
class SeedSides:
    """All such sides of a program; grows."""

    sides: dict[Edge, SeedSide] = field(default_factory=dict)

    def of(self, edge: Edge) -> SeedSide:
        """What became of a side."""
        return self.sides.setdefault(edge, SeedSide())

    def rows(self, program: Program, taken: set[Edge]) -> list[dict[str, Any]]:
        """The sides for the summary: those that are not taken, by the most paths, before the ``taken`` ones."""
        order = sorted(self.sides, key=lambda edge: (edge in taken, -self.sides[edge].reached, edge))
        return [_row(program, edge, self.sides[edge], is_taken=edge in taken) for edge in order]


def _row(program: Program, edge: Edge, side: SeedSide, *, is_taken: bool) -> dict[str, Any]:
    name, block, successor = edge
    function = program.function(name)
    at = end_position(function, block)
    spot = None if at is None else shown(at)
    to = position_at(function, branch_targets(function.blocks[block])[successor], 0)
    return {
        "file": None if spot is None else spot.file,
        "line": None if spot is None else spot.line,
        "function": name if spot is None else spot.function,
        "to_line": None if to is None else shown(to).line,
        "edge": list(edge),
        "taken": is_taken,
        "reached": side.reached,
        "flipped": side.flipped,
        "infeasible": side.infeasible,
        "unknown": side.unknown,
        "inputs": side.inputs,
    }


def blocking(summary: Mapping[str, Any], found: Unreached) -> Iterator[tuple[Mapping[str, Any], int]]:
    """The sides not taken, and how many untaken ones are behind each; those with most behind them first."""
    seeds = summary.get("seeds")
    behind = {each.edge: each.behind for each in found.obstacles if each.edge is not None}
    rows = [] if seeds is None else [row for row in seeds["sides"] if not row["taken"]]
    counted = [(row, behind.get((row["edge"][0], row["edge"][1], row["edge"][2]), 0)) for row in rows]
    yield from sorted(counted, key=lambda each: (-each[1], -each[0]["reached"]))


def seed_lines(summary: Mapping[str, Any], found: Unreached) -> list[str]:
    """The sides that blocked the inputs of a corpus; nothing for a run without one."""
    seeds = summary.get("seeds")
    if seeds is None or not seeds["sides"]:
        return []
    blocked = list(blocking(summary, found))
    came = f"inputs came to {plural(len(seeds['sides']), 'branch side')} that no test had taken"
    if not blocked:
        return ["", f"{came}; tests take all of them now"]
    return [
        "",
        f"{came}; {len(seeds['sides']) - len(blocked):,} are taken now, and these are not: untaken sides behind it",
        *([f"  (the first {_SHOWN} of {len(blocked)})"] if len(blocked) > _SHOWN else []),
        *[f"  {behind:>10,}  {_place(row)}: {reason(row)}" for row, behind in blocked[:_SHOWN]],
    ]


def _place(row: Mapping[str, Any]) -> str:
    name = escape_text(row["function"])
    return f"in {name}" if row["file"] is None else f"{escape_text(row['file'])}:{row['line']} in {name}"


def reason(row: Mapping[str, Any]) -> str:
    """How often inputs came to a side that is not taken, and what stood in the way."""
    side = "the other side" if row["to_line"] is None else f"the side to line {row['to_line']}"
    one = row["reached"] == 1
    text = f"{plural(row['reached'], 'input')} came here, {'and it did not take' if one else 'none took'} {side}: "
    return text + "; ".join(_answers(row))


def _answers(row: Mapping[str, Any]) -> Sequence[str]:
    counts = (("unsatisfiable", "infeasible"), ("not decided", "unknown"), ("solved, but no test took it", "flipped"))
    said = [f"{words} {plural(row[name], 'time')}" for words, name in counts if row[name]]
    if not said:
        return ["not asked, since time was over"]
    if row["inputs"] >= CHECKSUM:
        said[-1] += f" (a condition on {row['inputs']:,} bytes of input: a checksum?)"
    return said
