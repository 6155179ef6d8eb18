"""Where two states' memory is entered, in a fixed order: live registers, globals, files, tables of library and kernel.

What of a state is no root and reached from none is garbage, and does not count.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, is_dataclass
from typing import Any

from unfork.execute.library_objects import ERRNO, FIRST_LIBRARY_OBJECT
from unfork.execute.lookout import mentioned
from unfork.execute.uninitialised import COPIED, LABELS
from unfork.logic.term import Term
from unfork.program import layout
from unfork.program.types import POINTER, ArrayType, IntType, PointerType, StructType, Type, VectorType
from unfork.prune.contract import Differ
from unfork.prune.matching import Matching
from unfork.state.live_registers import LiveRegisters
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, MemoryObject, object_of
from unfork.state.objects import Objects
from unfork.state.state import Frame, RegisterValue, State

WORDS = {"strtok": 0, "rand": 0}
"""Values of 64 bits in State.environment, with what they are before they are set."""
STATUS = IntType(32)
MOST_RECORDS = 4096
"""Records of library and kernel that are remembered by what blocks they could name."""


class Roots:
    """Compares the stacks and the roots of two states that stand at one place.

    ``keeps_all`` makes blocks that nothing leads to count too (for leak checks).
    """

    def __init__(self, registers: LiveRegisters, *, keeps_all: bool) -> None:
        self.registers = registers
        self._keeps_all = keeps_all
        self._words = _Words()

    def compare(self, match: Matching) -> None:
        """Compare everything. Raises Differ where the states do not match."""
        covered, coverer = match.covered.state, match.coverer.state
        if covered.jump_targets != coverer.jump_targets:
            raise Differ("different jump targets")
        for depth in range(len(covered.frames)):
            self._frame(match, covered, coverer, depth)
        self._afterwards(match, covered, coverer)
        _environments(match, covered.environment, coverer.environment, self._words)
        _statics(match, covered.memory.objects, coverer.memory.objects)
        if not match.renames:
            if not same_names(covered, coverer):
                raise Differ("different names")
            _blocks_and_locals(match, covered.memory.objects)
        _facts(match)
        match.walk()
        if self._keeps_all:
            _garbage(match, covered, coverer)

    def _frame(self, match: Matching, covered: State, coverer: State, depth: int) -> None:
        one, other = covered.frames[depth], coverer.frames[depth]
        if covered.jump_targets and (one.activation, one.ordinal) != (other.activation, other.ordinal):
            raise Differ("different activations")
        if one.stack_bytes != other.stack_bytes or len(one.locals) != len(other.locals):
            raise Differ("different stacks")
        types = self.registers.facts(one.function).types
        live = self.registers.of_frame(covered, depth)
        for register in live:
            _register(match, one.registers[register], other.registers[register], types[register])
        if self._keeps_all:
            _kept(match, one, other, [i for i in range(len(one.registers)) if i not in live])
        if len(one.variadic) != len(other.variadic):
            raise Differ("different variadic arguments")
        for first, second in zip(one.variadic, other.variadic, strict=True):
            if first[:2] != second[:2]:
                raise Differ("different variadic arguments")
            _register(match, first[2], second[2], first[0])

    def _afterwards(self, match: Matching, covered: State, coverer: State) -> None:
        """What runs after the stack is empty."""
        if covered.agenda != coverer.agenda:
            raise Differ("different agenda")
        for _, arguments in covered.agenda:
            for argument in arguments:
                _register(match, argument, argument, POINTER)
        if [name for name, _ in covered.exit_handlers] != [name for name, _ in coverer.exit_handlers]:
            raise Differ("different exit handlers")
        for (_, one), (_, other) in zip(covered.exit_handlers, coverer.exit_handlers, strict=True):
            if one is not None or other is not None:
                _register(match, one, other, POINTER)
        if covered.exit_status is not coverer.exit_status:
            _register(match, covered.exit_status, coverer.exit_status, STATUS)


def _register(match: Matching, one: RegisterValue, other: RegisterValue, kind: Type) -> None:
    """Two registers of one type. What the coverer has not defined may be anything; an abstraction drops numbers."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            for x, y, part in zip(one, other, _parts(kind, len(one)), strict=True):
                _register(match, x, y, part)
        elif other is not None:
            raise Differ("undefined value")
    elif other is None:
        if match.tells_unwritten and one is not None:
            raise Differ("undefined value")
    elif one is None:
        raise Differ("undefined value")
    elif isinstance(kind, PointerType):
        match.pointer(one, other)
    elif match.abstracted is None:
        width = one.width if isinstance(one, Term) else other.width if isinstance(other, Term) else None
        match.number(one, other, layout.bits_of(kind) if width is None else width)


def _facts(match: Matching) -> None:
    """What predicates say of variables must be the same."""
    if match.abstracted is not None:
        for one, other in zip(match.abstracted[0].facts, match.abstracted[1].facts, strict=True):
            if one is not None and other is not None:
                match.number(one, other, 1)
            elif one is not other:
                raise Differ("different variables")


def _parts(kind: Type, count: int) -> tuple[Type, ...]:
    match kind:
        case StructType(elements=elements):
            return elements
        case ArrayType(element=element) | VectorType(element=element):
            return (element,) * count
    raise Differ("different types")


def _kept(match: Matching, one: Frame, other: Frame, registers: list[int]) -> None:
    """Registers that are not read any more, but keep a block from being lost."""
    for register in registers:
        x, y = one.registers[register], other.registers[register]
        names = isinstance(x, int) and match.covered.names(x), isinstance(y, int) and match.coverer.names(y)
        if any(names):
            if not all(names):
                raise Differ("different kept blocks")
            match.address(x, y)
        elif x is not y and (_may_name(x) or _may_name(y)):
            raise Differ("different kept blocks")


