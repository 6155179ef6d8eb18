"""The lines that paths ran and went on from: where a fault of a callee was looked for, and did not happen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Set
from typing import TypeAlias

from unfork.engine.explore.distance import branch_targets
from unfork.engine.step.branch_coverage import Edge
from unfork.program.facts.own_source import shown
from unfork.program.llvm.ir import Branch, Call, GlobalAddress
from unfork.program.llvm.module import Block, Program

PassedLines: TypeAlias = tuple[tuple[str, tuple[int, ...]], ...]
"""Lines by file, in order."""


def passed_lines(program: Program, name: str, covered: Set[Edge]) -> PassedLines:
    """The lines of the project's code that calls of the function ``name`` came by, as far as ``covered`` edges show
    it: a loop that was taken in one step may hide some.
    """
    lines: defaultdict[str, set[int]] = defaultdict(set)
    waiting, own = [(name, 0)], frozenset(program.own)
    waiting += [(edge[0], branch_targets(program.function(edge[0]).blocks[edge[1]])[edge[2]]) for edge in covered]
    seen = set[tuple[str, int]]()
    while waiting:
        place = waiting.pop()
        if place in seen or place[0] not in own:
            continue
        seen.add(place)
        block = program.function(place[0]).blocks[place[1]]
        waiting += _next(program, place[0], block)
        for position in (shown(each.position) for each in block.body if each.position is not None):
            lines[position.file].add(position.line)
    return tuple((file, tuple(sorted(several))) for file, several in sorted(lines.items()))


def _next(program: Program, name: str, block: Block) -> Iterator[tuple[str, int]]:
    """The blocks that run wherever a block does."""
    for each in block.body:
        if isinstance(each, Branch):
            yield name, each.target
        if isinstance(each, Call) and isinstance(each.callee, GlobalAddress) and each.callee.name in program.defined:
            yield each.callee.name, 0
