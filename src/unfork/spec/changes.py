"""What a loop changes from turn to turn, and a state in which all of that is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import gcd

from unfork.execute.scopes import leave_scope
from unfork.execute.unbounded import linear
from unfork.llvm.layout import bits_of
from unfork.llvm.types import FloatType, IntType, PointerType
from unfork.logic import build
from unfork.logic.term import Value, symbol
from unfork.meaning.c_values import NoMeaning
from unfork.meaning.places import leads_nowhere, places
from unfork.merge.lattices import is_unwritten
from unfork.merge.loop_cells import Cell, MemoryCell, RegisterCell, cell_at, changed
from unfork.state.inputs import UNWRITTEN
from unfork.state.memory import MemoryObject, address_of
from unfork.state.state import State
from unfork.state.unbounded import UNBOUNDED, Cells, Contents, Either, Forgotten, Written, stride_of

POINTER_BITS = 64
ANY = "any#"
"""Names of what was forgotten begin so."""


@dataclass(frozen=True, slots=True)
class Steps:
    """Places in an object: the one at offset ``first``, and those that are any number of ``step`` bytes from it."""

    number: int
    first: Value
    step: int

    def any(self, count: Value) -> Value:
        """The address that is ``count`` (64 bits) steps away."""
        moved = build.add(self.first, build.mul(count, self.step, POINTER_BITS), POINTER_BITS)
        return build.add(address_of(self.number), moved, POINTER_BITS)


@dataclass(slots=True)
class Changes:
    """The registers and pieces of memory that turns change, and the objects of any length."""

    cells: dict[Cell, None] = field(default_factory=dict)
    objects: dict[int, bool] = field(default_factory=dict)
    """Those of any length, and whether what they hold may depend on bytes that were never written."""
    ended: dict[int, None] = field(default_factory=dict)
    """Locals whose scope is left before the next turn."""
    unwritten: set[Cell] = field(default_factory=set)
    """Those of ``cells`` that may hold, when a turn begins, what depends on bytes that were never written."""
    pointers: dict[Cell, Steps] = field(default_factory=dict)
    """Where the pointers among ``cells`` lead before any turn, and after any of those that were looked at."""

    def update(self, entry: State, begun: State, over: State) -> bool:
        """Take in what a turn has changed of a loop that was entered as ``entry`` says. Raises NoMeaning.

        Whether that was more than was known.
        """
        known, unwritten, led = self._size(), self.unwritten, self.pointers.copy()
        if over.lazy is not begun.lazy:
            raise NoMeaning("a loop is the first to look at parts of the program's variables")
        if over.remembered.without_names() != begun.remembered.without_names():
            raise NoMeaning("a loop changes what the system or the library remembers")
        for register in _registers(begun, over):
            self.cells[register] = None
        for cell in _memory(begun, over):
            self._add(cell)
        for number, contents in over.proof.contents.items():
            if number not in begun.proof.contents:
                raise NoMeaning("a loop allocates a block of any length")
            if begun.proof.contents[number] is not contents:
                self.objects[number] = self.objects.get(number, False) or _hold_unwritten(contents)
        for number, item in begun.memory.objects.held.items():
            if item.kind == "stack" and number not in over.memory.objects and number in begun.frames[-1].locals:
                self.ended[number] = None
                for cell in [each for each in self.cells if isinstance(each, MemoryCell) and each.number == number]:
                    del self.cells[cell]
        self.unwritten = {
            each for each in self.cells if each in unwritten or any(map(each.may_be_unwritten, (entry, over)))
        }
        for pointer in [each for each in self.cells if each.is_pointer]:
            self.pointers[pointer] = _steps(pointer, self.pointers.get(pointer), (entry, over))
        return known != self._size() or unwritten != self.unwritten or led != self.pointers

    def _size(self) -> tuple[int, int, int, int]:
        size = sum(getattr(cell, "size", 1) for cell in self.cells)
        return size, len(self.objects), sum(self.objects.values()), len(self.ended)

    def _add(self, new: MemoryCell) -> None:
        if new.number in self.ended:
            return
        mine = [cell for cell in self.cells if isinstance(cell, MemoryCell) and cell.number == new.number]
        touched = [cell for cell in mine if cell.offset < new.end and new.offset < cell.end]
        if any(cell.offset <= new.offset and new.end <= cell.end for cell in touched):
            return
        start, end = min([new.offset, *[c.offset for c in touched]]), max([new.end, *[c.end for c in touched]])
        for cell in touched:
            del self.cells[cell]
        is_pointer = new.is_pointer or any(cell.is_pointer for cell in touched)
        self.cells[MemoryCell(new.number, start, end - start, is_pointer)] = None


def forgetting(
    entry: State,
    changes: Changes,
    cells: Cells,
    fresh: Callable[[], int],
    kept: Callable[[State, int], list[tuple[Value, Value]] | None],
) -> State:
    """``entry`` with all changes forgotten. Of objects, ``kept`` gives the ranges to forget, once the cells are."""
    state = entry.fork()
    state.over = True
    for cell in changes.cells:
        if cell in changes.unwritten and isinstance(cell, MemoryCell) and cell.is_pointer:
            state.memory.writable(cell.number).make_uninitialised(cell.offset, cell.size)
        elif cell in changes.unwritten:
            cell.write(state, symbol(f"{UNWRITTEN}{ANY}{fresh()}", cell.width))
        elif cell.is_pointer:
            cell.write(state, changes.pointers[cell].any(symbol(f"{ANY}{fresh()}", 64)))
        else:
            cell.write(state, symbol(f"{ANY}{fresh()}", cell.width))
    for number in changes.ended:
        leave_scope(state, number, None)
    contents = dict(state.proof.contents)
    listed = {number: kept(state, number) for number in changes.objects}
    for number, ranges in listed.items():
        item = state.memory.objects[number]
        below = contents[number]
        for low, high in [(0, item.size)] if ranges is None else ranges:
            name = f"{UNWRITTEN}{item.name}" if changes.objects[number] else item.name
            below = Forgotten(below, low, high, cells.unknown(name, stride_of(below)))
        contents[number] = below
    state.proof = replace(state.proof, contents=contents)
    if any(kept(state, number) != ranges for number, ranges in listed.items()):
        raise NoMeaning("what a loop assigns depends on the elements of an array that it assigns")
    return state


def _steps(cell: Cell, known: Steps | None, states: Sequence[State]) -> Steps:
    """The least that takes in where a cell points in all states. Raises NoMeaning if there are several objects."""
    if cell.width != POINTER_BITS:
        raise NoMeaning("a loop changes a pointer together with what is beside it")
    for state in states:
        if cell.is_unwritten(state):
            continue
        address = cell.read(state)
        if leads_nowhere(address):
            raise NoMeaning("a loop changes a pointer that leads to no known object")
        for _, number, offset in places(address):
            if known is None:
                known = Steps(number, offset, 0)
            if number != known.number:
                raise NoMeaning("a loop changes a pointer from one object to another")
            known = Steps(number, known.first, _divisor(known.step, build.sub(offset, known.first, POINTER_BITS)))
    if known is None:
        raise NoMeaning("a loop changes a pointer that has no value")
    return known


def _divisor(step: int, distance: Value) -> int:
    """The largest number that divides a step and a distance, whatever the values are that are added up to it."""
    if isinstance(distance, int):
        return gcd(step, min(distance, (1 << POINTER_BITS) - distance))
    total = linear(distance)
    return gcd(step, total.constant, *total.factors.values())


def _hold_unwritten(contents: Contents) -> bool:
    """Whether something was written to an object of any length that depends on bytes that were never written."""
    waiting, seen = [contents], set[Contents]()
    while waiting:
        layer = waiting.pop()
        if layer in seen:
            continue
        seen.add(layer)
        match layer:
            case Either(_, first, second):
                waiting += (first, second)
            case Written(below, _, _, value, _):
                if is_unwritten(value):
                    return True
                waiting.append(below)
            case Forgotten(below, _, _, now):
                if now.name.startswith(UNWRITTEN):
                    return True
                waiting.append(below)
    return False


def _registers(begun: State, over: State) -> Iterator[RegisterCell]:
    before, after = begun.frames[-1], over.frames[-1]
    for phi in before.function.blocks[before.block].phis:
        mine, other = before.registers[phi.result], after.registers[phi.result]
        if mine is other or (isinstance(mine, int) and mine == other):
            continue
        if not isinstance(phi.type, IntType | FloatType | PointerType):
            raise NoMeaning("a loop changes a struct in registers")
        yield RegisterCell(phi.result, bits_of(phi.type), isinstance(phi.type, PointerType))


def _memory(begun: State, over: State) -> Iterator[MemoryCell]:
    mine, other = begun.memory.objects, over.memory.objects
    for number in sorted({**mine.held, **other.held}):
        before, after = mine.get(number), other.get(number)
        if before is after or before is None or after is None:
            if before is not None and after is None and number not in begun.frames[-1].locals:
                raise NoMeaning("a loop frees memory that was there before it")
            continue
        if after.kind == UNBOUNDED:
            continue
        if after.gone is not before.gone or len(before.data) != len(after.data):
            raise NoMeaning("a loop frees or moves memory")
        yield from _changed_cells(number, before, after)


def _changed_cells(number: int, before: MemoryObject, after: MemoryObject) -> Iterator[MemoryCell]:
    if isinstance(before.type, IntType | FloatType | PointerType) and before.kind == "stack":
        if not before.same_bytes(after, 0, len(before.data)):
            yield MemoryCell(number, 0, len(before.data), isinstance(before.type, PointerType))
        return
    done = -1
    for offset in changed(before, after):
        if offset >= done:
            cell = cell_at(number, offset, before, after)
            done = cell.end
            yield cell
