"""The roots of two states' memory, in a fixed order: live registers, globals, files, tables of library and kernel.

Memory that is neither root nor reached is garbage, and does not count. Remembered facts are compared one by one, as
each declares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest

from unfork.engine.memory.library_objects import ERRNO, FIRST_LIBRARY_OBJECT
from unfork.engine.memory.lookout import named_objects
from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import END_OF_NAMES, FIRST_HEAP, MemoryObject, object_of
from unfork.engine.state.merge_rules import (
    ONLY_NAMES,
    WORD,
    ByNamePart,
    ComputedPart,
    EachPart,
    EitherPart,
    EqualPart,
    MergeRule,
    NumberPart,
    PaddedPart,
    RecordPart,
    RowPart,
    WordPart,
    cases_of,
    parts_of,
)
from unfork.engine.state.objects import Objects
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import JUMP_TARGETS, Frame, RegisterValue, State
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.types import ArrayType, PointerType, StructType, Type, VectorType
from unfork.reduce.prune.contract import Differ
from unfork.reduce.prune.matching import Matching


class Roots:
    """Compares the stacks and the roots of two states at one place.

    With ``keeps_all``, unreachable blocks count, too (for leak checks).
    """

    def __init__(self, registers: LiveRegisters, *, keeps_all: bool) -> None:
        self.registers = registers
        self._keeps_all = keeps_all
        self._facts = FactMatch()

    def compare(self, match: Matching) -> None:
        """Compare everything. Raises Differ if the states do not match."""
        covered, coverer = match.covered.state, match.coverer.state
        check_equal_facts(covered.remembered, coverer.remembered)
        for depth in range(len(covered.frames)):
            self._frame(match, covered, coverer, depth)
        self._facts.match(match, covered.remembered, coverer.remembered)
        _statics(match, covered.memory.objects, coverer.memory.objects)
        if not match.renames:
            if not same_names(covered, coverer) or covered.memory.freed.keys() != coverer.memory.freed.keys():
                raise Differ("different names")
            _blocks_and_locals(match, covered.memory.objects)
        _variables(match)
        match.walk()
        if self._keeps_all:
            _garbage(match, covered, coverer)

    def _frame(self, match: Matching, covered: State, coverer: State, depth: int) -> None:
        one, other = covered.frames[depth], coverer.frames[depth]
        if covered.remembered[JUMP_TARGETS] and (one.activation, one.ordinal) != (other.activation, other.ordinal):
            raise Differ("different activations")
        if one.stack_bytes != other.stack_bytes or len(one.locals) != len(other.locals):
            raise Differ("different stacks")
        types = self.registers.facts(one.function).types
        live = self.registers.of_frame(covered, depth)
        for register in live:
            match_register(match, one.registers[register], other.registers[register], types[register])
        if self._keeps_all:
            _kept(match, one, other, [i for i in range(len(one.registers)) if i not in live])
        if len(one.variadic) != len(other.variadic):
            raise Differ("different variadic arguments")
        for first, second in zip(one.variadic, other.variadic, strict=True):
            if first[:2] != second[:2]:
                raise Differ("different variadic arguments")
            match_register(match, first[2], second[2], first[0])


def _variables(match: Matching) -> None:
    """The predicates' values must be equal."""
    if match.abstracted is not None:
        for fact, other in zip(match.abstracted[0].facts, match.abstracted[1].facts, strict=True):
            if fact is not None and other is not None:
                match.number(fact, other, 1)
            elif fact is not other:
                raise Differ("different variables")


def _kept(match: Matching, one: Frame, other: Frame, registers: list[int]) -> None:
    """Dead registers that keep a block from being lost."""
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
    return isinstance(value, tuple) or (isinstance(value, Term) and bool(named_objects(value)))


