"""A state with symbols for all its values: what a stretch of the program does to any state at that place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import UNINITIALISED, MemoryObject, address_of
from unfork.engine.state.objects import Objects
from unfork.engine.state.state import Frame, RegisterValue, State
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.types import ArrayType, PointerType, StructType, Type, VectorType
from unfork.reduce.prune.interpolation.sources import (
    VARIADIC,
    CellSource,
    RegisterSource,
    SizeSource,
    Source,
    anchor_of,
    is_number_of_object,
    is_written,
    left_scope,
    pointer_words,
    symbol_of,
)


class CannotGeneralise(Exception):
    """Interpolants cannot describe the state, or an operation on it; the text says why."""


class General:
    """``state`` is ``original`` with symbols for its values; ``sources`` gives the meaning of each.

    ``values`` has the value of each in ``original``. Objects are generalised at their first use.
    """

    def __init__(self, original: State, live: LiveRegisters) -> None:
        self.original = original
        self.sources: dict[Term, Source] = {}
        self.values: dict[Term, Value] = {}
        self.bases: dict[Term, Value] = {}
        """The symbols of registers that hold the address of a local: their value is 0, its first byte."""
        self.touched: dict[int, None] = {}
        """Objects of ``original`` that were used, in order."""
        self.absent: dict[int, None] = {}
        """Numbers that were looked up without an object in ``original``."""
        self.has_numbers = False
        """Whether an address is available as a number."""
        self.written: set[Term] = set()
        """Symbols that the stretch uses, and that must have been written."""
        self._check(original)
        state = original.fork()
        state.path = PathCondition.EMPTY
        state.pending = ()
        state.frames = [self._frame(depth, live, state.token) for depth in range(len(original.frames))]
        state.memory.objects = GeneralObjects(self)
        self.state = state

    def twin(self) -> General:
        """A copy at the stretch's current point, to go on in another way; both share one original."""
        other = General.__new__(General)
        for name in ("original", "sources", "values", "bases", "touched", "absent", "has_numbers", "written"):
            setattr(other, name, getattr(self, name))
        objects = self.state.memory.objects
        assert isinstance(objects, GeneralObjects)
        self.state.memory.objects = Objects({}, None)
        other.state = self.state.fork()
        other.state.pending = self.state.pending
        self.state.memory.objects = objects
        other.state.memory.objects = objects.twin(other)
        return other

    def _check(self, state: State) -> None:
        if any(state.lazy.all):
            raise CannotGeneralise("a heap that is made as it is read")
        if state.over:
            raise CannotGeneralise("an abstract join")

    def _frame(self, depth: int, live: LiveRegisters, token: object) -> Frame:
        original = self.original.frames[depth]
        frame = original.copy(token)
        facts = live.facts(frame.function)
        types = facts.types
        registers: list[RegisterValue] = [None] * len(frame.registers)
        for number in live.of_frame(self.original, depth):
            general = self._value((depth, number, ()), original.registers[number], types[number])
            registers[number] = general
            if number in facts.bases and isinstance(general, Term):
                self.bases.update({symbol: 0 for symbol in general.symbols if self.values[symbol] == 0})
        frame.registers = registers
        frame.variadic = tuple(
            [
                (kind, by_value, self._value((depth, VARIADIC, (i,)), value, kind))
                for i, (kind, by_value, value) in enumerate(original.variadic)
            ]
        )
        return frame

    def _value(self, where: tuple[int, int, tuple[int, ...]], value: RegisterValue, kind: Type) -> RegisterValue:
        """The general value of a register, or of a part of one."""
        if value is None:
            return None
        if isinstance(value, tuple):
            depth, number, part = where
            kinds = _kinds(kind, len(value))
            return tuple(
                [
                    self._value((depth, number, (*part, i)), one, element)
                    for i, (one, element) in enumerate(zip(value, kinds, strict=True))
                ]
            )
        width = layout.bits_of(kind)
        anchor = anchor_of(value, self.original) if width == 64 else None
        is_number = width == 64 and is_number_of_object(value)
        self.has_numbers |= is_number or (anchor is not None and not isinstance(kind, PointerType))
        return self.stub(RegisterSource(*where, width, anchor), value)

    def stub(self, source: Source, value: Value) -> Value:
        """The general value of a source whose value is ``value`` in the original state."""
        symbol = symbol_of(source)
        anchor = source.anchor
        if symbol not in self.sources:
            self.sources[symbol] = source
            self.values[symbol] = value if anchor is None else build.sub(value, address_of(anchor), 64)
        return symbol if anchor is None else build.add(symbol, address_of(anchor), 64)

    def cell(self, number: int, offset: int, size: int) -> Value:
        """The general value of bytes that the stretch reads as the original state left them."""
        item = self.original.memory.objects[number]
        if not is_written(item, offset, size):
            raise CannotGeneralise("unwritten bytes")
        return self.stub(CellSource(number, offset, size, None), item.read(offset, size))

    def value(self, source: RegisterSource | CellSource) -> RegisterValue:
        """The value of ``state`` in a register, or in a part of a global; None if unknown.

        Unlike a read on the path, it adds no requirement.
        """
        if isinstance(source, RegisterSource):
            return source.read(self.state)
        first, end = source.offset, source.offset + source.size
        item = self.state.memory.objects.held.get(source.number)
        if item is None or (item.mask is not None and item.mask.count(UNINITIALISED, first, end) == source.size):
            item = self.original.memory.objects.get(source.number)
        if item is None or not is_written(item, source.offset, source.size):
            return None
        return item.read(source.offset, source.size)

    def general_object(self, number: int, item: MemoryObject) -> MemoryObject:
        """An object whose bytes are generalised on demand, except for words with pointers."""
        self.touched[number] = None
        if item.gone != 0:
            raise CannotGeneralise("an object that exists on some paths")
        if item.read_only:
            return item
        twin = item.copy(self.state.memory.token)
        if isinstance(item.size, Term):
            twin.size = self.stub(SizeSource(number), item.size)
        twin.symbolic = twin.origins = twin.updates = None
        twin.data = bytearray(len(item.data))
        twin.mask = bytearray((UNINITIALISED,)) * len(item.data)
        twin.label = f"@{number}"
        for offset, anchor in pointer_words(item, self.original):
            twin.write(offset, 8, self.stub(CellSource(number, offset, 8, anchor), item.read(offset, 8)))
        return twin


