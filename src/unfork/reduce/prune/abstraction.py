"""The abstracted form of a state for comparison: lists and trees folded, arrays as lists, values of predicates.

A folded segment has the values of any of its nodes (Anand06, Definition 4). Nothing runs on it: an abstraction
serves matching alone, and may lose behaviour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.state import State
from unfork.logic.solve.path import PathCondition, Slice, split
from unfork.logic.terms.evaluate import Model, evaluate, substitute
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.reduce.prune.array_cells import Arrays, ArrayShape
from unfork.reduce.prune.compared_side import WORD, stretches
from unfork.reduce.prune.contract import Chosen, Differ, Pair, Record, Summaries
from unfork.reduce.prune.fold import NOTHING_FOLDED, Fold, Shapes, fold_nodes
from unfork.reduce.prune.implication import Implication

Facts = Callable[[State], Sequence[Value | None]]
"""The predicates' values for a state's variables (1 bit each), in a fixed order; None where a variable has no value."""


@dataclass(frozen=True, slots=True)
class Abstracted:
    """A state for comparison. ``path`` and ``rewritten`` have symbols for the first values of array cells."""

    fold: Fold
    arrays: Mapping[int, ArrayShape]
    facts: tuple[Value | None, ...]
    path: PathCondition
    cells: Mapping[Term, Value]

    def rewritten(self, value: Value) -> Value:
        """A value of the state, over the symbols of ``path``."""
        return substitute(value, self.cells) if self.cells else value


def rewritten(
    pairs: Sequence[Pair], summaries: Sequence[Summaries], covered: Abstracted, coverer: Abstracted
) -> tuple[list[Pair], list[Summaries]]:
    """The values of two states that must be equal, over the symbols of their abstracted paths."""
    said = [(covered.rewritten(one), coverer.rewritten(its), width) for one, its, width in pairs]
    folded = [
        Summaries(_records(covered, pair.covered), _records(coverer, pair.coverer), pair.widths) for pair in summaries
    ]
    return said, folded


def _records(side: Abstracted, records: Sequence[Record]) -> tuple[Record, ...]:
    return tuple([tuple([None if value is None else side.rewritten(value) for value in record]) for record in records])


class Abstraction:
    """Abstracts states: folds ``shapes``; arrays are lists if ``arrays`` is given."""

    def __init__(self, registers: LiveRegisters, shapes: Shapes, arrays: Arrays | None, facts: Facts) -> None:
        self._registers = registers
        self._shapes = shapes
        self._arrays = arrays
        self._facts = facts

    def of(self, state: State) -> Abstracted:
        fold = fold_nodes(state, self._registers, self._shapes) if self._shapes else NOTHING_FOLDED
        cells = _first_values(state) if self._arrays is not None else {}
        arrays = {} if self._arrays is None else self._arrays.shapes(state)
        return Abstracted(fold, arrays, tuple(self._facts(state)), _rewritten(state.path, cells), cells)


def _first_values(state: State) -> dict[Term, Value]:
    """A symbol for the first value of each known cell of an input array: cells at different indices may differ."""
    return {
        cell.first: symbol(f"cell {place} of {number}", cell.first.width)
        for number, cells in state.lazy.cells.items()
        for place, cell in enumerate(cells)
        if isinstance(cell.first, Term) and cell.first.op != "symbol"
    }


def _rewritten(path: PathCondition, cells: Mapping[Term, Value]) -> PathCondition:
    """The path condition with new names for terms, which may have any value."""
    if not cells:
        return path
    model = path.model()
    values = dict(model.values)
    values.update({name: evaluate(term, model) for term, name in cells.items() if isinstance(name, Term)})
    conditions = [one for term in path.constraints() if isinstance(one := substitute(term, cells), Term)]
    empty = Slice((), frozenset(), frozenset(), Model({}))
    return PathCondition.EMPTY.extended(conditions, split(empty, conditions, Model(values)))


MOST_CHOICES = 64
"""Ways to choose one node of each segment of a state; with more, segments are not compared."""


def summaries(covered: Sequence[MemoryObject], coverer: Sequence[MemoryObject], pointers: Sequence[int]) -> Summaries:
    """The records of nodes with pointers at these offsets, all cut alike."""
    nodes = (*covered, *coverer)
    size = len(nodes[0].data)
    cuts = {0, size, *pointers, *[pointer + WORD for pointer in pointers]}
    for item in nodes:
        for start, end, is_concrete in stretches(item, item, size):
            if not is_concrete:
                cuts.update((start, end))
    ends = sorted(cuts)
    places = [(a, b) for a, b in pairwise(ends) if not any(pointer <= a < pointer + WORD for pointer in pointers)]
    records = [[tuple([_value(item, *place) for place in places]) for item in side] for side in (covered, coverer)]
    return Summaries(tuple(records[0]), tuple(records[1]), tuple([8 * (b - a) for a, b in places]))


def _value(item: MemoryObject, start: int, end: int) -> Value | None:
    return None if item.uninitialised_runs(start, end - start) else item.read(start, end - start)


def prove_any(
    implication: Implication, path: PathCondition, other: PathCondition, pairs: Sequence[Pair], all_of: list[Summaries]
) -> list[Chosen]:
    """For every choice of nodes in the first state's segments, equal nodes of the second's. Raises Differ."""
    theirs = list(product(*[each.coverer for each in all_of]))
    mine = list(product(*[each.covered for each in all_of]))
    if len(mine) > MOST_CHOICES or len(theirs) > MOST_CHOICES:
        raise Differ("long segments")
    widths = [each.widths for each in all_of]

    def prove(nodes: tuple[Record, ...]) -> Chosen:
        reason = Differ("different values")
        for their in theirs:
            try:
                proof = implication.prove(path, other, [*pairs, *pairs_of(nodes, their, widths)])
            except Differ as differ:
                reason = differ
            else:
                return Chosen(nodes, their, proof)
        raise reason

    return [prove(nodes) for nodes in mine]


def pairs_of(mine: Sequence[Record], theirs: Sequence[Record], widths: Sequence[Sequence[int]]) -> list[Pair]:
    """The values that must be equal for these nodes: untouched ones of the second state may be anything."""
    return [pair for one, its, bits in zip(mine, theirs, widths, strict=True) for pair in _pairs(one, its, bits)]


def _pairs(one: Record, other: Record, widths: Sequence[int]) -> list[Pair]:
    pairs: list[Pair] = []
    for number, (value, its, width) in enumerate(zip(one, other, widths, strict=True)):
        if its is not None:
            pairs.append((symbol(f"untouched {number}", width) if value is None else value, its, width))
    return pairs
