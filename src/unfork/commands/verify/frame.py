"""The memory that an assigns clause lists: that nothing else changes, and a state that havocs it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from unfork.commands.verify.obligations import ProofGoal, Subject
from unfork.engine.meaning import formula, unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.engine.meaning.expression_meaning import CPointer, Meaning, MemoryLocation, Where
from unfork.engine.meaning.formula import Formula, Ground
from unfork.engine.meaning.pointers import strays, targets
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import (
    UNBOUNDED,
    CellsOfSymbols,
    Contents,
    Copied,
    Filled,
    ForgottenBytes,
    GuardedWrite,
    JoinedContents,
    UnknownContents,
    stride_of,
)
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.contracts import Assigns
from unfork.program.c.expressions import LONG, Bytes, GuardedLocations, Integral, Place, RangeExpression, WholeObject
from unfork.reduce.invariants.cells import changed_offsets
from unfork.reduce.invariants.havoc import HAVOC

UNKNOWN = -1
"""The number of an object whose pointer does not show where it leads."""


@dataclass(frozen=True, slots=True)
class FrameRegion:
    """Bytes ``low`` to before ``high`` of an object (``number``, or UNKNOWN), under ``guard`` (1 bit). ``size``: bytes
    of an element.
    """

    guard: Value
    number: int
    low: CValue
    high: CValue
    size: int


class ClauseFrame:
    """The memory that a clause lists where ``guard`` holds; elsewhere it says nothing."""

    def __init__(self, meaning: Meaning, assigns: Assigns, guard: Formula = formula.TRUE) -> None:
        self._meaning = meaning
        self.assigns = assigns
        self._guard = guard

    def regions(self, where: Where) -> list[FrameRegion]:
        regions: list[FrameRegion] = []
        for listed in self.assigns.places:
            if not isinstance(listed, GuardedLocations):
                regions += self._region(listed, where)
                continue
            asked = self._meaning.formula(listed.condition, where)
            if not isinstance(asked, Ground):
                raise NoMeaning(f"assigns {self.assigns.text}: a quantifier in a condition")
            for region in [each for place in listed.places for each in self._region(place, where)]:
                regions.append(replace(region, guard=build.both(region.guard, asked.value)))
        return regions

    def _region(self, listed: Place, where: Where) -> Iterator[FrameRegion]:
        size = 1
        match listed:
            case RangeExpression():
                address, begin, end = self._meaning.region(listed, where)
                pointer = self._meaning.value(listed.pointer, where)
                size = pointer.target.size if isinstance(pointer, CPointer) else 1
            case Bytes(pointer=pointed, size=count):
                given, length = self._meaning.value(pointed, where), self._meaning.value(count, where)
                if not isinstance(given, CPointer) or not isinstance(length, CValue):
                    raise NoMeaning(f"assigns {self.assigns.text}: no bytes at a pointer")
                address, begin, end = given.value, unbounded_integers.constant(0), unbounded_integers.number(length)
                size = given.target.size
            case WholeObject(pointer=pointed):
                given = self._meaning.value(pointed, where)
                if not isinstance(given, CPointer):
                    raise NoMeaning(f"assigns {self.assigns.text}: no pointer")
                yield from _astray(given.value)
                for guard, number, _ in targets(given.value):
                    item = where.state.memory.objects.get(number)
                    if item is not None:
                        whole = unbounded_integers.number(CValue(item.size, Integral(64, False)))
                        yield FrameRegion(guard, number, unbounded_integers.constant(0), whole, given.target.size)
                return
            case _:
                located = self._meaning.typed(listed, where)
                if not isinstance(located, MemoryLocation):
                    raise NoMeaning(f"assigns {self.assigns.text}: a value where a place should be")
                address, begin, end = (
                    located.address,
                    unbounded_integers.constant(0),
                    unbounded_integers.constant(located.type.size),
                )
                size = located.type.size
        yield from _astray(address)
        for guard, number, offset in targets(address):
            start = unbounded_integers.number(CValue(offset, LONG))
            yield FrameRegion(
                guard,
                number,
                unbounded_integers.binary("+", start, begin),
                unbounded_integers.binary("+", start, end),
                max(size, 1),
            )

    def ranges(self, where: Where, number: int) -> list[tuple[Value, Value]]:
        """The byte offsets (64 bits) of an object's listed parts."""
        ranges = []
        for region in self.regions(where):
            if region.number == number:
                low, high = unbounded_integers.bits(region.low), unbounded_integers.bits(region.high)
                ranges.append((low, build.ite(region.guard, high, low, 64)))
        return ranges

    # --- whether others changed

    def _never(self, wrong: Value) -> ProofGoal:
        subject = Subject("assigns", self.assigns.file, self.assigns.line, self.assigns.text)
        return ProofGoal(subject, formula.implied(self._guard, Ground(build.negate(wrong))))

    def at_first(self) -> ProofGoal:
        """That nothing is written yet: shows the clause even without other goals."""
        return self._never(0)

    def written(
        self, state: State, begun: State, regions: Sequence[Where], locals: Collection[int] = ()
    ) -> Iterator[ProofGoal]:
        """That no bytes outside of ``regions`` were written since ``begun``; on the stack, only ``locals`` count."""
        listed = [region for where in regions for region in self.regions(where)]
        for number, contents in state.proof.contents.items():
            before = begun.proof.contents.get(number)
            if before is not None and before is not contents:
                inside = [region for region in listed if region.number == number]
                yield from map(self._never, _layers(contents, before, inside))
        mine, other = begun.memory.objects, state.memory.objects
        for number in sorted(other.held):
            earlier, after = mine.get(number), other.get(number)
            if earlier is None or after is None or earlier is after or after.kind == UNBOUNDED:
                continue
            if after.kind == "stack" and number not in locals:
                continue
            inside = [region for region in listed if region.number == number]
            for offset in changed_offsets(earlier, after):
                is_listed = _is_listed(
                    inside, unbounded_integers.constant(offset), unbounded_integers.constant(offset + 1)
                )
                yield self._never(build.both(_differs(earlier, after, offset), build.negate(is_listed)))

    def changed(
        self, state: State, begun: State, regions: Sequence[Where], numbers: Collection[int]
    ) -> Iterator[ProofGoal]:
        """That no bytes outside of ``regions`` differ from ``begun``, in objects of known size."""
        listed = [region for where in regions for region in self.regions(where)]
        for number in sorted(numbers):
            earlier, after = begun.memory.objects.get(number), state.memory.objects.get(number)
            if earlier is None or after is None or earlier is after or len(earlier.data) != len(after.data):
                continue
            inside = [region for region in listed if region.number == number]
            differing: list[Value] = []
            for offset in changed_offsets(earlier, after):
                if not earlier.uninitialised_runs(offset, 1) and not after.uninitialised_runs(offset, 1):
                    differs = _differs(earlier, after, offset)
                    is_listed = _is_listed(
                        inside, unbounded_integers.constant(offset), unbounded_integers.constant(offset + 1)
                    )
                    differing.append(build.both(differs, build.negate(is_listed)))
            yield self._never(build.disjunction(differing))

    def lost(self, before: Where, after: Where, numbers: Collection[int]) -> Iterator[ProofGoal]:
        """That all bytes listed ``before`` a turn are listed ``after`` it.

        A loop's head havocs only those, and they must include the writes of earlier turns.
        """
        listed = self.regions(after)
        for region in self.regions(before):
            if region.number in numbers:
                inside = [each for each in listed if each.number == region.number]
                is_some = unbounded_integers.compared("<", region.low, region.high)
                is_listed = _is_listed(inside, region.low, region.high)
                yield self._never(build.conjunction([region.guard, is_some, build.negate(is_listed)]))

    # --- havoc

    def havoc(self, state: State, where: Where, cells: CellsOfSymbols, fresh: Callable[[], int]) -> None:
        """Give the listed bytes any contents, with locations read in ``where``. Raises NoMeaning."""
        for region in self.regions(where):
            if region.number == UNKNOWN and region.guard != 0:
                raise NoMeaning(f"assigns {self.assigns.text}: it is not known where a pointer leads")
            item = state.memory.objects.get(region.number)
            if item is None:
                continue
            if item.kind == UNBOUNDED:
                below = state.proof.contents[region.number]
                low = unbounded_integers.bits(region.low)
                high = build.ite(region.guard, unbounded_integers.bits(region.high), low, 64)
                contents = ForgottenBytes(below, low, high, cells.unknown(item.name, stride_of(below)))
                state.proof = replace(state.proof, contents={**state.proof.contents, region.number: contents})
                continue
            first, last = region.low.value, region.high.value
            if isinstance(first, int) and isinstance(last, int):
                begin, end = (
                    max(unbounded_integers.value_of(region.low), 0),
                    min(unbounded_integers.value_of(region.high), len(item.data)),
                )
            else:
                begin, end = 0, len(item.data)
            if begin >= end:
                continue
            item = state.memory.writable(region.number)
            step = region.size if region.size in (1, 2, 4, 8) else 1
            for offset in range(begin, end, step):
                size = min(step, end - offset)
                value: Value = symbol(f"{HAVOC}{fresh()}", 8 * size)
                if region.guard != 1 and not item.uninitialised_runs(offset, size):
                    value = build.ite(region.guard, value, item.read(offset, size), 8 * size)
                item.write(offset, size, value)


