"""Finds the source variables visible at a program point, and their values in debug information."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.dataflow import fixpoint
from unfork.program.llvm.debug_expression import StackComputation
from unfork.program.llvm.ir import Operand, Register
from unfork.program.llvm.module import DebugRecord, Function
from unfork.program.llvm.types import DebugVariable, Position


@dataclass(frozen=True, slots=True)
class VariablePiece:
    """``size`` bits of a variable, from bit ``start`` on: their value, or its address where ``indirect``."""

    start: int
    size: int
    operand: Operand | StackComputation
    indirect: bool


@dataclass(frozen=True, slots=True)
class LocatedVariable:
    """A variable, and the operand with its value, or its address where ``indirect``.

    Or its known pieces: without any, its value is not available.
    """

    variable: DebugVariable
    operand: Operand | StackComputation | tuple[VariablePiece, ...]
    indirect: bool

    @property
    def is_available(self) -> bool:
        """Whether any of its value may be known."""
        return self.operand != ()


_Found = tuple[tuple[tuple[int, int] | None, Operand | StackComputation, bool], ...]
"""Bits of a variable (None: all), and their place if all paths agree on it; empty if it is nowhere."""


@dataclass(frozen=True, slots=True)
class _Known:
    """What records have said on the paths to a point, by the numbers that a function's variables and places have.

    ``noted`` has a bit for each variable that some path noted. ``places`` has those on whose place all paths agree.
    """

    noted: int
    places: dict[int, int]


_NOTHING = _Known(0, {})


class VisibleVariables:
    """The local variables of one function.

    A variable has an operand where all paths agree on it: then the operand has its latest value, since no path leads
    from there to where the operand is computed again, except one on which the variable had none before. A variable
    is visible where the source position is in its scope and not before its declaration, unless an inner scope hides
    its name.
    """

    def __init__(self, function: Function, flow: ControlFlow) -> None:
        self._function = function
        self._flow = flow
        records = [record for block in function.blocks for record in block.debug]
        self._variables = list(dict.fromkeys([record.variable for record in records]))
        self._numbers = {variable: number for number, variable in enumerate(self._variables)}
        self._records = [
            [(record, self._numbers[record.variable]) for record in block.debug] for block in function.blocks
        ]
        self._places: list[_Found] = []
        self._numbers_of_places: dict[_Found, int] = {}
        self._registers: dict[int, tuple[int, ...]] = {}
        nothing: list[_Known | None] = [None] * self._flow.size
        self._leaving = fixpoint(self._flow.order, self._flow.successors, nothing, self._left)
        self._at: dict[tuple[int, int], dict[str, LocatedVariable]] = {}
        self._during: dict[tuple[int, int], dict[str, LocatedVariable]] = {}

    def at(self, block: int, index: int) -> dict[str, LocatedVariable]:
        """The variables visible before instruction ``index``, by name."""
        visible = self._at.get((block, index))
        if visible is None:
            place = _Place(self._around(block, index))
            visible = self._at[block, index] = place.visible(self._found(block, index))
        return visible

    def during(self, block: int, index: int) -> dict[str, LocatedVariable]:
        """The variables visible at the source position of instruction ``index``, with their values before it."""
        visible = self._during.get((block, index))
        if visible is None:
            place = _Place(self._function.blocks[block].body[index].position or self._around(block, index))
            visible = self._during[block, index] = place.visible(self._found(block, index))
        return visible

    def scopes(self, block: int, index: int) -> tuple[str, ...]:
        """The scopes around a program point, innermost first: of the instruction before it, else of the next one."""
        position = self._around(block, index)
        return () if position is None else position.scopes

    def registers(self, block: int) -> list[int]:
        """For each instruction of a block, a mask of the registers with variables before it."""
        known = self._entering(block, self._leaving)
        mask = self._mask(known)
        masks = []
        records = iter(self._records[block])
        record = next(records, None)
        for index in range(len(self._function.blocks[block].body)):
            passed = []
            while record is not None and record[0].index <= index:
                passed.append(record)
                record = next(records, None)
            if passed:
                known = self._noting(known, passed)
                mask = self._mask(known)
            masks.append(mask)
        return masks

    def _around(self, block: int, index: int) -> Position | None:
        """The position of the instruction before a program point, else of the next one with a position."""
        blocks = self._function.blocks
        if index and (before := blocks[block].body[index - 1].position) is not None:
            return before
        seen = set()
        while block not in seen:
            seen.add(block)
            for instruction in blocks[block].body[index:]:
                if instruction.position is not None:
                    return instruction.position
            index = 0
            following = self._flow.successors[block]
            if len(following) != 1:
                break
            block = following[0]
        return None

    def _found(self, block: int, index: int) -> dict[DebugVariable, _Found]:
        """The variables noted before a program point, with their places."""
        records = [each for each in self._records[block] if each[0].index <= index]
        known = self._noting(self._entering(block, self._leaving), records)
        return {
            variable: self._places[known.places[number]] if number in known.places else ()
            for number, variable in enumerate(self._variables)
            if known.noted >> number & 1
        }

    def _entering(self, block: int, leaving: list[_Known | None]) -> _Known:
        known: _Known | None = None if block else _NOTHING
        for before in self._flow.predecessors[block]:
            there = leaving[before]
            if there is not None and there is not known:
                known = there if known is None else self._met(known, there)
        return _NOTHING if known is None else known

    def _met(self, one: _Known, other: _Known) -> _Known:
        """Of two paths: the variables of either, and the places on which both agree."""
        mine, theirs = one.places, other.places
        same = mine if mine == theirs else dict(mine.items() & theirs.items())
        for number in [] if same is mine else (mine.keys() & theirs.keys()) - same.keys():
            there = self._places[theirs[number]]
            if both := tuple([found for found in self._places[mine[number]] if found in there]):
                same[number] = self._number_of_place(both)
        return _Known(one.noted | other.noted, same)

    def _left(self, block: int, leaving: list[_Known | None]) -> _Known | None:
        return self._noting(self._entering(block, leaving), self._records[block])

    def _noting(self, known: _Known, records: Sequence[tuple[DebugRecord, int]]) -> _Known:
        """What is known after records: each says that its bits have its value from there on."""
        if not records:
            return known
        noted, places = known.noted, dict(known.places)
        for record, number in records:
            found = self._places[places[number]] if number in places else ()
            noted |= 1 << number
            if found := _replaced(found, record):
                places[number] = self._number_of_place(found)
            else:
                places.pop(number, None)
        return _Known(noted, places)

    def _number_of_place(self, found: _Found) -> int:
        number = self._numbers_of_places.setdefault(found, len(self._places))
        if number == len(self._places):
            self._places.append(found)
        return number

    def _mask(self, known: _Known) -> int:
        """A bit for each register with a variable."""
        registers = {index for place in known.places.values() for index in self._registers_of(place)}
        mask = bytearray(max(registers, default=-1) // 8 + 1)
        for index in registers:
            mask[index >> 3] |= 1 << (index & 7)
        return int.from_bytes(mask, "little")

    def _registers_of(self, place: int) -> tuple[int, ...]:
        registers = self._registers.get(place)
        if registers is None:
            registers = self._registers[place] = tuple(_registers(self._places[place]))
        return registers


class _Place:
    """A place in the source, and the variables visible there."""

    def __init__(self, position: Position | None) -> None:
        scopes = () if position is None else position.scopes
        self._depths = {scope: number for number, scope in enumerate(scopes)}
        """The scopes, innermost first."""
        self._positions: list[Position] = []
        """The calls that inlined it, outermost first, and the place itself."""
        while position is not None:
            self._positions.insert(0, position)
            position = position.inlined_at

    def visible(self, known: Mapping[DebugVariable, _Found]) -> dict[str, LocatedVariable]:
        """The nearest variable of each name, those of inner scopes first."""
        nearest: dict[str, tuple[int, DebugVariable]] = {}
        for variable in known:
            depth = self._depths.get(variable.scope)
            if depth is None or (variable.name in nearest and nearest[variable.name][0] <= depth):
                continue
            if not self._is_before(variable):
                nearest[variable.name] = depth, variable
        inner_first = sorted(nearest.values(), key=lambda found: (found[0], found[1].line))
        return {variable.name: _located(variable, known[variable]) for _, variable in inner_first}

    def _is_before(self, variable: DebugVariable) -> bool:
        """Whether the place precedes the declaration of a variable in its scope."""
        position = next((each for each in self._positions if variable.scope in each.scopes), None)
        return position is not None and position.file == variable.file and 0 < position.line < variable.line


def _located(variable: DebugVariable, found: _Found) -> LocatedVariable:
    """The place of a variable, or of its pieces."""
    pieces = []
    for part, operand, indirect in found:
        if part is None:
            return LocatedVariable(variable, operand, indirect)
        pieces.append(VariablePiece(*part, operand, indirect))
    return LocatedVariable(variable, tuple(pieces), indirect=False)


def _replaced(found: _Found, record: DebugRecord) -> _Found:
    """A record's bits have its value, in place of what was ``found`` before."""
    rest = [each for each in found if not _overlap(each[0], record.part)]
    if record.operand is not None:
        rest.append((record.part, record.operand, record.indirect))
    return tuple(rest)


def _overlap(one: tuple[int, int] | None, other: tuple[int, int] | None) -> bool:
    if one is None or other is None:
        return True
    return one[0] < other[0] + other[1] and other[0] < one[0] + one[1]


def _registers(found: _Found) -> Iterator[int]:
    for _, operand, _ in found:
        for each in operand.operands if isinstance(operand, StackComputation) else (operand,):
            if isinstance(each, Register):
                yield each.index