def _kinds(kind: Type, count: int) -> list[Type]:
    match kind:
        case StructType(elements=elements):
            return list(elements)
        case ArrayType(element=element) | VectorType(element=element):
            return [element] * count
    raise CannotGeneralise("a structure of unknown type")


class GeneralObjects(Objects[MemoryObject]):
    """The objects of a general state, each generalised at its first use."""

    __slots__ = ("_general", "_original")

    def __init__(self, general: General) -> None:
        super().__init__({}, general.original.memory.objects.beginnings)
        self._general = general
        self._original = dict(general.original.memory.objects.held)

    def copy(self) -> Objects[MemoryObject]:
        raise CannotGeneralise("a fork")

    def twin(self, general: General) -> GeneralObjects:
        """The same objects for another general state."""
        other = GeneralObjects.__new__(GeneralObjects)
        other.held, other.beginnings = self.held.copy(), self.beginnings
        other._general, other._original = general, self._original.copy()
        return other

    def get(self, number: int, default: MemoryObject | None = None) -> MemoryObject | None:  # type: ignore[override]
        known = self.held.get(number)
        if known is not None:
            return known
        item = self._original.pop(number, None)
        if item is None and self.beginnings is not None and number in self.beginnings.numbers:
            item = self.beginnings[number]
        if item is None:
            self._miss(number)
            return default
        known = self.held[number] = self._general.general_object(number, item)
        return known

    def drop(self, number: int) -> MemoryObject | None:
        """Take an object out, if it exists: an unused one may be anything."""
        return self._original.pop(number, None) or self.held.pop(number, None)

    def _miss(self, number: int) -> None:
        """Record that the number names nothing: the rest depends on it."""
        general = self._general
        if number not in general.original.memory.objects:
            noted = general.absent if left_scope(number, general.original) is None else general.touched
            noted[number] = None

    def __setitem__(self, number: int, item: MemoryObject) -> None:
        self._original.pop(number, None)
        self.held[number] = item

    def __contains__(self, number: object) -> bool:
        """A test for existence is a requirement."""
        assert isinstance(number, int)
        if number in self._original:
            self._general.touched[number] = None
            return True
        if super().__contains__(number):
            return True
        self._miss(number)
        return False

    def touched(self) -> Iterable[int]:
        raise CannotGeneralise("a pointer far into its object")

    def __iter__(self) -> Iterator[int]:
        raise CannotGeneralise("a pointer that may be anything")
