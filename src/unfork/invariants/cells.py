"""What a loop changes from turn to turn: the registers and the pieces of memory that differ where a turn is over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unfork.llvm.layout import bits_of
from unfork.llvm.module import Function
from unfork.llvm.types import FloatType, IntType, PointerType
from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.term import Term, Value
from unfork.merge.lattices import is_unwritten, may_be_pointer
from unfork.state.memory import UNINITIALISED, MemoryObject
from unfork.state.state import State

MOST_BYTES = 4096
"""A loop that changes more bytes of memory than this is run turn by turn."""
CHUNK = 256
"""So many bytes are compared at a time."""
WORD_BYTES = 8
TURNS_BITS = 64
"""Turns are counted in so many bits."""


class NotAbstract(Exception):
    """The loop has to be run turn by turn here. ``for_good``: so must it be in its next turns."""

    def __init__(self, reason: str, *, for_good: bool = True) -> None:
        super().__init__(reason)
        self.reason = reason
        self.for_good = for_good


@dataclass(frozen=True, slots=True)
class RegisterCell:
    """A register that the head of the loop gets anew each turn."""

    register: int
    width: int
    is_pointer: bool

    def read(self, state: State) -> Value:
        value: Value = state.frames[-1].registers[self.register]
        return value

    def write(self, state: State, value: Value) -> None:
        state.frames[-1].registers[self.register] = value

    def is_unwritten(self, state: State) -> bool:
        """Never: a register that nothing was written to has a symbol for that."""
        return False

    def may_be_unwritten(self, state: State) -> bool:
        """Whether it depends on what was never written."""
        return is_unwritten(self.read(state))

    def is_unwritten_around(self, state: State) -> bool:
        """Never, as nothing is around it."""
        return False


@dataclass(frozen=True, slots=True)
class MemoryCell:
    """A piece of memory: ``size`` bytes of an object from ``offset`` on."""

    number: int
    offset: int
    size: int
    is_pointer: bool

    @property
    def width(self) -> int:
        """Its width in bits."""
        return 8 * self.size

    @property
    def end(self) -> int:
        """Where the next piece begins."""
        return self.offset + self.size

    def read(self, state: State) -> Value:
        return state.memory.objects[self.number].read(self.offset, self.size)

    def write(self, state: State, value: Value) -> None:
        state.memory.writable(self.number).write(self.offset, self.size, value)

    def is_unwritten(self, state: State) -> bool:
        """Whether there is a byte that nothing was written to."""
        return bool(state.memory.objects[self.number].uninitialised_runs(self.offset, self.size))

    def is_unwritten_around(self, state: State) -> bool:
        """Whether its object has a byte that nothing was written to."""
        item = state.memory.objects[self.number]
        return bool(item.uninitialised_runs(0, len(item.data)))

    def may_be_unwritten(self, state: State) -> bool:
        """Whether nothing was written to a byte, or one depends on what was never written."""
        symbolic = state.memory.objects[self.number].symbolic or {}
        terms = {symbolic[at][0] for at in range(self.offset, self.end) if at in symbolic}
        return self.is_unwritten(state) or any(map(is_unwritten, terms))


Cell = RegisterCell | MemoryCell


@dataclass(slots=True)
class Cells:
    """What changes. ``steps`` are the constants by which the numbers of cells grow each turn; None: by no constant."""

    first: Sequence[State]
    """The states in which the first turn was over, from ``entry`` on."""
    entry: State
    steps: dict[Cell, int | None] = field(default_factory=dict)
    unwritten: set[Cell] = field(default_factory=set)
    """Those that may hold, when a turn begins, what depends on bytes that were never written."""
    _memory: dict[int, list[MemoryCell]] = field(default_factory=dict)

    def update(self, chain: Chain, begun: State, over: Sequence[State], function: Function) -> bool:
        """Take in what turns have changed that began as ``begun`` says. Returns whether that was more than was known.

        Raises NotAbstract for changes that no fresh number stands for.
        """
        known, unwritten = self.steps.copy(), self.unwritten.copy()
        for state in over:
            for register in self._registers(begun, state, function):
                self._add(register)
            self._compare_memory(begun, state)
        for cell, step in known.items():
            if self.steps.get(cell) is not None and not all(
                _has_grown(chain, cell, begun, state, step) for state in over
            ):
                self.steps[cell] = self._any(cell)
        states = (self.entry, *self.first, *over)
        self.unwritten |= {cell for cell in self.steps if any(cell.may_be_unwritten(state) for state in states)}
        return self.steps != known or self.unwritten != unwritten

    def _add(self, cell: Cell) -> None:
        if cell in self.steps:
            return
        steps: set[int | None] = set()
        for state in self.first:
            if cell.is_unwritten(self.entry) or cell.is_unwritten(state):
                steps.add(None)
            else:
                grown = build.sub(cell.read(state), cell.read(self.entry), cell.width)
                steps.add(grown if isinstance(grown, int) else None)
        step = steps.pop() if len(steps) == 1 and cell.width <= TURNS_BITS else None
        self.steps[cell] = self._any(cell) if step is None else step

    @staticmethod
    def _any(cell: Cell) -> None:
        if cell.is_pointer:
            raise NotAbstract("a pointer changes by no constant")

    # --- registers

    @staticmethod
    def _registers(begun: State, state: State, function: Function) -> Iterator[RegisterCell]:
        before, after = begun.frames[-1], state.frames[-1]
        for phi in function.blocks[before.block].phis:
            mine, other = before.registers[phi.result], after.registers[phi.result]
            if mine is other or (isinstance(mine, int) and mine == other):
                continue
            if mine is None or other is None or not isinstance(phi.type, IntType | FloatType | PointerType):
                raise NotAbstract("what changes is no number")
            yield RegisterCell(phi.result, bits_of(phi.type), isinstance(phi.type, PointerType))

    # --- memory

    def _compare_memory(self, begun: State, state: State) -> None:
        mine, other = begun.memory.objects, state.memory.objects
        for number in sorted({**mine.held, **other.held}):
            before, after = mine.get(number), other.get(number)
            if before is after:
                continue
            if before is None and after is not None:
                if after.kind != "heap":  # it has a name that the next turn finds it by, once it is there
                    raise NotAbstract("it is the first to use an object", for_good=False)
                continue  # nothing that outlives the turn leads to it
            if after is None and before is not None and before.kind == "stack":
                raise NotAbstract("it leaves the scope of a local", for_good=False)  # the next turn begins without it
            if before is None or after is None or after.gone is not before.gone or not _same_size(before, after):
                raise NotAbstract("memory is freed or moved")
            for offset in changed(before, after):
                self._grow(number, offset, before, after)

    def _grow(self, number: int, offset: int, before: MemoryObject, after: MemoryObject) -> None:
        """Let a cell be where a byte differs."""
        cells = self._memory.setdefault(number, [])
        new = cell_at(number, offset, before, after)
        touched = [cell for cell in cells if cell.offset < new.end and new.offset < cell.end]
        if any(cell.offset <= new.offset and new.end <= cell.end for cell in touched):
            return
        start, end = min([new.offset, *[c.offset for c in touched]]), max([new.end, *[c.end for c in touched]])
        is_pointer = new.is_pointer or any(cell.is_pointer for cell in touched)
        for cell in touched:
            cells.remove(cell)
            del self.steps[cell]
            self.unwritten.discard(cell)
        cells.append(MemoryCell(number, start, end - start, is_pointer))
        self._add(cells[-1])
        if sum(cell.size for all_cells in self._memory.values() for cell in all_cells) > MOST_BYTES:
            raise NotAbstract(f"more than {MOST_BYTES} bytes of memory change")


def _has_grown(chain: Chain, cell: Cell, begun: State, state: State, step: int | None) -> bool:
    """Whether a cell is ``step`` more than when the turn began."""
    if step is None or cell.is_unwritten(state):
        return False
    expected = build.add(cell.read(begun), step, cell.width)
    return chain.must(state.path, build.eq(cell.read(state), expected, cell.width))


def _same_size(a: MemoryObject, b: MemoryObject) -> bool:
    return a.size is b.size or (isinstance(a.size, int) and a.size == b.size)


def changed(before: MemoryObject, after: MemoryObject) -> list[int]:
    """The offsets of the bytes that differ."""
    changed = []
    for start in range(0, len(before.data), CHUNK):
        count = min(CHUNK, len(before.data) - start)
        if not before.same_bytes(after, start, count):
            changed += [at for at in range(start, start + count) if not before.same_bytes(after, at, 1)]
            if len(changed) > MOST_BYTES:
                raise NotAbstract(f"more than {MOST_BYTES} bytes of memory change")
    return changed


def cell_at(number: int, offset: int, before: MemoryObject, after: MemoryObject) -> MemoryCell:
    """The piece that a byte which differs belongs to: a pointer, what one term was written as, or the byte itself."""
    word = offset - offset % WORD_BYTES
    if _is_pointer(before, word) or _is_pointer(after, word):
        return MemoryCell(number, word, WORD_BYTES, True)
    entry = (after.symbolic or {}).get(offset)
    if entry is not None:
        term, place = entry
        start, size = offset - place, term.width // 8
        whole = [(after.symbolic or {}).get(start + i) for i in range(size)]
        if all(byte is not None and byte[0] is term and byte[1] == i for i, byte in enumerate(whole)):
            return MemoryCell(number, start, size, False)
    return MemoryCell(number, offset, 1, False)


def _is_pointer(item: MemoryObject, word: int) -> bool:
    if word + WORD_BYTES > len(item.data) or UNINITIALISED in (item.mask or b"")[word : word + WORD_BYTES]:
        return False
    value = item.read(word, WORD_BYTES)
    return (isinstance(value, Term) or value != 0) and may_be_pointer(value)
