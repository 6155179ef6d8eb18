"""Proposes candidate invariants: from the comparisons of iterations, and from the growth of numbers.

A candidate may be wrong. It counts if it holds where the loop begins and every iteration keeps it (houdini.py).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from unfork.engine.state.state import State
from unfork.engine.state.unbounded import ORDERS, RELATIONS, Limit, Progression, cells_of_unknown, stride_of
from unfork.logic.solve.chain import Chain
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value, postorder
from unfork.reduce.invariants.array_invariants import ElementBound, OfArray, Within, arrays_in, limits_of, writes_since
from unfork.reduce.invariants.candidates import (
    BoundCandidate,
    Candidate,
    Rate,
    Sum,
    TurnsCandidate,
    WriteCandidate,
    about,
    condition_of,
)
from unfork.reduce.invariants.cells import Cell
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.invariants.modified_set import COUNT_BITS, ModifiedSet, UnknownChange
from unfork.reduce.invariants.sieve import Point, fit_relation, samples, signed

MOST_BOUNDED = 32
"""Changing numbers for which bounds by their values before the loop are proposed."""
MOST_RELATED = 8
"""Changing numbers for which everything else is proposed."""
MOST_LIMITS = 12
"""Terms, and constants, to try as limits of a number."""
MOST_LEARNT = 2
"""Rounds of new guesses from turns that keep all guesses."""
MOST_ARRAYS = 4
"""Arrays, and numbers as their indices, to consider."""
MOST_INDICES = 4
INDEX_BITS = 32
LEAST_WIDTH = 8
"""Narrower numbers are not related to others."""


@dataclass(slots=True)
class Proposals:
    """Proposals for a loop that begins in ``entry``, and whose first turn ends in ``first``."""

    chain: Chain
    entry: State
    first: Sequence[State]
    _limits: dict[tuple[int, Value], None] = field(default_factory=dict)
    """Unchanged values of the loop, with their widths, in order of discovery."""
    _learnt: list[Candidate] = field(default_factory=list)
    _stored: dict[tuple[int, Limit], None] = field(default_factory=dict)
    """Values that elements of arrays were seen to get, by array."""
    _times: int = 0
    _plausible: dict[Candidate, bool] = field(default_factory=dict)

    def of(self, modified: ModifiedSet) -> list[Candidate]:
        """The candidates that hold where the loop begins, and perhaps after the first turn."""
        numbers = modified.numbers()
        related = [cell for cell in numbers if cell.width >= LEAST_WIDTH][:MOST_RELATED]
        candidates = [
            *_by_start(numbers[:MOST_BOUNDED], self.entry),
            *self._by_limits(related),
            *_pairs(related, modified),
            *_counts(related, modified),
            *self._written(related, modified),
            *self._of_arrays(related, modified),
            *about(self._learnt, modified.cells),
        ]
        return [each for each in dict.fromkeys(candidates) if self._is_plausible(each)]

    def learn(self, modified: ModifiedSet, begun: State, over: Sequence[State], kept: Sequence[Candidate]) -> bool:
        """Guess more from a turn that began as ``begun`` and ended in some states. Returns whether there is news.

        Called once a turn keeps all guesses and is not lost.
        """
        if self._times == MOST_LEARNT or not over:
            return False
        self._times += 1
        known = self.of(modified)
        starts = [cell.read(self.entry) for cell in modified.numbers()]
        before = {symbol for start in starts if isinstance(start, Term) for symbol in start.symbols}
        values = [cell.read(begun) for cell in modified.cells if not cell.is_unwritten(begun)]
        changing = {symbol for value in values if isinstance(value, Term) for symbol in value.symbols} - before
        fixed = {symbol for part in self.entry.path.constraints(0) for symbol in part.symbols}
        changing |= {symbol for each in (begun, *over) for symbol in cells_of_unknown(each.proof)} - fixed
        for state in over:
            asked = changing | _symbols_of_inputs(state, begun.inputs.count)
            self._meet(state.path.constraints(begun.path.length), asked)
            for array in modified.objects:
                self._meet_stored(array, begun, state, asked)
        terms = [limit for _, limit in self._limits if isinstance(limit, Term)]
        for part in self.entry.path.touched({*before, *[symbol for term in terms for symbol in term.symbols]}):
            self._meet(part.constraints, [symbol for symbol in part.symbols if symbol.name.startswith(HAVOC)])
        numbers = [cell for cell in modified.numbers() if cell.width >= LEAST_WIDTH]
        unsteady = [cell for cell in numbers[:MOST_RELATED] if isinstance(modified.cells[cell], UnknownChange)]
        bits = min([each.most.bit_length() for each in kept if isinstance(each, TurnsCandidate)], default=COUNT_BITS)
        self._learnt += self._rates(unsteady, begun, over, bits)
        self._learnt += self._sums(unsteady, begun, over)
        return any(each not in known for each in self.of(modified))

    def _is_plausible(self, candidate: Candidate) -> bool:
        """Whether a candidate holds where the loop begins, and in a model of each path of the first turn."""
        answer = self._plausible.get(candidate)
        if answer is None:
            answer = self._plausible[candidate] = self._may_be(candidate)
        return answer

    def _may_be(self, candidate: Candidate) -> bool:
        for state in self.first:
            condition = condition_of(candidate, state, 1)
            if condition is None or not evaluate(condition, state.path.model()):
                return False
        condition = condition_of(candidate, self.entry, 0)
        return condition is not None and self.chain.must(self.entry.path, condition)

    # --- limits

    def _meet(self, conditions: Sequence[Term], changing: Collection[Term]) -> None:
        """Note the values with which conditions compare numbers, unless they depend on changing ones."""
        for part in postorder(tuple(conditions)):
            if part.op in ("eq", "slt", "ult") and part.args[0].width >= LEAST_WIDTH:
                for side in part.args:
                    if side.op == "const":
                        for limit in (side.value, side.value - 1, side.value + 1):
                            self._limits[side.width, limit & (1 << side.width) - 1] = None
                    elif side.symbols.isdisjoint(changing):
                        self._limits[side.width, side] = None

    def _by_limits(self, cells: Sequence[Cell]) -> Iterator[Candidate]:
        for cell in cells:
            fitting = [limit for width, limit in self._limits if width == cell.width]
            terms: list[Value] = [limit for limit in fitting if isinstance(limit, Term)]
            constants: list[Value] = [0, *[limit for limit in fitting if isinstance(limit, int)]]
            for limit in terms[:MOST_LIMITS] + constants[:MOST_LIMITS]:
                for order in ORDERS:
                    yield BoundCandidate(cell, limit, order)

    def _written(self, numbers: Sequence[Cell], modified: ModifiedSet) -> Iterator[Candidate]:
        """Unwritten cells are written as soon as a number changes that signals a find."""
        for cell in [each for each in modified.cells if each in modified.unwritten][:MOST_RELATED]:
            for other in numbers:
                yield WriteCandidate(cell, other, other.read(self.entry))

    # --- arrays

    def _of_arrays(self, numbers: Sequence[Cell], modified: ModifiedSet) -> Iterator[OfArray]:
        """Elements before an index are limited: in a changing array by stored values and by known limits, in others
        by changing numbers.
        """
        contents = self.entry.proof.contents
        indices = [cell for cell in numbers if cell.width >= INDEX_BITS][:MOST_INDICES]
        for array in arrays_in(self.entry)[:MOST_ARRAYS]:
            width = 8 * stride_of(contents[array])
            limits: list[tuple[str, Limit | Cell]] = []
            if array in modified.objects:
                for index in indices:
                    yield Within(array, index, contents[array])
                limits += [("==", limit) for limit in limits_of(self.entry, array, modified.objects)]
                limits += [("==", limit) for number, limit in self._stored if number == array]
                met = [limit for each, limit in self._limits if each == width][:MOST_LIMITS]
                limits += [(order, limit) for limit in dict.fromkeys([0, *met]) for order in RELATIONS]
            else:
                unsteady = [
                    cell for cell in numbers if isinstance(modified.cells[cell], UnknownChange) and cell.width == width
                ]
                limits += [(order, cell) for cell in unsteady for order in ORDERS]
            for index in indices:
                for order, limit in limits:
                    if limit is not index:
                        yield ElementBound(array, width, index, order, limit)

    def _meet_stored(self, array: int, begun: State, state: State, changing: Collection[Term]) -> None:
        """Note what a turn writes to an array: unchanged values, and numbers determined by the index."""
        if array not in begun.proof.contents or array not in state.proof.contents:
            return
        stride = stride_of(begun.proof.contents[array])
        for write in writes_since(begun, state, array):
            if not isinstance(write.value, Term) or write.value.symbols.isdisjoint(changing):
                self._stored[array, write.value] = None
                continue
            parts = [each for each in (write.offset, write.value) if isinstance(each, Term)]
            models = samples(state.path, {symbol for each in parts for symbol in each.symbols})
            points = [((evaluate(write.offset, each) // stride,), evaluate(write.value, each)) for each in models]
            fit = fit_relation(points, 8 * stride)
            if fit is not None:
                self._stored[array, Progression(fit.constant, fit.factors[0])] = None

    # --- how numbers grow

    def _rates(self, cells: Sequence[Cell], begun: State, over: Sequence[State], bits: int) -> Iterator[Candidate]:
        """The least and the greatest growth per turn of numbers without constant growth."""
        for cell in cells:
            width = cell.width
            half = 1 << width - 1
            ranges = []
            for state in over:
                grown = build.add(build.sub(cell.read(state), cell.read(begun), width), half, width)
                is_small = build.member(grown, half >> 1, half + (half >> 1)) if isinstance(grown, Term) else 1
                if not self.chain.must(state.path, is_small):
                    break
                ranges.append(self.chain.bounds(state.path, grown, width))
            else:
                least, most = min(low for low, _ in ranges) - half, max(high for _, high in ranges) - half
                for is_signed in (True, False):
                    yield Rate(cell, cell.read(self.entry), least, most, is_signed, bits)

    def _sums(self, cells: Sequence[Cell], begun: State, over: Sequence[State]) -> Iterator[Candidate]:
        """Numbers that grow by a sum of others' growth, in models of a turn."""
        for number, cell in enumerate(cells):
            addends = [other for other in cells[:number] if other.width == cell.width]
            if not addends:
                continue
            points: list[Point] = []
            for state in over:
                grown = [build.sub(each.read(state), each.read(begun), each.width) for each in (*addends, cell)]
                symbols = {symbol for each in grown if isinstance(each, Term) for symbol in each.symbols}
                for model in samples(state.path, symbols):
                    *numbers, result = [evaluate(each, model) for each in grown]
                    points.append((numbers, result))
            fit = fit_relation(points, cell.width)
            if fit is not None:
                factors = zip(addends, fit.factors, strict=True)
                used = tuple([(each, factor) for each, factor in factors if factor])
                starts = tuple([each.read(self.entry) for each in (cell, *[each for each, _ in used])])
                yield Sum(cell, used, fit.constant, starts)


