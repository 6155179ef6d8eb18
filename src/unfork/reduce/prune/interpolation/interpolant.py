"""Interpolants, and whether a state meets one: objects match along pointers, values by substitution."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.remembered import Remembered
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import evaluate, substitute
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.interpolation.sources import (
    CellSource,
    RegisterSource,
    SizeSource,
    Source,
    base_object,
    is_static,
    is_written,
    left_scope,
    offset_term,
    symbol_of,
)


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of an object: states that differ in it are never compared."""

    kind: str
    size: int
    """In bytes; -1 if it depends on inputs."""
    capacity: int
    read_only: bool
    scope: tuple[int, int] | None
    """For a local whose scope ended, which one it is (sources.left_scope); None for a live object."""

    @classmethod
    def of(cls, number: int, state: State) -> Shape | None:
        """The shape of an object of ``state``, or of a local that may live again; None if there is none."""
        item, scope = state.memory.objects.get(number), None
        if item is None:
            scope = left_scope(number, state)
            if scope is None:
                return None
            item = (state.frames[scope[0]].ended or {})[number]
        return None if item.gone != 0 else cls(item.kind, item.limit, len(item.data), item.read_only, scope)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What states must have in common, whatever their values are."""

    remembered: Remembered

    @classmethod
    def of(cls, state: State) -> Fixed:
        """The fixed parts of ``state``."""
        return cls(state.remembered.without_names())

    def fits(self, state: State) -> bool:
        """Whether ``state`` has the same fixed parts."""
        return Fixed.of(state) == self


@dataclass(frozen=True, slots=True)
class Interpolant:
    """A condition on the states at one program point, over ``sources``: a state that meets it does nothing new.

    ``conditions`` (1 bit each) hold together. ``anchors`` are the pointers that must lead to different objects, of
    the given ``shapes``, where they do here; an object without an anchor must be the one of the same name. No object
    may have a number in ``absent``. ``heap_count`` is None, or the number of allocations so far where addresses were
    used as numbers; then no object may have another name.
    """

    conditions: tuple[Term, ...]
    sources: dict[Term, Source]
    anchors: tuple[Source, ...]
    shapes: dict[int, Shape]
    absent: frozenset[int]
    fixed: Fixed
    heap_count: int | None
    weight: int = 0
    """The number of terms in the conditions."""
    sides: tuple[Term, ...] = ()
    """Conditions over ``sources`` for sides that no path took: a state that meets one takes such a side."""
    written: frozenset[Term] = frozenset()
    """Symbols of ``sources`` that must not depend on unwritten bytes, where a check looks for that."""
    taken: frozenset[int] = frozenset()
    """Branch edges that were open when it was learnt, and that a state that meets it may take."""
    work: int = 0
    """The work that a cover saves: instructions run, or saved, below the state from which it was learnt."""

    @property
    def size(self) -> int:
        """The number of parts to compare."""
        return len(self.conditions) + len(self.anchors)


class InterpolantMismatch(Exception):
    """A state does not match an interpolant; the text says in what."""


def instance(interpolant: Interpolant, state: State) -> tuple[list[Term], dict[int, int]]:
    """The interpolant's conditions on ``state``, as terms over its inputs, without true ones; and the matched
    objects.

    Raises InterpolantMismatch if the state does not match, or a condition is false.
    """
    if not interpolant.fixed.fits(state):
        raise InterpolantMismatch("what is remembered")
    if interpolant.heap_count is not None and interpolant.heap_count != state.heap_count:
        raise InterpolantMismatch("allocations")
    if any(number in state.memory.objects for number in interpolant.absent):
        raise InterpolantMismatch("objects that are not gone")
    names = _match(interpolant, state)
    values: dict[Term, Value] = {
        symbol: _value(interpolant.sources[symbol], state, names) for symbol in interpolant.written
    }
    if any(isinstance(value, Term) and unwritten_symbols(value) for value in values.values()):
        raise InterpolantMismatch("unwritten bytes")
    conditions: list[Term] = []
    for condition in interpolant.conditions:
        for symbol in condition.symbols:
            if symbol not in values:
                values[symbol] = _value(interpolant.sources[symbol], state, names)
        here = substitute(condition, {symbol: values[symbol] for symbol in condition.symbols})
        if isinstance(here, Term):
            conditions.append(here)
        elif not here:
            raise InterpolantMismatch("values")
    return conditions, names


def _match(interpolant: Interpolant, state: State) -> dict[int, int]:
    """The object of ``state`` for each object of the interpolant."""
    names: dict[int, int] = {}
    taken: dict[int, int] = {}
    for source in interpolant.anchors:
        assert source.anchor is not None
        number = base_object(read(source, state, names))
        if number is None:
            raise InterpolantMismatch("pointers")
        if (
            names.setdefault(source.anchor, number) != number
            or taken.setdefault(number, source.anchor) != source.anchor
        ):
            raise InterpolantMismatch("shape of the heap")
    for number, shape in interpolant.shapes.items():
        here = names.setdefault(number, number)
        if taken.setdefault(here, number) != number:
            raise InterpolantMismatch("shape of the heap")
        if here != number and (is_static(number) or is_static(here) or interpolant.heap_count is not None):
            raise InterpolantMismatch("names of objects")
        if Shape.of(here, state) != shape:
            raise InterpolantMismatch("shape of objects")
    return names


def read(source: Source, state: State, names: dict[int, int]) -> Value:
    """The whole value of a source in ``state``."""
    if isinstance(source, RegisterSource):
        value = source.whole(state)
        if value is None:
            raise InterpolantMismatch("registers")
        return value
    number = names.get(source.number, source.number)
    item = state.memory.objects.get(number)
    if item is None:
        raise InterpolantMismatch("names of objects")
    if isinstance(source, SizeSource):
        return item.size
    if not is_written(item, source.offset, source.size):
        raise InterpolantMismatch("unwritten bytes")
    return item.read(source.offset, source.size)


def _value(source: Source, state: State, names: dict[int, int]) -> Value:
    """The value of a source's symbol in ``state``."""
    value = read(source, state, names)
    if source.anchor is None:
        return value
    offset = offset_term(value, names[source.anchor])
    if isinstance(offset, Term) and names[source.anchor] != source.anchor and offset.high >= 1 << 38:
        raise InterpolantMismatch("a pointer that may leave its object")
    return offset


