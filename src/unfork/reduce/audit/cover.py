"""The claims of covers: values and path of a covering state, or the match with an interpolant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from unfork.engine.state.memory import FIRST_HEAP, UNINITIALISED, address_of, object_of
from unfork.engine.state.merge_rules import CountPart, FirstNamePart
from unfork.engine.state.pointer_words import has_pieces
from unfork.engine.state.state import State
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make, symbol
from unfork.reduce.audit.claim import AuditObligation, all_of, either, equal, replaced, term_of
from unfork.reduce.audit.pairs import may_be_unwritten
from unfork.reduce.prune.contract import Chosen, ContainmentProof, Pair, StateCover
from unfork.reduce.prune.interpolation.interpolant import Interpolant
from unfork.reduce.prune.interpolation.learn import LearntCover
from unfork.reduce.prune.interpolation.sources import RegisterSource, SizeSource, Source


class CoverClaim:
    """Obligations of a cover: wherever the covered path holds, values are equal and the covering path holds.

    Under an abstraction, the same for each choice of nodes in the covered state's segments: the abstracted states
    match. That this loses nothing is not claimed.
    """

    def __init__(self, cover: StateCover) -> None:
        self._cover = cover

    def obligations(self) -> Iterator[AuditObligation]:
        """One for each value and condition; a single one if the fitting substitution depends on the inputs."""
        cover = self._cover
        if cover.is_exact:
            yield from self._obligations(cover.proof, [])
            return
        if not self._has_every_choice():
            yield AuditObligation("a proof for each choice of nodes", tuple(cover.path.constraints()), 0)
        for chosen in cover.chosen:
            yield from self._obligations(chosen.proof, self._value_at(chosen))

    def _has_every_choice(self) -> bool:
        """Whether each choice of the covered state's nodes has an answer among the coverer's."""
        mine = {chosen.covered for chosen in self._cover.chosen}
        theirs = set(product(*[each.coverer for each in self._cover.summaries]))
        asked = set(product(*[each.covered for each in self._cover.summaries]))
        return asked <= mine and all(chosen.coverer in theirs for chosen in self._cover.chosen)

    def _value_at(self, chosen: Chosen) -> list[Pair]:
        """The values of the chosen nodes; untouched ones of the coverer may be anything."""
        pairs: list[Pair] = []
        for mine, theirs, each in zip(chosen.covered, chosen.coverer, self._cover.summaries, strict=True):
            for number, (value, its, width) in enumerate(zip(mine, theirs, each.widths, strict=True)):
                if its is not None:
                    pairs.append((symbol(f"untouched {number}", width) if value is None else value, its, width))
        return pairs

    def _obligations(self, proof: ContainmentProof, more: Sequence[Pair]) -> Iterator[AuditObligation]:
        hypotheses = tuple(self._cover.path.constraints())
        claims = [self._under(substitution, more) for substitution in proof.substitutions]
        if len(claims) == 1:
            for what, conclusion in claims[0]:
                yield AuditObligation(what, hypotheses, conclusion)
        elif claims:
            whole: Value = 0
            for claim in claims:
                whole = either(whole, all_of([conclusion for _, conclusion in claim]))
            yield AuditObligation("values and path", hypotheses, whole)

    def _under(self, substitution: Mapping[Term, Value], more: Sequence[Pair]) -> list[tuple[str, Value]]:
        cover = self._cover
        known = {s: term_of(value, s.width) for s, value in substitution.items()}
        claims = [
            (f"value {number}", equal(one, replaced(its, known), width))
            for number, (one, its, width) in enumerate([*cover.pairs, *more])
        ]
        parts = cover.its_path.touched(known)
        return [*claims, *[("path", replaced(constraint, known)) for part in parts for constraint in part.constraints]]


WORD = 64
"""Bits of a pointer."""


class LearntClaim:
    """Obligations of a cover of ``state``: the match is plainly right or wrong, the conditions follow from its path.

    That the interpolant is right about all states that meet it is not claimed: such states are explored again.
    """

    def __init__(self, cover: LearntCover, state: State) -> None:
        self._learnt: Interpolant = cover.learnt
        self._names: Mapping[int, int] = cover.names
        self._state = state

    def obligations(self) -> Iterator[AuditObligation]:
        """The obligations of the match, then one for each condition."""
        path = tuple(self._state.path.constraints())
        yield from [AuditObligation(what, path, int(holds)) for what, holds in self._match()]
        known = {}
        for number, condition in enumerate(self._learnt.conditions):
            for each in condition.symbols:
                if each not in known:
                    known[each] = self._worth(self._learnt.sources[each])
            missing = [each for each in condition.symbols if known[each] is None]
            values = {each: term_of(value, each.width) for each, value in known.items() if value is not None}
            what = f"condition {number} of what was learnt"
            yield AuditObligation(what, path, 0 if missing else replaced(condition, values))

    def _match(self) -> Iterator[tuple[str, bool]]:
        """The unconditional requirements, and whether each holds."""
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
            value = self._value_at(source)
            target = None if value is None else object_of(value if isinstance(value, int) else evaluate(value, model))
            yield f"the object that {source.name} leads to", target == names.get(source.anchor, source.anchor)
        for each in learnt.written:
            value = self._value_at(learnt.sources[each])
            yield f"that {each.name} was written", value is not None and not may_be_unwritten(value)
        yield from self._facts()

    def _facts(self) -> Iterator[tuple[str, bool]]:
        """Whether the state's facts are equal, except those for naming."""
        mine, theirs = self._state.remembered, self._learnt.fixed.remembered
        for fact in mine.either(theirs):
            if not isinstance(fact.merge_rule, CountPart | FirstNamePart):
                yield f"the {fact.name}", mine[fact] == theirs[fact]

    def _value_at(self, source: Source) -> Value | None:
        """The state's value in a source; None if there is none."""
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
        if has_pieces(item, source.offset, source.size):
            return None
        return item.read(source.offset, source.size)

    def _worth(self, source: Source) -> Value | None:
        """The value of a source's symbol: for a pointer, its offset in its object."""
        value = self._value_at(source)
        if source.anchor is None or value is None:
            return value
        base = -address_of(self._names.get(source.anchor, source.anchor)) & (1 << WORD) - 1
        if isinstance(value, int):
            return (value + base) & (1 << WORD) - 1
        return make("add", WORD, (value, constant(base, WORD)))
