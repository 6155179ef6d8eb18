"""The modified set of a loop: what differs at its head from iteration to iteration, and how.

It is found by running: an iteration in which everything known to differ may have any value shows what else differs,
until nothing new does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from unfork.engine.state.inputs import UNWRITTEN, is_unwritten
from unfork.engine.state.memory import LARGEST, address_of
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import (
    UNBOUNDED,
    Contents,
    Copied,
    Filled,
    ForgottenBytes,
    GuardedWrite,
    JoinedContents,
    UnknownContents,
)
from unfork.logic.solve.chain import Chain
from unfork.logic.terms import build
from unfork.logic.terms.concrete import signed
from unfork.logic.terms.term import Value
from unfork.program.llvm.layout import bits_of
from unfork.program.llvm.types import FloatType, IntType, PointerType
from unfork.reduce.invariants.cells import MOST_BYTES, Cell, MemoryCell, NotAbstract, RegisterCell, changed_cells

COUNT_BITS = 64
"""Bits of the number of iterations, and of the steps of a pointer."""


@dataclass(frozen=True, slots=True)
class Stride:
    """Locations in an object: offset ``first``, and any multiple of ``step`` bytes from it."""

    number: int
    first: Value
    step: int

    def any(self, count: Value) -> Value:
        """The address ``count`` (64 bits) steps away."""
        moved = build.add(self.first, build.mul(count, self.step, COUNT_BITS), COUNT_BITS)
        return build.add(address_of(self.number), moved, COUNT_BITS)


class UnknownChange:
    """An unknown change of a number."""

    __slots__ = ()


ANYTHING = UnknownChange()
Change = int | Stride | UnknownChange
"""How a cell changes: by a constant each iteration, a pointer by a stride, or in any way."""
Strides = Callable[[Cell, Stride | None, Sequence[State]], Stride]
"""The least stride that includes a known one, and the targets of a pointer in all states. Raises NotAbstract."""


def no_strides(cell: Cell, known: Stride | None, states: Sequence[State]) -> Stride:
    """Raise NotAbstract: only pointers that change by a constant are supported."""
    raise NotAbstract("a pointer changes by no constant")


@dataclass(slots=True)
class ModifiedSet:
    """What iterations modify, for a loop that begins in ``entry``."""

    entry: State
    first: Sequence[State]
    """The end of the first iteration, if that was run concretely. Without it, no cell changes by a constant."""
    strides: Strides
    cells: dict[Cell, Change] = field(default_factory=dict)
    unwritten: set[Cell] = field(default_factory=set)
    """The ``cells`` that may depend on unwritten bytes at the beginning of an iteration."""
    objects: dict[int, bool] = field(default_factory=dict)
    """Modified objects of any length, and whether their contents may depend on unwritten bytes."""
    ended: dict[int, None] = field(default_factory=dict)
    """Locals whose scope ends before the next iteration."""

    def update(self, chain: Chain, begun: State, over: Sequence[State]) -> bool:
        """Add the modifications of iterations that began as ``begun``. Returns whether any was new.

        Raises NotAbstract for changes that it cannot express.
        """
        before = self._snapshot()
        known = self.cells.copy()
        for state in over:
            check_remembered(begun, state)
            for register in _registers(begun, state):
                self._add(register, over)
            self._compare_memory(begun, state, over)
            self._compare_contents(begun, state)
        for cell, change in known.items():
            if isinstance(change, int) and cell in self.cells and not _have_grown(chain, cell, begun, over, change):
                self.cells[cell] = self._general(cell, over)
        for cell, change in self.cells.items():
            if isinstance(change, Stride):
                self.cells[cell] = self.strides(cell, change, over)
        states = (self.entry, *self.first, *over)
        may_be = {cell for cell in self.cells if any(cell.may_be_unwritten(state) for state in states)}
        self.unwritten = may_be | {cell for cell in self.unwritten if cell in self.cells}
        return self._snapshot() != before

    def numbers(self) -> list[Cell]:
        """The cells that always hold numbers of more than a bit."""
        return [cell for cell in self.cells if not cell.is_pointer and cell.width > 1 and cell not in self.unwritten]

    def _snapshot(self) -> tuple[object, ...]:
        return self.cells.copy(), self.unwritten.copy(), self.objects.copy(), self.ended.copy()

    def _add(self, cell: Cell, over: Sequence[State]) -> None:
        if cell in self.cells:
            return
        steps = {_grown(cell, self.entry, state) for state in self.first}
        step = steps.pop() if len(steps) == 1 and cell.width <= COUNT_BITS else None
        self.cells[cell] = self._general(cell, over) if step is None else step

    def _general(self, cell: Cell, over: Sequence[State]) -> Change:
        return self.strides(cell, None, (self.entry, *self.first, *over)) if cell.is_pointer else ANYTHING

    # --- memory

    def _compare_memory(self, begun: State, state: State, over: Sequence[State]) -> None:
        mine, other = begun.memory.objects, state.memory.objects
        for number in sorted({**mine.held, **other.held}):
            before, after = mine.get(number), other.get(number)
            if before is after or before is None:
                continue  # nothing that outlives the iteration leads to its own objects
            if after is None and before.kind in ("stack", UNBOUNDED) and number in begun.frames[-1].locals:
                self.ended[number] = None
                for cell in self._of_object(number):
                    self._drop(cell)
            elif after is None or not before.is_alike(after):
                raise NotAbstract("memory is freed, moved or protected")
            elif after.kind != UNBOUNDED and number not in self.ended:
                for new in changed_cells(number, before, after, begun.memory):
                    self._grow(new, over)

    def _of_object(self, number: int) -> list[MemoryCell]:
        return [cell for cell in self.cells if isinstance(cell, MemoryCell) and cell.number == number]

    def _drop(self, cell: MemoryCell) -> None:
        del self.cells[cell]
        self.unwritten.discard(cell)

    def _grow(self, new: MemoryCell, over: Sequence[State]) -> None:
        """Make a differing piece of memory a cell, merged with the cells that it touches."""
        touched = [cell for cell in self._of_object(new.number) if cell.offset < new.end and new.offset < cell.end]
        if any(cell.offset <= new.offset and new.end <= cell.end for cell in touched):
            return
        start, end = min([new.offset, *[c.offset for c in touched]]), max([new.end, *[c.end for c in touched]])
        is_pointer = new.is_pointer or any(cell.is_pointer for cell in touched)
        for cell in touched:
            self._drop(cell)
        self._add(MemoryCell(new.number, start, end - start, is_pointer), over)
        if sum(cell.size for cell in self.cells if isinstance(cell, MemoryCell)) > MOST_BYTES:
            raise NotAbstract(f"more than {MOST_BYTES} bytes of memory change")

    def _compare_contents(self, begun: State, state: State) -> None:
        for number, contents in state.proof.contents.items():
            if number not in begun.proof.contents:
                raise NotAbstract("it allocates a block of any length")
            if begun.proof.contents[number] is not contents:
                self.objects[number] = self.objects.get(number, False) or _hold_unwritten(contents)


def check_remembered(begun: State, over: State) -> None:
    """Raise NotAbstract if an iteration changes facts other than cells and objects."""
    if over.lazy is not begun.lazy:
        raise NotAbstract("it looks at new parts of the input heap", for_good=False)
    if over.remembered.without_names() != begun.remembered.without_names():
        raise NotAbstract("it changes what the system or the library remembers")


def _registers(begun: State, over: State) -> Iterator[RegisterCell]:
    before, after = begun.frames[-1], over.frames[-1]
    for phi in before.function.blocks[before.block].phis:
        mine, other = before.registers[phi.result], after.registers[phi.result]
        if mine is other or (isinstance(mine, int) and mine == other):
            continue
        if not isinstance(phi.type, IntType | FloatType | PointerType):
            raise NotAbstract("what changes is no number")
        yield RegisterCell(phi.result, bits_of(phi.type), isinstance(phi.type, PointerType))


def _grown(cell: Cell, before: State, after: State) -> int | None:
    """The constant by which a cell has grown.

    Objects have no distance: a pointer that leads to another one has grown by no constant. Further turns would take
    it for a pointer out of bounds of the first one, and leave these turns out.
    """
    if cell.is_unwritten(before) or cell.is_unwritten(after):
        return None
    grown = build.sub(cell.read(after), cell.read(before), cell.width)
    if not isinstance(grown, int):
        return None
    is_within = -LARGEST <= signed(grown, cell.width) <= LARGEST
    return grown if is_within or not cell.is_pointer else None


def _have_grown(chain: Chain, cell: Cell, begun: State, over: Sequence[State], step: int) -> bool:
    """Whether a cell is ``step`` more at all ends of an iteration than at its beginning."""
    if any(cell.is_unwritten(state) for state in over):
        return False
    expected = build.add(cell.read(begun), step, cell.width)
    return all(chain.must(state.path, build.eq(cell.read(state), expected, cell.width)) for state in over)


def _hold_unwritten(contents: Contents) -> bool:
    """Whether a value that depends on unwritten bytes was written to an object of any length."""
    waiting, seen = [contents], set[Contents]()
    while waiting:
        layer = waiting.pop()
        if layer in seen:
            continue
        seen.add(layer)
        match layer:
            case JoinedContents(_, first, second):
                waiting += (first, second)
            case GuardedWrite(below, _, _, value, _):
                if is_unwritten(value):
                    return True
                waiting.append(below)
            case ForgottenBytes(below, _, _, now):
                match now:
                    case UnknownContents(name) if name.startswith(UNWRITTEN):
                        return True
                    case Filled(_, byte) if is_unwritten(byte):
                        return True
                    case Copied(source, _):
                        waiting.append(
                            ForgottenBytes(source, 0, 0, source) if isinstance(source, UnknownContents) else source
                        )
                waiting.append(below)
    return False