def anchor_closure(anchors: Iterable[Source], known: Iterable[Source]) -> tuple[Source, ...]:
    """``anchors`` and those that lead to the objects they are in, in an order in which they can be followed.

    ``known`` has every pointer, those of registers before those in objects.
    """
    wanted = dict.fromkeys(anchors)
    by_number: dict[int, list[Source]] = {}
    for source in known:
        assert source.anchor is not None
        by_number.setdefault(source.anchor, []).append(source)
    pending = [source.number for source in wanted if not isinstance(source, RegisterSource)]
    while pending:
        number = pending.pop()
        if is_static(number):
            continue
        for source in by_number.get(number, ()):
            if source not in wanted:
                wanted[source] = None
                if isinstance(source, CellSource):
                    pending.append(source.number)
    return in_order(wanted)


def in_order(anchors: Iterable[Source]) -> tuple[Source, ...]:
    """Pointers of registers and globals first, then those in objects known by then, and so on."""
    rest = list(anchors)
    done: list[Source] = []
    reached: set[int] = set()
    while rest:
        ready = [
            source
            for source in rest
            if isinstance(source, RegisterSource) or is_static(source.number) or source.number in reached
        ] or rest
        done += ready
        reached.update(source.anchor for source in ready if source.anchor is not None)
        rest = [source for source in rest if source not in set(ready)]
    return tuple(done)


def renamed(interpolant: Interpolant, names: dict[int, int]) -> Interpolant:
    """The interpolant for a state whose objects are named as in ``names``."""
    if all(number == name for number, name in names.items()):
        return interpolant

    def moved(source: Source) -> Source:
        anchor = None if source.anchor is None else names[source.anchor]
        if isinstance(source, RegisterSource):
            return replace(source, anchor=anchor)
        number = names.get(source.number, source.number)
        return SizeSource(number) if isinstance(source, SizeSource) else replace(source, number=number, anchor=anchor)

    symbols: dict[Term, Value] = {}
    sources: dict[Term, Source] = {}
    for symbol, source in interpolant.sources.items():
        other = moved(source)
        symbols[symbol] = symbol_of(other)
        sources[symbol_of(other)] = other
    conditions = [substitute(condition, symbols) for condition in interpolant.conditions]
    return replace(
        interpolant,
        conditions=tuple([condition for condition in conditions if isinstance(condition, Term)]),
        sources=sources,
        anchors=tuple([moved(source) for source in interpolant.anchors]),
        shapes={names.get(number, number): shape for number, shape in interpolant.shapes.items()},
        sides=(),
        written=frozenset([symbol_of(moved(interpolant.sources[symbol])) for symbol in interpolant.written]),
    )


def takes_a_side(interpolant: Interpolant, state: State, names: dict[int, int]) -> bool:
    """Whether ``state``, which meets the interpolant, seems to take one of its ``sides``: in its path's model."""
    inputs = state.path.model()
    for side in interpolant.sides:
        values = {symbol: _value(interpolant.sources[symbol], state, names) for symbol in side.symbols}
        if evaluate(substitute(side, values), inputs):
            return True
    return False