def _statics(match: Matching, mine: Objects[MemoryObject], theirs: Objects[MemoryObject]) -> None:
    """Globals match by name, as do the contents of files."""
    touched = [number for number in mine.held if not FIRST_HEAP <= number < END_OF_NAMES]
    touched += [n for n in theirs.held if not FIRST_HEAP <= n < END_OF_NAMES and n not in mine.held]
    beginnings = mine.beginnings
    for number in touched:
        item, its = mine.get(number), theirs.get(number)
        if item is its and beginnings is not None and number in beginnings.numbers and item is beginnings[number]:
            continue  # in its initial state on both paths
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
    """Whether both states have blocks and locals of the same names, and will give the same names."""
    mine, theirs = covered.memory.objects.held, coverer.memory.objects.held
    return (
        covered.heap_count == coverer.heap_count
        and {number for number in mine if _is_block_or_local(number)}
        == {number for number in theirs if _is_block_or_local(number)}
        and all(
            frame.ordinal == other.ordinal
            and (frame.calls or {}) == (other.calls or {})
            and (frame.repetitions or {}) == (other.repetitions or {})
            for frame, other in zip(covered.frames, coverer.frames, strict=True)
        )
    )


def _is_block_or_local(number: int) -> bool:
    return FIRST_HEAP <= number < END_OF_NAMES


def _blocks_and_locals(match: Matching, objects: Objects[MemoryObject]) -> None:
    """Once numbers were made of addresses, any object may be within reach."""
    for number in objects.held:
        if _is_block_or_local(number):
            match.label(number, number)


def _garbage(match: Matching, covered: State, coverer: State) -> None:
    """Unreachable blocks: as many of each line, so that the same leaks are found."""
    lost = []
    for state, reached in ((covered, match.objects.keys()), (coverer, frozenset(match.objects.values()))):
        heap = [(n, item) for n, item in state.memory.objects.items() if item.kind == "heap" and n not in reached]
        if any(item.sites or item.gone != 0 for _, item in heap):
            raise Differ("different lost blocks")
        lost.append(Counter(item.site for _, item in heap))
    reached_sites = [
        (covered.memory.objects.get(number), coverer.memory.objects.get(other))
        for number, other in match.objects.items()
    ]
    if lost[0] != lost[1] or any(a and b and a.kind == "heap" and a.site != b.site for a, b in reached_sites):
        raise Differ("different lost blocks")