def _astray(address: Value) -> Iterator[FrameRegion]:
    """The region of a pointer that may lead anywhere."""
    guard = strays(address)
    if guard != 0:
        yield FrameRegion(guard, UNKNOWN, unbounded_integers.constant(0), unbounded_integers.constant(0), 1)


def _layers(contents: Contents, before: Contents, listed: Sequence[FrameRegion]) -> Iterator[Value]:
    """Conditions under which writes after ``before`` are outside of the listed regions."""
    waiting: list[tuple[Value, Contents]] = [(1, contents)]
    seen: set[Contents] = set()
    while waiting:
        guard, layer = waiting.pop()
        if layer is before or layer in seen:
            continue
        match layer:
            case UnknownContents() | Filled() | Copied():
                yield guard
            case JoinedContents(condition, first, second):
                waiting.append((build.both(guard, condition), first))
                waiting.append((build.both(guard, build.negate(condition)), second))
            case GuardedWrite(below, offset, size, _, condition):
                start = unbounded_integers.number(CValue(offset, LONG))
                end = unbounded_integers.binary("+", start, unbounded_integers.constant(size))
                yield build.conjunction([guard, condition, build.negate(_is_listed(listed, start, end))])
                waiting.append((guard, below))
            case ForgottenBytes(below, low, high, _):
                start, end = unbounded_integers.number(CValue(low, LONG)), unbounded_integers.number(CValue(high, LONG))
                is_some = unbounded_integers.compared("<", start, end)
                yield build.conjunction([guard, is_some, build.negate(_is_listed(listed, start, end))])
                waiting.append((guard, below))


def _differs(earlier: MemoryObject, after: MemoryObject, offset: int) -> Value:
    """Whether a byte has changed (1 bit), or has no value."""
    if earlier.uninitialised_runs(offset, 1) or after.uninitialised_runs(offset, 1):
        return 1
    return build.ne(earlier.byte(offset), after.byte(offset), 8)


def _is_listed(listed: Sequence[FrameRegion], start: CValue, end: CValue) -> Value:
    return build.disjunction(
        [
            build.conjunction(
                [
                    region.guard,
                    unbounded_integers.compared("<=", region.low, start),
                    unbounded_integers.compared("<=", end, region.high),
                ]
            )
            for region in listed
        ]
    )