def _may_name(value: RegisterValue) -> bool:
    return isinstance(value, tuple) or (isinstance(value, Term) and bool(mentioned(value)))


def _statics(match: Matching, mine: Objects[MemoryObject], theirs: Objects[MemoryObject]) -> None:
    """Globals match by name, as do contents of files."""
    touched = [number for number in mine.held if not FIRST_HEAP <= number < END_OF_NAMES]
    touched += [n for n in theirs.held if not FIRST_HEAP <= n < END_OF_NAMES and n not in mine.held]
    beginnings = mine.beginnings
    for number in touched:
        item, its = mine.get(number), theirs.get(number)
        if item is its and beginnings is not None and number in beginnings.numbers and item is beginnings[number]:
            continue  # as it began, on both paths
        if number in mine and number in theirs:
            match.label(number, number)
            continue
        known = item or its
        assert known is not None
        if known.read_only and number < FIRST_HEAP:
            continue  # a table of the library, made on first use
        if number != FIRST_LIBRARY_OBJECT + ERRNO:
            raise Differ("different objects")
        zero = MemoryObject(bytearray(len(known.data)), known.size, known.kind, known.name)
        match.contents(item or zero, its or zero, (number, number))


def same_names(covered: State, coverer: State) -> bool:
    """Whether both states hold blocks and locals of the same names, and will give the same names."""
    mine, theirs = covered.memory.objects.held, coverer.memory.objects.held
    return (
        covered.heap_count == coverer.heap_count
        and {number for number in mine if _is_block_or_local(number)}
        == {number for number in theirs if _is_block_or_local(number)}
        and all(
            one.ordinal == other.ordinal
            and (one.calls or {}) == (other.calls or {})
            and (one.repetitions or {}) == (other.repetitions or {})
            for one, other in zip(covered.frames, coverer.frames, strict=True)
        )
    )


def _is_block_or_local(number: int) -> bool:
    return FIRST_HEAP <= number < END_OF_NAMES


def _blocks_and_locals(match: Matching, objects: Objects[MemoryObject]) -> None:
    """Where numbers have been made of addresses, nobody knows which objects are still within reach."""
    for number in objects.held:
        if _is_block_or_local(number):
            match.label(number, number)


def _environments(match: Matching, mine: dict[str, Any], theirs: dict[str, Any], words: _Words) -> None:
    """What library and kernel remember. Counts that only make names do not matter."""
    for key in (*mine, *[key for key in theirs if key not in mine]):
        if key.startswith((LABELS, COPIED)):
            continue
        one, other = mine.get(key), theirs.get(key)
        start = WORDS.get(key)
        if start is not None:
            match.word(start if one is None else one, start if other is None else other)
        elif one is not other or not words.is_itself(one, match):
            _records(match, one, other)


class _Words:
    """Which numbers in an immutable record could name blocks; a record that holds none that does matches itself.

    A record that a state has not changed is that of the state it comes from, so each is looked through once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, tuple[int, ...] | None]] = {}

    def is_itself(self, record: object, match: Matching) -> bool:
        """Whether a record that both states hold is certain to match itself, and says nothing of their blocks."""
        known = self._known.get(id(record))
        if known is None:
            if len(self._known) >= MOST_RECORDS:
                self._known.clear()
            known = self._known[id(record)] = (record, _words(record))  # holds it, so that its id stays its own
        words = known[1]
        return words is not None and not any(match.covered.names(one) or match.coverer.names(one) for one in words)


def _words(record: object) -> tuple[int, ...] | None:
    """The numbers in a record that could name blocks; None where it holds what may be no plain number or text."""
    found = []
    waiting = [record]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple | frozenset):
            waiting.extend(one)
        elif is_dataclass(one):
            waiting.extend(getattr(one, field.name) for field in fields(one))
        elif isinstance(one, int):
            if FIRST_HEAP <= object_of(one) < END_OF_NAMES:
                found.append(one)
        elif one is not None and not isinstance(one, str | bytes):
            return None
    return tuple(sorted(set(found)))


def _records(match: Matching, one: Any, other: Any) -> None:
    """Two records of one class: their terms are values, all else must be the same."""
    if isinstance(one, Term) or isinstance(other, Term):
        width = one.width if isinstance(one, Term) else other.width
        if not (isinstance(one, Term | int) and isinstance(other, Term | int)):
            raise Differ("library state")
        match.number(one, other, width)
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for first, second in zip(one, other, strict=True):
            _records(match, first, second)
    elif is_dataclass(one) and type(one) is type(other):
        for field in fields(one):
            _records(match, getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, int) and isinstance(other, int):
        match.address(one, other)
    elif one != other or (isinstance(one, dict | frozenset) and any(isinstance(each, Term | tuple) for each in one)):
        raise Differ("library state")


def _garbage(match: Matching, covered: State, coverer: State) -> None:
    """Blocks that nothing leads to: as many of each line, so that the same leaks are found."""
    lost = []
    for state, reached in ((covered, match.objects.keys()), (coverer, frozenset(match.objects.values()))):
        heap = [(n, item) for n, item in state.memory.objects.items() if item.kind == "heap" and n not in reached]
        if any(item.sites or item.gone != 0 for _, item in heap):
            raise Differ("different lost blocks")
        lost.append(Counter(item.site for _, item in heap))
    reached_sites = [
        (covered.memory.objects.get(one), coverer.memory.objects.get(other)) for one, other in match.objects.items()
    ]
    if lost[0] != lost[1] or any(a and b and a.kind == "heap" and a.site != b.site for a, b in reached_sites):
        raise Differ("different lost blocks")