def match_register(match: Matching, one: RegisterValue, other: RegisterValue, kind: Type) -> None:
    """Two registers of one type. One that the coverer has not defined may be anything; an abstraction drops numbers."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            for x, y, part in zip(one, other, _parts(kind, len(one)), strict=True):
                match_register(match, x, y, part)
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


def _parts(kind: Type, count: int) -> tuple[Type, ...]:
    match kind:
        case StructType(elements=elements):
            return elements
        case ArrayType(element=element) | VectorType(element=element):
            return (element,) * count
    raise Differ("different types")


MOST_RECORDS = 4096
"""Records of library and kernel whose possible block names are cached."""


def check_equal_facts(covered: Remembered, coverer: Remembered) -> None:
    """Raise Differ unless the facts that must be equal are: the cheap test comes first."""
    for fact in covered.either(coverer):
        if isinstance(fact.merge_rule, EqualPart) and covered[fact] != coverer[fact]:
            raise Differ(f"different {fact.name}")


class FactMatch:
    """Compares the remembered facts of two paths."""

    def __init__(self) -> None:
        self._words = _Words()

    def match(self, match: Matching, covered: Remembered, coverer: Remembered) -> None:
        """Compare all facts except those for naming. Raises Differ if they do not match."""
        for fact in covered.either(coverer):
            if isinstance(fact.merge_rule, ONLY_NAMES):
                continue
            mine, theirs = covered[fact], coverer[fact]
            if mine is not theirs or not self._words.is_itself(mine, match):
                _Parts(match, fact.name).compare(fact.merge_rule, mine, theirs)


class _Parts:
    """Compares the parts of one fact, which ``name`` names in messages."""

    __slots__ = ("_match", "_name")

    def __init__(self, match: Matching, name: str) -> None:
        self._match = match
        self._name = name

    def compare(self, merge_rule: MergeRule, mine: object, theirs: object) -> None:
        """Compare a part. Raises Differ if it does not match."""
        match merge_rule:
            case NumberPart(width) if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
                self._value(mine, theirs, width)
            case WordPart() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
                self._match.word(mine, theirs)
            case ComputedPart(kind):
                match_register(self._match, mine, theirs, kind)
            case EachPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                self._row([part] * len(mine), mine, theirs)
            case PaddedPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                for each in zip_longest(mine, theirs):
                    self.compare(part, *each)
            case EitherPart(part):
                self._either(part, mine, theirs)
            case RowPart(parts) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                self._row(parts, mine, theirs)
            case RecordPart() if mine is not None and type(mine) is type(theirs):
                for name, part in parts_of(mine):
                    self.compare(part, getattr(mine, name), getattr(theirs, name))
            case ByNamePart():
                self._by_name(mine, theirs)
            case _:
                if mine != theirs:
                    raise self._differ()

    def _row(self, parts: Sequence[MergeRule], mine: Sequence[object], theirs: Sequence[object]) -> None:
        if len(mine) != len(theirs):
            raise self._differ()
        for each in zip(parts, mine, theirs, strict=True):
            self.compare(*each)

    def _either(self, part: MergeRule, mine: object, theirs: object) -> None:
        """Alternatives: the same in the same order, under the same conditions."""
        cases, others = cases_of(mine), cases_of(theirs)
        if len(cases) != len(others):
            raise self._differ()
        for (condition, own), (other_condition, other) in zip(cases, others, strict=True):
            self._value(condition, other_condition, 1)
            self.compare(part, own, other)

    def _by_name(self, mine: object, theirs: object) -> None:
        """Values, or tuples of them; everything else must be equal."""
        if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            self._value(mine, theirs, _width(mine, theirs))
        elif isinstance(mine, tuple) and isinstance(theirs, tuple):
            self._row([ByNamePart()] * len(mine), mine, theirs)
        elif mine != theirs:
            raise self._differ()

    def _value(self, mine: Value, theirs: Value, width: int) -> None:
        if isinstance(mine, int) and isinstance(theirs, int):
            self._match.address(mine, theirs)
        else:
            self._match.number(mine, theirs, width)

    def _differ(self) -> Differ:
        return Differ(f"different {self._name}")


def _width(mine: Value, theirs: Value) -> int:
    return mine.width if isinstance(mine, Term) else theirs.width if isinstance(theirs, Term) else WORD


class _Words:
    """The numbers in immutable records that could name blocks; a record without such matches itself.

    An unchanged record is shared with the state's ancestor, so each is searched once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, tuple[int, ...] | None]] = {}

    def is_itself(self, record: object, match: Matching) -> bool:
        """Whether a record that both states share certainly matches itself and names no blocks of theirs."""
        known = self._known.get(id(record))
        if known is None:
            if len(self._known) >= MOST_RECORDS:
                self._known.clear()
            known = self._known[id(record)] = (
                record,
                _words(record),
            )  # keeps the record alive, so that its id stays its own
        words = known[1]
        return words is not None and not any(match.covered.names(word) or match.coverer.names(word) for word in words)


def _words(record: object) -> tuple[int, ...] | None:
    """The numbers in a record that could name blocks; None if it has parts other than plain numbers and text."""
    words = []
    waiting = [record]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Term):
            return None
        if isinstance(part, tuple | frozenset):
            waiting.extend(part)
        elif is_dataclass(part):
            waiting.extend(getattr(part, field.name) for field in fields(part))
        elif isinstance(part, int):
            if FIRST_HEAP <= object_of(part) < END_OF_NAMES:
                words.append(part)
        elif part is not None and not isinstance(part, str | bytes):
            return None
    return tuple(sorted(set(words)))