def _symbols_of_inputs(state: State, known: int) -> set[Term]:
    """The symbols of inputs after the first ``known``: the next turn has the same names, and other values."""
    values = [value for each in state.inputs.after(known) for value, _ in each.leaves]
    return {symbol for value in values if isinstance(value, Term) for symbol in value.symbols}


def _by_start(cells: Sequence[Cell], entry: State) -> Iterator[Candidate]:
    """Numbers stay on one side of their values before the loop."""
    for cell in cells:
        for order in ORDERS:
            yield BoundCandidate(cell, cell.read(entry), order)


def _pairs(numbers: Sequence[Cell], modified: ModifiedSet) -> Iterator[Candidate]:
    """One number stays on one side of another, unless both grow alike."""
    for first, second in combinations(numbers, 2):
        steps = modified.cells[first], modified.cells[second]
        if first.width == second.width and (isinstance(steps[0], UnknownChange) or steps[0] != steps[1]):
            for order in ORDERS:
                yield BoundCandidate(first, second, order)


def _counts(numbers: Sequence[Cell], modified: ModifiedSet) -> Iterator[Candidate]:
    """Numbers that grow by a constant do not come round."""
    for cell in numbers:
        step = modified.cells[cell]
        if isinstance(step, int) and step:
            most = ((1 << cell.width) - 1) // abs(signed(step, cell.width))
            if most.bit_length() < COUNT_BITS:
                yield TurnsCandidate(most)
