"""What a cover by something learnt relies on: the state is like the one learnt from, and meets the conditions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from unfork.audit.claim import Obligation, replaced, term_of
from unfork.audit.object_pairs import may_be_unwritten
from unfork.logic.evaluate import evaluate
from unfork.logic.term import Value, constant, make
from unfork.prune.interpolation.interpolant import Interpolant
from unfork.prune.interpolation.learn import LearntCover
from unfork.prune.interpolation.sources import RegisterSource, SizeSource, Source
from unfork.state.meets import Count, Given
from unfork.state.memory import FIRST_HEAP, UNINITIALISED, address_of, object_of
from unfork.state.state import State

WORD = 64
"""Bits of a pointer."""


class LearntClaim:
    """Obligations of a cover of ``state``: who is who is plain to see or false, the conditions follow from its path.

    That the interpolant is right of the states that meet it is not claimed: for that, such states are explored again.
    """

    def __init__(self, cover: LearntCover, state: State) -> None:
        self._learnt: Interpolant = cover.learnt
        self._names: Mapping[int, int] = cover.names
        self._state = state

    def obligations(self) -> Iterator[Obligation]:
        """Those of the match, then one for each condition."""
        path = tuple(self._state.path.constraints())
        yield from [Obligation(what, path, int(holds)) for what, holds in self._match()]
        known = {}
        for number, condition in enumerate(self._learnt.conditions):
            for symbol in condition.symbols:
                if symbol not in known:
                    known[symbol] = self._worth(self._learnt.sources[symbol])
            missing = [symbol for symbol in condition.symbols if known[symbol] is None]
            values = {symbol: term_of(value, symbol.width) for symbol, value in known.items() if value is not None}
            what = f"condition {number} of what was learnt"
            yield Obligation(what, path, 0 if missing else replaced(condition, values))

    def _match(self) -> Iterator[tuple[str, bool]]:
        """What has to be so, whatever the inputs are, and whether it is."""
        learnt, state, names = self._learnt, self._state, self._names
        objects = state.memory.objects
        yield "different objects for different objects", len(set(names.values())) == len(names)
        fixed = [number for number in names if number < FIRST_HEAP or names[number] < FIRST_HEAP]
        yield "the names of globals", all(names[number] == number for number in fixed)
        if learnt.heap_count is not None:
            yield "the number of allocations", state.heap_count == learnt.heap_count
            yield "the names of objects", all(number == other for number, other in names.items())
        for number, shape in learnt.shapes.items():
            name = names.get(number, number)
            item = objects.get(name)
            if shape.scope is not None:
                depth, index = shape.scope
                frame = state.frames[depth]
                yield f"that object {number} is out of scope", item is None and frame.locals[index] == name
                item = (frame.ended or {}).get(name)
            here = None if item is None or item.gone != 0 else (item.kind, item.limit, len(item.data), item.read_only)
            yield f"the shape of object {number}", here == (shape.kind, shape.size, shape.capacity, shape.read_only)
        for number in sorted(learnt.absent):
            yield f"the absence of object {number}", number not in objects
        model = state.path.model()
        for source in learnt.anchors:
            assert source.anchor is not None
            value = self._held(source)
            target = None if value is None else object_of(value if isinstance(value, int) else evaluate(value, model))
            yield f"the object that {source.name} leads to", target == names.get(source.anchor, source.anchor)
        for symbol in learnt.written:
            value = self._held(learnt.sources[symbol])
            yield f"that {symbol.name} was written", value is not None and not may_be_unwritten(value)
        yield from self._remembered()

    def _remembered(self) -> Iterator[tuple[str, bool]]:
        """Whether the state remembers the same, but for what names are made of."""
        mine, theirs = self._state.remembered, self._learnt.fixed.remembered
        for fact in mine.either(theirs):
            if not isinstance(fact.meets, Count | Given):
                yield f"the {fact.name}", mine[fact] == theirs[fact]

    def _held(self, source: Source) -> Value | None:
        """What the state holds in the place of a source; None if that is no value."""
        if isinstance(source, RegisterSource):
            return source.whole(self._state)
        item = self._state.memory.objects.get(self._names.get(source.number, source.number))
        if item is None:
            return None
        if isinstance(source, SizeSource):
            return item.size
        end = source.offset + source.size
        if not 0 <= source.offset <= end <= len(item.data):
            return None
        if item.mask is not None and UNINITIALISED in item.mask[source.offset : end]:
            return None
        return item.read(source.offset, source.size)

    def _worth(self, source: Source) -> Value | None:
        """What the symbol of a source stands for: of a pointer, how far it is from the beginning of its object."""
        value = self._held(source)
        if source.anchor is None or value is None:
            return value
        base = -address_of(self._names.get(source.anchor, source.anchor)) & (1 << WORD) - 1
        if isinstance(value, int):
            return (value + base) & (1 << WORD) - 1
        return make("add", WORD, (value, constant(base, WORD)))
