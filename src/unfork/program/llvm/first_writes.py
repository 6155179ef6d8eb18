"""Finds locals that a function's text writes as a whole before it uses them, on every path."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from unfork.program.llvm.dominators import common_ancestor, immediate_dominators, positions, reverse_post_order

_NAME = re.compile(r'%(?:[-\w.$]+|"[^"]*")')
_LABEL = re.compile(r'^([-\w.$]+|"[^"]*"):')
_TARGET = re.compile(r'\blabel (%(?:[-\w.$]+|"[^"]*"))')
_NO_USE = (" = alloca ", "    #dbg_", "@llvm.lifetime.")
"""Parts of lines that neither read nor write the local that they name."""


def written_first(
    lines: Sequence[str], names: Collection[str], writes_all: Callable[[str, str], bool]
) -> frozenset[str]:
    """The locals among ``names`` of which no path uses what they held at first.

    ``lines`` are a function's, from ``define`` on; ``writes_all`` says whether a line does nothing with a local
    but write all of it. Of the uses, the first in reverse post-order must be such a line, and dominate the others.
    """
    flow = _TextFlow.of(lines)
    uses: dict[str, list[int]] = {name: [] for name in names}
    for number, line in enumerate(lines):
        if "%" in line and not any(part in line for part in _NO_USE):
            for name in _NAME.findall(line):
                if name in uses:
                    uses[name].append(number)
    return frozenset([name for name, where in uses.items() if flow.begins(name, where, writes_all)])


@dataclass(frozen=True, slots=True)
class _TextFlow:
    """The control flow of a function's ``lines``. ``blocks`` has the block of each line."""

    lines: Sequence[str]
    blocks: Sequence[int]
    rank: Sequence[int]
    dominators: Sequence[int]

    @classmethod
    def of(cls, lines: Sequence[str]) -> _TextFlow:
        numbers: dict[str, int] = {}
        named: list[list[str]] = [[]]
        blocks: list[int] = []
        for line in lines:
            if line[:1] not in (" ", "}", "") and blocks and (label := _LABEL.match(line)):
                numbers[f"%{label[1]}"] = len(named)
                named.append([])
            if "label %" in line:
                named[-1] += _TARGET.findall(line)
            blocks.append(len(named) - 1)
        successors = [tuple(dict.fromkeys(numbers[name] for name in each)) for each in named]
        predecessors: list[list[int]] = [[] for _ in successors]
        for block, following in enumerate(successors):
            for target in following:
                predecessors[target].append(block)
        order = reverse_post_order(0, len(successors), successors)
        dominators = immediate_dominators(order, len(successors), predecessors)
        return cls(lines, blocks, positions(order, len(successors)), dominators)

    def begins(self, name: str, where: Sequence[int], writes_all: Callable[[str, str], bool]) -> bool:
        """Whether one of the lines ``where`` writes all of a local, and comes before the others on every path."""
        blocks, rank = self.blocks, self.rank
        if any(rank[blocks[number]] < 0 for number in where):
            return False  # not reachable, so that nothing is known
        first = min(where, key=lambda number: (rank[blocks[number]], number), default=None)
        if first is None or not writes_all(self.lines[first], name):
            return first is None
        above = blocks[first]
        others = {blocks[number] for number in where}
        return all(common_ancestor(self.dominators, rank, above, other) == above for other in others)
