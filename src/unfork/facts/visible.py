"""Finds which source variables are visible at a program point, and where debug information has their values."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.facts.cfg import ControlFlow
from unfork.facts.dataflow import fixpoint
from unfork.llvm.ir import Operand
from unfork.llvm.module import DebugRecord, Function
from unfork.llvm.types import DebugVariable


@dataclass(frozen=True, slots=True)
class Located:
    """A variable, and the operand that has its value, or its address where ``indirect``."""

    variable: DebugVariable
    operand: Operand
    indirect: bool


_Known = dict[DebugVariable, Located | None]
"""None: paths disagree on where its value is, or it is nowhere."""


class VisibleVariables:
    """The local variables of one function.

    A variable has an operand where all paths agree on it. It is visible where the source position is in its scope,
    unless a variable of the same name in an inner scope hides it.
    """

    def __init__(self, function: Function, flow: ControlFlow) -> None:
        self._function = function
        self._flow = flow
        nothing: list[_Known | None] = [None] * self._flow.size
        self._leaving = fixpoint(self._flow.order, self._flow.successors, nothing, self._left)
        self._at: dict[tuple[int, int], dict[str, Located | None]] = {}

    def at(self, block: int, index: int) -> dict[str, Located | None]:
        """The variables that are visible before instruction ``index``, by name; None if the value is not available."""
        visible = self._at.get((block, index))
        if visible is None:
            visible = self._at[block, index] = self._visible(block, index)
        return visible

    def scopes(self, block: int, index: int) -> tuple[str, ...]:
        """The scopes around a program point, innermost first: of the instruction before it, else of the next one."""
        blocks = self._function.blocks
        if index and (before := blocks[block].body[index - 1].position) is not None:
            return before.scopes
        seen = set()
        while block not in seen:
            seen.add(block)
            for instruction in blocks[block].body[index:]:
                if instruction.position is not None:
                    return instruction.position.scopes
            index = 0
            following = self._flow.successors[block]
            if len(following) != 1:
                break
            block = following[0]
        return ()

    def _visible(self, block: int, index: int) -> dict[str, Located | None]:
        known = self._entering(block, self._leaving)
        for record in self._function.blocks[block].debug:
            if record.index <= index:
                _note(known, record)
        scopes = self.scopes(block, index)
        depth = {scope: number for number, scope in enumerate(scopes)}
        visible: dict[str, Located | None] = {}
        nearest: dict[str, int] = {}
        for variable, located in known.items():
            distance = depth.get(variable.scope)
            if distance is not None and distance < nearest.get(variable.name, len(scopes)):
                nearest[variable.name] = distance
                visible[variable.name] = located
        return visible

    def _entering(self, block: int, leaving: list[_Known | None]) -> _Known:
        known: _Known | None = None if block else {}
        for before in self._flow.predecessors[block]:
            there = leaving[before]
            if there is None:
                continue
            if known is None:
                known = dict(there)
                continue
            for variable in (*known, *[variable for variable in there if variable not in known]):
                if known.get(variable) != there.get(variable):
                    known[variable] = None
        return {} if known is None else known

    def _left(self, block: int, leaving: list[_Known | None]) -> _Known | None:
        known = self._entering(block, leaving)
        for record in self._function.blocks[block].debug:
            _note(known, record)
        return known


def _note(known: _Known, record: DebugRecord) -> None:
    operand = record.operand
    known[record.variable] = None if operand is None else Located(record.variable, operand, record.indirect)
