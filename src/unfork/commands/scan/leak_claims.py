"""Which leaks a claim means: other tools report them where the last pointer goes, unfork where the block was made."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.commands.scan.siblings import RestPlace
from unfork.engine.explore.distance import is_at_line
from unfork.engine.explore.leading import SourceLine, WaysTo
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import Program
from unfork.world.inputs.testcase import Error

LEAK = "leak"
LOST_BY = "leak-by"
"""What is looked for at the line of such a claim: no error is of this kind."""


class ClaimedLeak:
    """A leak of a block that a function with code at a line has made, itself or by a call, on a path by that line."""

    def __init__(self, program: Program, line: SourceLine) -> None:
        self._line = line
        self._made: set[tuple[str, int]] = set()
        waiting = list(WaysTo(program, line).functions)
        seen = set(waiting)
        own = set(program.own)
        for name in waiting:  # it grows
            for each in program.function(name).instructions():
                if not isinstance(each, Call):
                    continue
                if each.position is not None:
                    self._made.add((each.position.file, each.position.line))
                callee = each.callee.name if isinstance(each.callee, GlobalAddress) else ""
                if callee in own and callee not in seen:
                    seen.add(callee)
                    waiting.append(callee)

    def may_be(self, error: Error) -> bool:
        """Whether an error is a leak of such a block."""
        return error.kind == LEAK and (error.file, error.line) in self._made

    def is_at(self, error: Error) -> bool:
        """Whether the block is made at the line itself."""
        return error.line is not None and (error.file, error.line) == (self._line.file, self._line.line)

    def comes_by(self, places: Sequence[RestPlace]) -> bool:
        """Whether a path that rested at ``places`` has run code of the line; True if it could not be followed."""
        return not places or any(
            is_at_line(each.position, self._line.file, self._line.line)
            for place in places
            for each in place.function.blocks[place.block].body[place.index :]
        )
